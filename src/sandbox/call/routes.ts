// The routes of the simulated provider. Every decision has status 200, declines too. 400 names what is wrong with the
// request; 404 means that there is no such route, or for an inquiry no such operation.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { result } from '../../core/results.ts';
import type { Books } from '../books.ts';
import type { World } from '../world.ts';
import type { Reply } from './answer.ts';
import { type Call, MISUSED, type Performed, inquire, perform, prompt } from './perform.ts';
import { type Reading, type Wrong, readAsked, readPayment } from './requests.ts';

/** Undefined if the path is not a route of a provider. */
export function callOf(request: IncomingMessage, bytes: Buffer, world: World): Performed | undefined {
  const url = request.url ?? '';
  const [path = '', query = ''] = url.split('?', 2);
  const [, provider = '', noun, id, verb, ...more] = path.split('/');
  const books = world.books.get(provider);
  if (books === undefined) return undefined;
  const stranger = turnedAway(request.headers['x-api-key']);
  if (stranger) return prompt(stranger);
  if (request.method === 'GET') {
    if (noun !== 'payments' || id !== undefined) return prompt(NO_ROUTE);
    // every operation can be asked for by our reference; the kind in the answer says what it is
    const reference = new URLSearchParams(query).get('reference');
    return reference === null ? prompt(wrong('reference')) : inquire(world, books, reference);
  }
  if (request.method !== 'POST' || more.length > 0) return prompt(NO_ROUTE);
  // the key has no effect (payments.ts says why), but a sender that forgets it must be noticed
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(key)) return prompt(wrong('idempotency-key'));
  const route = `${noun}/${id === undefined ? '' : '*'}/${verb ?? ''}`;
  const call = readCall(books, { route, target: id ?? '', bytes }, { at: world.now(), register: world.register });
  if ('status' in call) return prompt(call);
  return perform(world, call) ?? prompt(refused(400, MISUSED));
}

const FOLLOW_UPS: Readonly<Record<string, Call['called']>> = {
  'payments/*/captures': 'capture',
  'payments/*/cancel': 'cancel',
  'captures/*/refunds': 'refund',
  'reversals//': 'reversal',
};

type Sent = { readonly route: string; readonly target: string; readonly bytes: Buffer };

function readCall(books: Books, { route, target, bytes }: Sent, reading: Omit<Reading, 'provider'>): Call | Reply {
  if (route === 'payments//') {
    const read = readPayment(parse(bytes), { ...reading, provider: books.provider });
    if ('member' in read) return wrongMember(read);
    return { books, called: read.card.sale ? 'direct_capture' : 'authorize', ...read, target };
  }
  const called = Object.hasOwn(FOLLOW_UPS, route) ? FOLLOW_UPS[route] : undefined;
  if (called === undefined) return NO_ROUTE;
  const asked = readAsked(parse(bytes), reading.at);
  return 'member' in asked ? wrongMember(asked) : { books, called, asked, target };
}

/** Undefined if the text is not JSON. The parser's own error would quote the body, and the card in it. */
export function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Every key is accepted, and so is a caller without one; only keys that begin with `invalid` or `limited` are refused.
 */
function turnedAway(key: string | readonly string[] | undefined): Reply | undefined {
  if (typeof key !== 'string') return undefined;
  if (key.startsWith('invalid')) return strange(401, 'provider_credentials_invalid');
  return key.startsWith('limited') ? strange(403, 'provider_rights_missing') : undefined;
}

function strange(status: number, name: 'provider_credentials_invalid' | 'provider_rights_missing'): Reply {
  const { code, description } = result(name);
  return { status, body: { status: 'refused', code, text: description } };
}

export function refused(status: number, text: string): Reply {
  return { status, body: { status: 'refused', code: result('integration_error').code, text } };
}

export const wrong = (name: string): Reply => refused(400, `${name} is missing or not valid`);
const wrongMember = ({ member }: Wrong): Reply =>
  member === '' ? refused(400, 'the body is not a JSON object') : wrong(member);
export const NO_ROUTE = refused(404, 'there is no such route');
export const TOO_LARGE = refused(413, 'the body is too large');
