// The hosted page when the vault runs alone (contract 1.1): {vault_url}/pay/… is asked of the payment host over the
// link. Forms and pages pass as bytes; card data never does, because the card fields post to /token. What comes back is
// shown under the vault's name, so the vault adds a policy of its own: no script runs there but those it knows itself.
import type { LinkClient } from '../kit/link/client.ts';
import { type LinkCall, LinkRefusal, type LinkRoute } from '../kit/link/server.ts';
import { type PublicAnswer, type PublicPath, type PublicRequest, findPublic } from '../kit/http/public.ts';
import { hashSource } from '../kit/http/page.ts';
import type { Log } from '../kit/log.ts';
import { failedPage } from '../payment/page/view/message.ts';
import { languageFor } from '../payment/payer/texts.ts';
import type { PageScript } from '../vault/elements/manifest.ts';

const ROUTE = '/internal/page';
/**
 * A payment waits 10 s for its outcome, and the calls around it have their time (contract 2.8); a look does not wait.
 */
const DEADLINES_MS = { GET: 12_000, POST: 26_000 } as const;
/** Below the connections of one link, so that a payment host that hangs does not gather payers without end. */
const MOST_WAITING = 100;
/** The longest path of ours has three. */
const MOST_SEGMENTS = 8;

type ControlRequest = {
  readonly method: 'GET' | 'POST';
  readonly segments: readonly string[];
  readonly request: PublicRequest;
};

/** The routes that the payment host's link offers to the vault: its pages, by method and path. */
export function pageRoutes(paths: readonly PublicPath[]): readonly LinkRoute[] {
  return [
    {
      method: 'PUT',
      path: ROUTE,
      peers: ['vault'],
      run: async (call) => {
        const { method, segments, request } = readAsked(call);
        const found = findPublic(paths, method, segments);
        const answer = found && (await found.path.answer(found.params, request));
        if (!answer) return null;
        const { status = 200, headers, body } = answer;
        return { status, headers, body: Buffer.from(body).toString('base64') };
      },
    },
  ];
}

export type RelayOptions = {
  /** A link of its own: payers who wait take no connection from others who ask the payment host. */
  readonly link: LinkClient;
  readonly log: Log;
  readonly brand: string;
  readonly environment: 'sandbox' | 'production';
  /** The scripts that may run on these pages. */
  readonly page_scripts: readonly PageScript[];
};

/**
 * The paths that the vault's host serves below /pay: the payment host's answer, or a page that says that it cannot be
 * reached.
 */
export function relayedPages(options: RelayOptions): readonly PublicPath[] {
  const policy = `script-src 'self' ${options.page_scripts.map(({ text }) => hashSource(text)).join(' ')}; object-src 'none'; base-uri 'none'`;
  let waiting = 0;
  const answering = (method: 'GET' | 'POST'): PublicPath['answer'] => {
    return async ({ '*': rest = '' }, request) => {
      const segments = ['pay', ...rest.split('/')];
      if (segments.length > MOST_SEGMENTS) return undefined;
      if (waiting >= MOST_WAITING) return away(options, segments, request);
      waiting++;
      try {
        const answer = await relay(options, { method, segments, request });
        if (answer === 'away') return away(options, segments, request);
        return answer && { ...answer, headers: guarded(answer.headers, policy) };
      } finally {
        waiting--;
      }
    };
  };
  return (['GET', 'POST'] as const).map((method) => ({ path: '/pay/*', method, answer: answering(method) }));
}

/**
 * Two policies hold both; a page without one has the vault's. A browser that may guess runs a page as a script of our
 * own origin.
 */
function guarded(headers: PublicAnswer['headers'], policy: string): PublicAnswer['headers'] {
  const own = headers['content-security-policy'];
  return {
    ...headers,
    'content-security-policy': own === undefined ? policy : `${own}, ${policy}`,
    'x-content-type-options': 'nosniff',
  };
}

async function relay({ link, log }: RelayOptions, asked: ControlRequest): Promise<PublicAnswer | 'away' | undefined> {
  const { method, segments, request } = asked;
  const { request_id } = request;
  const body = { method, segments, request: { ...request, body: request.body.toString('base64') } };
  const exchange = await link.ask({ method: 'PUT', path: ROUTE, body, deadline_ms: DEADLINES_MS[method] });
  if (exchange.kind !== 'answered' || exchange.status !== 200) {
    const said = exchange.kind === 'answered' ? exchange.status : exchange.kind;
    log.error({ request_id, said }, 'the payment host did not answer for a hosted page');
    return 'away';
  }
  try {
    const value: unknown = JSON.parse(exchange.body.toString('utf8'));
    return value === null ? undefined : readAnswer(value);
  } catch (error) {
    log.error({ request_id, error: String(error) }, 'the payment host answered no hosted page');
    return 'away';
  }
}

/** Nothing is known of what was asked, so nothing is said of it; the page may be opened again. */
function away({ brand }: RelayOptions, segments: readonly string[], request: PublicRequest): PublicAnswer {
  const language = languageFor(undefined, request.headers['accept-language']);
  const again = `/${segments.slice(0, 2).map(encodeURIComponent).join('/')}`;
  const headers = { 'retry-after': '5' };
  return failedPage({ language, brand }, { status: 503, again, headers });
}

/** The headers of our own pages; any other header of a payment host is not passed on. */
const HANDED_ON = [
  'content-type',
  'content-security-policy',
  'referrer-policy',
  'cache-control',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'location',
  'retry-after',
];
/**
 * Never a script, a style sheet or a picture: nothing that a page of the vault's own could be made to load. The whole
 * text, as of two types in one header a browser takes the last.
 */
const TYPES = /^(?:text\/html|application\/json)(?:; ?charset=utf-8)?$/;

function readAnswer(value: unknown): PublicAnswer {
  const said = membersOf(value);
  const [status, body] = [said.get('status'), said.get('body')];
  const given = textsOf(said.get('headers'));
  const headers = Object.fromEntries(
    HANDED_ON.flatMap((name) => (given.has(name) ? [[name, given.get(name) ?? '']] : [])),
  );
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new Error('the status is none');
  if (typeof body !== 'string') throw new Error('the body is no text');
  if (body !== '' && !TYPES.test(headers['content-type'] ?? '')) throw new Error('the content is no page');
  return { status, headers, body: Buffer.from(body, 'base64') };
}

function readAsked({ body }: LinkCall): ControlRequest {
  const said = membersOf(body);
  const [method, segments] = [said.get('method'), said.get('segments')];
  const asked = membersOf(said.get('request'));
  const text = (name: string) => {
    const value = asked.get(name);
    if (typeof value !== 'string') throw new LinkRefusal(`${name} is no text`);
    return value;
  };
  if (method !== 'GET' && method !== 'POST') throw new LinkRefusal('the method is none of a page');
  if (!isTexts(segments)) throw new LinkRefusal('the path is no list of texts');
  const request = {
    request_id: text('request_id'),
    client_ip: text('client_ip'),
    body: Buffer.from(text('body'), 'base64'),
    headers: Object.fromEntries(textsOf(asked.get('headers'))),
    query: Object.fromEntries(textsOf(asked.get('query'))),
  };
  return { method, segments, request };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** The members that are texts. */
function textsOf(value: unknown): ReadonlyMap<string, string> {
  return new Map(
    [...membersOf(value)].flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : [])),
  );
}
