// The routes of the simulated provider and what they answer. All that was decided is 200, declines too; 400 says what was
// wrong with the request, 404 that there is no such route or, to an inquiry, no such operation.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type ResultName, findResult, result } from '../core/results.ts';
import type { Books } from './books.ts';
import { type Entry, idOf, viewEntry } from './entry.ts';
import { cancel, capture, refund } from './follow-ups.ts';
import { type Asked, type Done, authorize, reverse } from './payments.ts';
import { type Wrong, readAsked, readPayment } from './requests.ts';

export type World = { readonly books: ReadonlyMap<string, Books>; readonly now: () => number };
export type Reply = { readonly status: number; readonly body: object };

export function answerTo(request: IncomingMessage, bytes: Buffer, world: World): Reply {
  const url = request.url ?? '';
  if (request.method === 'GET') return answerGet(url, world);
  const [, provider = '', noun, id, verb, ...more] = url.split('/');
  const books = world.books.get(provider);
  if (request.method !== 'POST' || books === undefined || more.length > 0) return NO_ROUTE;
  // Nothing hangs on the key (payments.ts says why), but a sender that forgets it must be found out.
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(key)) return wrong('idempotency-key');
  const route = `${noun}/${id === undefined ? '' : '*'}/${verb ?? ''}`;
  if (route === 'payments//') {
    const read = readPayment(parse(bytes), world.now());
    return 'member' in read ? wrongMember(read) : told(authorize(books, read.asked, read.card));
  }
  const move = FOLLOW_UPS[route];
  if (move === undefined) return NO_ROUTE;
  const asked = readAsked(parse(bytes), world.now());
  return 'member' in asked ? wrongMember(asked) : told(move(books, asked, id ?? ''));
}

const FOLLOW_UPS: Readonly<Record<string, (books: Books, asked: Asked, id: string) => Done | undefined>> = {
  'payments/*/captures': capture,
  'payments/*/cancel': cancel,
  'captures/*/refunds': refund,
  'reversals//': reverse,
};

function answerGet(url: string, { books }: World): Reply {
  const [path = '', query = ''] = url.split('?', 2);
  if (path === '/health') return { status: 200, body: { status: 'ready' } };
  const asked = new URLSearchParams(query);
  if (path === '/books') return listBooks([...books.values()], asked);
  const [, provider = '', noun, ...more] = path.split('/');
  const own = books.get(provider);
  if (own === undefined || noun !== 'payments' || more.length > 0) return NO_ROUTE;
  const reference = asked.get('reference');
  if (reference === null) return wrong('reference');
  // Any operation can be asked for by our reference, not only a payment; the answer's kind says what it is.
  const entry = own.find(reference);
  return entry === undefined
    ? { status: 404, body: { status: 'not_found', reference } }
    : told({ entry, ends: entry.ended });
}

/** What the provider believes, in the order in which it learned it; `next_offset` is null where nothing follows. */
function listBooks(books: readonly Books[], asked: URLSearchParams): Reply {
  const limit = Math.min(Number(asked.get('limit') ?? PAGE), PAGE);
  const offset = Number(asked.get('offset') ?? 0);
  if (!Number.isInteger(limit) || limit < 1) return wrong('limit');
  if (!Number.isInteger(offset) || offset < 0) return wrong('offset');
  const wanted = FILTERS.map((name) => [name, asked.get(name)] as const).filter(([, value]) => value !== null);
  const fits = (entry: Entry) => wanted.every(([name, value]) => entry[name] === value);
  const entries: object[] = [];
  let seen = 0;
  for (const own of books) {
    for (const entry of own.list()) {
      if (!fits(entry) || seen++ < offset) continue;
      if (seen > offset + limit) return { status: 200, body: { entries, next_offset: offset + limit } };
      entries.push(...viewEntry(entry));
    }
  }
  return { status: 200, body: { entries, next_offset: null } };
}

const FILTERS = ['order_id', 'order_merchant_id', 'reference', 'provider'] as const;
const PAGE = 1_000;

/** The answer about one operation: the same members for all of them, and for an inquiry. */
function told(done: Done | undefined): Reply {
  if (done === undefined) return refused(400, 'the reference was used for something else');
  const { entry, ends } = done;
  const { code, description } = result(ends);
  const status = statusOf(ends, code);
  const { reference, kind, amount, currency, state, risk_score } = entry;
  const captured = kind === 'authorize' && ends === 'capture_successful';
  const authorization_code = kind === 'authorize' && status === 'approved' ? authorizationCode(reference) : '';
  const what = { id: idOf(entry), reference, kind, status, amount, currency, captured, state };
  const score = risk_score !== null && status === 'approved' ? { risk_score } : {};
  return { status: 200, body: { ...what, authorization_code, code, text: description, ...score } };
}

function statusOf(ends: ResultName, code: string): 'approved' | 'pending' | 'declined' {
  if (findResult(code)?.phase === 'success') return 'approved';
  return ends.endsWith('_pending') ? 'pending' : 'declined';
}

/** Six characters, the same for the same reference (FNV-1a). */
function authorizationCode(reference: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < reference.length; i++) hash = Math.imul(hash ^ reference.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36).toUpperCase().padStart(6, '0').slice(-6);
}

/** Undefined for what is not JSON; the parser's own message would quote the body, and the card in it. */
function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function refused(status: number, text: string): Reply {
  return { status, body: { status: 'refused', code: result('integration_error').code, text } };
}

const wrong = (name: string): Reply => refused(400, `${name} is missing or not valid`);
const wrongMember = ({ member }: Wrong): Reply =>
  member === '' ? refused(400, 'the body is not a JSON object') : wrong(member);
const NO_ROUTE = refused(404, 'there is no such route');
export const TOO_LARGE = refused(413, 'the body is too large');
