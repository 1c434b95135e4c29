// Finds the operation and the caller of a request, and whether the request was answered before.
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Books } from './books.ts';
import { DISPUTES, disputeCall } from './disputes.ts';
import { OPERATIONS, type Operation } from './faults.ts';
import { take, takeTechnical } from './modifications.ts';
import { type Call, details, pay } from './payments.ts';
import { parse } from '../said.ts';
import { type Reply, refused, textIn } from './said.ts';

export type Found = { readonly name: Operation; readonly psp: string };

/** Undefined if there is no such route. */
export function operationOf(method: string, path: string): Found | undefined {
  if (method !== 'POST') return undefined;
  if (path.startsWith(DISPUTES)) {
    const called = OPERATIONS.find((one) => one === path.slice(DISPUTES.length));
    return called && { name: called, psp: '' };
  }
  const fixed = FIXED.get(path);
  if (fixed !== undefined) return { name: fixed, psp: '' };
  const [, psp = '', name] = /^\/v72\/payments\/([^/]+)\/(captures|refunds|cancels|reversals)$/.exec(path) ?? [];
  const change = CHANGES.find((one) => one === name);
  return change && { name: change, psp: decodeURIComponent(psp) };
}

const FIXED: ReadonlyMap<string, Operation> = new Map([
  ['/v72/payments', 'payments'],
  ['/v72/payments/details', 'details'],
  ['/v72/cancels', 'technical'],
]);
const CHANGES = ['captures', 'refunds', 'cancels', 'reversals'] as const;
const KINDS = { captures: 'capture', refunds: 'refund', cancels: 'cancel', reversals: 'reversal' } as const;

/** Requests of the Disputes API carry documents, so they may be longer. */
export const isLong = (path: string): boolean => path.startsWith(DISPUTES);

type Heard = {
  readonly operation: Found;
  readonly pathname: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  /** The address of the bank's page. */
  page(id: string): string;
};

export function answerTo(books: Books, heard: Heard): Reply {
  const { operation, body, pathname, headers } = heard;
  const api_key = headers['x-api-key'];
  const said = parse(body);
  const of_key = [...books.accounts.values()].filter((one) => one.api_key === api_key);
  if (of_key.length === 0) return refused(401, '000', ['HTTP Status Response - Unauthorized', 'security']);
  if (said === undefined) return refused(400, '702', ['Unexpected input']);
  const named = textIn(said, pathname.startsWith(DISPUTES) ? 'merchantAccountCode' : 'merchantAccount');
  // a request for the details of a payment names no account
  const account = of_key.find((one) => one.merchant_account === named || operation.name === 'details');
  if (account === undefined) return refused(403, '901', ['Invalid Merchant Account', 'security']);
  const key = headers['idempotency-key'];
  if (typeof key !== 'string') return perform({ books, account, said }, heard);
  if (key.length > 64) return refused(422, '704', ['The idempotency key is too long']);
  // the body holds a card, so only a digest of the body is kept
  const digest = createHash('sha256').update(body).digest('base64');
  const of_caller = `${account.api_key} ${key}`;
  const before = books.answered(of_caller, pathname, digest);
  if (before === 'other') return refused(422, '704', ['request already processed or in progress']);
  if (before !== undefined) return { status: before.status, said: parse(before.said) ?? {} };
  const reply = perform({ books, account, said }, heard);
  books.answer(of_caller, { path: pathname, digest, status: reply.status, said: JSON.stringify(reply.said) });
  return reply;
}

function perform(call: Call, { operation: { name, psp }, page }: Heard): Reply {
  switch (name) {
    case 'payments':
      return pay(call, page);
    case 'details':
      return details(call);
    case 'technical':
      return takeTechnical(call);
    case 'captures':
    case 'refunds':
    case 'cancels':
    case 'reversals':
      return take(call, KINDS[name], psp);
    case 'retrieveApplicableDefenseReasons':
    case 'supplyDefenseDocument':
    case 'defendDispute':
    case 'acceptDispute':
      return disputeCall(name, { ...call, account: call.account.merchant_account });
  }
}
