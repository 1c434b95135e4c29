// The addresses of the simulated 3-D Secure world, beside those of the simulated providers:
//
//   POST /three_ds/preauth        {merchant_account_id, order_id, operation_id, card: {number}} → {enrolled, versions, threeDSMethodURL, threeDSServerTransID}
//   POST /three_ds/authenticate   AReq → ARes, Erro or {"declined": true}
//   GET  /three_ds/results/{threeDSServerTransID} → {state: "pending" | "done", rreq} or 404
//   POST /acs/method              the browser, hidden: threeDSMethodData
//   POST /acs/challenge           the browser: creq, threeDSSessionData, and what the page's own form adds
import type { IncomingMessage } from 'node:http';
import type { Reply } from '../call/answer.ts';
import { PROMPT } from '../call/deliver.ts';
import type { Performed } from '../call/perform.ts';
import { NO_ROUTE, parse } from '../call/routes.ts';
import type { World } from '../world.ts';
import { meet, readBase64Url } from './bank.ts';
import { authenticate, preauth, results } from './directory.ts';
import { backPage, challengePage, methodPage, nothingPage } from './pages.ts';

/** Undefined: none of these addresses. */
export function threeDsOf(
  world: World,
  request: IncomingMessage,
  bytes: Buffer,
): Performed | Promise<Performed> | undefined {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const is_page = path.startsWith('/acs/');
  if (!is_page && !path.startsWith('/three_ds/')) return undefined;
  const route = `${request.method} ${path}`;
  switch (route) {
    case 'POST /three_ds/preauth':
      return preauth(world, parse(bytes), addressOf(world, request));
    case 'POST /three_ds/authenticate':
      return authenticate(world, parse(bytes), addressOf(world, request));
    case 'POST /acs/method':
      return prompt(method(world, formOf(bytes)));
    case 'POST /acs/challenge':
      return challenge(world, formOf(bytes)).then(prompt);
    default: {
      const id = /^GET \/three_ds\/results\/([0-9a-f-]{36})$/.exec(route)?.[1];
      return id === undefined ? prompt(is_page ? nothingPage() : NO_ROUTE) : results(world, id);
    }
  }
}

const prompt = (reply: Reply): Performed => ({ reply, leaving: PROMPT, before: [], after: [] });

/** Where a browser finds the bank: as it is told, or as our side found the directory. */
function addressOf(world: World, request: IncomingMessage): string {
  const { host = '' } = request.headers;
  return world.public_url ?? `http://${/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}`;
}

const formOf = (bytes: Buffer): URLSearchParams => new URLSearchParams(bytes.toString('utf8'));

function method(world: World, form: URLSearchParams): Reply {
  const said = readBase64Url(form.get('threeDSMethodData') ?? '') ?? {};
  const { threeDSServerTransID: id, threeDSMethodNotificationURL: address } = said;
  const known = typeof id === 'string' ? world.register.find(id) : undefined;
  const url = typeof address === 'string' && address.length <= 256 ? URL.parse(address) : null;
  if (known === undefined || url === null || !['https:', 'http:'].includes(url.protocol)) return nothingPage();
  return methodPage(known, url.href);
}

async function challenge(world: World, form: URLSearchParams): Promise<Reply> {
  const creq = form.get('creq') ?? '';
  const session_data = form.get('threeDSSessionData');
  const posted = { creq, session_data, action: form.get('action'), code: form.get('code') ?? '' };
  const seen = await meet(world, posted);
  if (seen === undefined) return nothingPage();
  return seen.authentication.ended === null
    ? challengePage(seen, { creq, session_data, now: world.now() })
    : backPage(seen.authentication, session_data);
}
