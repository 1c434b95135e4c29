// A company's provider of identities that runs here, as itself (oidc-provider), and what stands before it: what it
// answers can be changed on the way, to see what we do with it.
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { listeningPort } from '../../src/kit/listening-port.ts';
import type { World } from '../world.ts';

type Employee = {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
};

/** A changed answer of the provider; undefined: as it is. */
type Change = (path: string, answer: string) => string | undefined;

export type Company = AsyncDisposable & {
  readonly issuer: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Who is there; their login name is the key. */
  readonly people: Map<string, Employee>;
  change: Change | undefined;
  /** It answers nobody. */
  away: boolean;
};

/**
 * For the demo account of this world. Loading the provider takes a while: before anybody has a connection that would
 * lie idle so long.
 */
export async function openCompany({ service: { addresses, demo } }: World): Promise<Company> {
  const server = createServer();
  // a connection that lies idle while the machine is busy is not closed under who wants it again
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = listeningPort(server);
  const issuer = `http://127.0.0.1:${port}`;
  const client = { client_id: 'florin', client_secret: 'a secret of the company that is long enough' };
  const people = new Map<string, Employee>();
  const { default: Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, {
    clients: [
      {
        ...client,
        redirect_uris: [`${addresses.backoffice_url}/signed-on/${demo?.merchant_account_id}`],
        post_logout_redirect_uris: [`${addresses.backoffice_url}/`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_: unknown, sub: string) => {
      const found = people.get(sub);
      return found && { accountId: sub, claims: () => found };
    },
    features: { devInteractions: { enabled: true } },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 3600, Session: 3600 },
  });
  const company: Company = {
    issuer,
    client,
    people,
    change: undefined,
    away: false,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  serve(server, company, provider.callback());
  return company;
}

function serve(server: Server, company: Company, answer: (i: IncomingMessage, o: ServerResponse) => void): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (company.away) return void request.socket.destroy();
    const end = response.end.bind(response);
    response.end = ((chunk: unknown, ...rest: never[]) => {
      const text = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? String(chunk) : undefined;
      const changed = text === undefined ? undefined : company.change?.(request.url ?? '', text);
      if (changed === undefined) return end(chunk as never, ...rest);
      response.setHeader('content-length', Buffer.byteLength(changed));
      return end(changed as never);
    }) as typeof response.end;
    answer(request, response);
  });
}

/** A browser at the company, without pages: signs in, agrees, and gives the address that it is sent back to. */
export async function signInAtCompany(url: string, login: string): Promise<string> {
  const jar = new Map<string, string>();
  const visit = async (to: string, form?: Record<string, string>): Promise<Response> => {
    const answer = await fetch(to, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [key = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      jar.set(key, value);
    }
    return answer;
  };
  let at = url;
  for (let steps = 0; steps < 20; steps++) {
    let answer = await visit(at);
    if (answer.status === 200) {
      const page = await answer.text();
      const [, action = at] = page.match(/<form[^>]*action="([^"]+)"/) ?? [];
      const [, prompt = ''] = page.match(/name="prompt" value="(\w+)"/) ?? [];
      answer = await visit(new URL(action, at).href, { prompt, ...(prompt === 'login' && { login, password: 'any' }) });
    }
    at = new URL(answer.headers.get('location') ?? '', at).href;
    if (at.includes('/signed-on/')) return at;
  }
  throw new Error(`the company sends nobody back: ${at}`);
}
