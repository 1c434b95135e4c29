// The addresses of the simulated 3-D Secure world, beside those of the simulated providers:
//
//   POST /three_ds/preauth        {merchant_account_id, order_id, operation_id, card: {number}} → {enrolled, versions,
//                                 threeDSMethodURL, threeDSServerTransID}
//   POST /three_ds/authenticate   AReq → ARes, Erro or {"declined": true}
//   GET  /three_ds/results/{threeDSServerTransID} → {state: "pending" | "done", rreq} or 404
//   POST /acs/method              the browser, hidden: threeDSMethodData
//   POST /acs/challenge           the browser: creq, threeDSSessionData; leads to the page of the challenge
//   GET and POST /acs/challenge/{acsTransID}   that page and its own forms; each form leads to a GET of the page, so
//                                 that the back button and a reload never send a form twice
import type { IncomingMessage } from 'node:http';
import type { Reply } from '../call/answer.ts';
import { type Performed, prompt } from '../call/perform.ts';
import { NO_ROUTE, parse } from '../call/routes.ts';
import type { World } from '../world.ts';
import type { Authentication } from './authentication.ts';
import { act, findChallenge, open, readBase64Url, told } from './bank.ts';
import { authenticate, preauth, results } from './directory.ts';
import { backPage, challengePage, leadTo, methodPage, nothingPage } from './page/pages.ts';

/** Undefined if the path is none of these addresses. */
export function threeDsOf(
  world: World,
  request: IncomingMessage,
  bytes: Buffer,
): Performed | Promise<Performed> | undefined {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const is_page = isPage(request);
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
      return prompt(stepped(opened(world, formOf(bytes))));
    default: {
      const id = /\/([0-9a-f-]{36})$/.exec(path)?.[1] ?? '';
      if (route === `GET /three_ds/results/${id}`) return results(world, id);
      if (route === `GET /acs/challenge/${id}`) return shown(world, findChallenge(world, id)).then(prompt);
      if (route === `POST /acs/challenge/${id}`) return prompt(stepped(act(world, id, formOf(bytes))));
      return prompt(is_page ? nothingPage() : NO_ROUTE);
    }
  }
}

/** True for addresses that a browser opens; our side calls the others. */
export const isPage = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/acs/');

/**
 * The address at which a browser finds the bank: the configured one, or the one that our side used for the directory.
 */
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

function opened(world: World, form: URLSearchParams): Authentication | undefined {
  return open(world, form.get('creq') ?? '', form.get('threeDSSessionData'));
}

function stepped(authentication: Authentication | undefined): Reply {
  return authentication === undefined ? nothingPage() : leadTo(`/acs/challenge/${authentication.acs_trans_id}`);
}

async function shown(world: World, authentication: Authentication | undefined): Promise<Reply> {
  if (authentication === undefined) return nothingPage();
  if (authentication.ended === null) return challengePage(authentication, world.now());
  await told(world, authentication);
  return backPage(authentication);
}
