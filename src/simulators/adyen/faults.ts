// Faults for the next call: the control arms a fault, and the first call that matches it takes it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Said, isObject, objectIn } from '../said.ts';
import { type Reply, refused } from './said.ts';

export const OPERATIONS = [
  'payments',
  'details',
  'captures',
  'refunds',
  'cancels',
  'reversals',
  'technical',
  'retrieveApplicableDefenseReasons',
  'supplyDefenseDocument',
  'defendDispute',
  'acceptDispute',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/**
 * `half`: a part of the answer, then the connection ends. Faults that change an answer come after the effect of the
 * call.
 */
const WAYS = [
  'close',
  'error',
  'html',
  'half',
  'silence',
  'too_many',
  'credentials',
  'rights',
  'amount',
  'currency',
  'reference',
] as const;
type Way = (typeof WAYS)[number];

export type Fault = {
  readonly on: Operation | 'any';
  readonly how: Way;
  /** True: the call has its effect although its answer is wrong or missing. */
  readonly effect: boolean;
  readonly times: number;
};

const WITHOUT_EFFECT = new Set<Way>(['too_many', 'credentials', 'rights']);
const WITH_EFFECT = new Set<Way>(['half', 'amount', 'currency', 'reference']);

/** Undefined if there is no such fault. */
export function faultOf({ on = 'any', how, effect = false, times = 1 }: Said): Fault | undefined {
  const place = [...OPERATIONS, 'any' as const].find((name) => name === on);
  const way = WAYS.find((name) => name === how);
  if (place === undefined || way === undefined || typeof times !== 'number') return undefined;
  const has_effect = WITH_EFFECT.has(way) || (effect === true && !WITHOUT_EFFECT.has(way));
  return { on: place, how: way, effect: has_effect, times };
}

/** Takes the first fault that matches, and counts it once. */
export function takeFault(armed: Fault[], operation: Operation): Fault | undefined {
  const index = armed.findIndex(({ on }) => on === operation || on === 'any');
  const fault = armed[index];
  if (fault === undefined) return undefined;
  if (fault.times > 1) armed[index] = { ...fault, times: fault.times - 1 };
  else armed.splice(index, 1);
  return fault;
}

type Line = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** Sends an answer, changed as the fault says. */
export function leave({ request, response }: Line, reply: Reply, how: Way | undefined): void {
  switch (how) {
    case 'close':
      request.socket.destroy();
      return;
    case 'silence':
      return;
    case 'error':
      return write(response, refused(500, '905', ['Payment details are not supported', 'configuration']));
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Bad Gateway</body></html>');
      return;
    case 'half': {
      const text = JSON.stringify(reply.said);
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(text.slice(0, text.length / 2));
      return;
    }
    case 'too_many':
      return write(response, refused(429, '000', ['Too many requests']), { 'retry-after': '30' });
    case 'credentials':
      return write(response, refused(401, '000', ['HTTP Status Response - Unauthorized', 'security']));
    case 'rights':
      return write(response, refused(403, '010', ['Not allowed', 'security']));
    case 'amount':
    case 'currency':
    case 'reference':
      return write(response, { ...reply, said: spoilt(reply.said, how) });
    case undefined:
      return write(response, reply);
  }
}

function spoilt(said: Said, how: 'amount' | 'currency' | 'reference'): Said {
  const amount = objectIn(said, 'amount');
  if (how === 'reference') return { ...said, merchantReference: 'somebody-else' };
  if (!isObject(said['amount']) || typeof amount['value'] !== 'number') return said;
  return {
    ...said,
    amount: how === 'amount' ? { ...amount, value: amount['value'] + 1 } : { ...amount, currency: 'AED' },
  };
}

export function write(
  response: ServerResponse,
  { status, said }: Reply,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json;charset=UTF-8', ...headers })
    .end(JSON.stringify(said));
}
