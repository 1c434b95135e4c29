// florin review settle: a person says what became of an operation that nothing else could prove, and why (contract
// 14.1). Above a set amount two people must say the same. What they say is stored first, then decided and committed as
// any observation.
import { holdsCardNumber } from '../../../core/card.ts';
import { isId } from '../../../core/ids.ts';
import { RESOLUTION_LENGTH } from '../../../core/people/limits.ts';
import type { TwoPeopleAbove } from '../../../core/people/two-people.ts';
import { type TenantRunner, withTransaction } from '../../../kit/database.ts';
import type { Tools } from '../../tools.ts';
import { NOTHING_SAID, type Seen, isFinal } from '../decide/decision.ts';
import { type OperationFacts, type OrderFacts, providerNameOf } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { isSentSince } from '../engine/queue-store.ts';
import { record } from '../engine/record.ts';
import { asPassed, passedAt, policyOf } from '../engine/recovery/waits.ts';
import { NOT_DONE, contradictionOf } from './end-contradiction.ts';
import { settleContradicted, whyNot } from './contradicted.ts';
import { type ResolutionRow, findResolutions, findWhere, insertResolution } from './review-store.ts';

export type Resolution = {
  readonly operation_id: string;
  readonly as: 'done' | 'not-done';
  readonly reason: string;
  readonly by: string;
  /** The provider's own id of it, where it is not known here: a later capture or refund works on it. */
  readonly provider_ref?: string | undefined;
  /** The person behind `by`, if they proved who they are a short time ago; only such people count as two. */
  readonly person_id?: string | undefined;
  readonly two_people_above: TwoPeopleAbove;
  /** Why this person cannot be the second one after another (a person's id); undefined: they can. */
  whyNoSecond?(first: string): Promise<string | undefined>;
  /** Done in the commit that keeps what was said, and again in the one that settles. */
  readonly also?: (tx: TenantRunner, what: 'ruled' | 'settled') => Promise<void>;
};

export type Resolved =
  | { readonly kind: 'settled'; readonly order: OrderFacts; readonly operation: OperationFacts }
  /** Another person must say the same; what others said so far is other. */
  | {
      readonly kind: 'waits';
      readonly order: OrderFacts;
      readonly operation: OperationFacts;
      readonly others: readonly ResolutionRow[];
      /** Why those who said the same do not count. */
      readonly reasons: readonly string[];
    };

/** Why an operation cannot be settled so, and what to do instead. */
export class CannotSettle extends Error {
  /** The field that is wrong or missing; undefined: the operation itself is the problem. */
  readonly field: 'provider_ref' | 'proof' | undefined;

  constructor(message: string, field?: 'provider_ref' | 'proof') {
    super(message);
    this.field = field;
  }
}

/** The texts of a ruling: their lengths in characters, after trimming. */
export const RESOLUTION_FIELDS = {
  reason: RESOLUTION_LENGTH,
  by: 254,
  provider_ref: /^[\x21-\x7E]{1,100}$/,
} as const;

export async function resolveByHand(tools: Tools, ruling: Resolution): Promise<Resolved> {
  const { operation_id, as, by } = ruling;
  refuseWords(ruling);
  const where = await findWhere(tools.db, operation_id);
  if (!where) throw new CannotSettle(`Nothing is in doubt under the id ${operation_id}.`);
  const db = tools.db.tenant(where.merchant_account_id);
  const order = await findOrder(db, where.order_id);
  const operation = order?.operations.find(({ id }) => id === operation_id);
  if (!order || !operation) throw new CannotSettle(`Nothing is in doubt under the id ${operation_id}.`);
  const open = contradictionOf(order, operation_id);
  const rulings = await findResolutions(db, operation_id);
  // what was said before the provider contradicted it was said of something else
  const before = open ? rulings.filter(({ at }) => at.getTime() >= Date.parse(open.opened_at)) : rulings;
  refuseOperation(tools, { order, operation, ruling, before });
  const words = { ruling: as, reason: ruling.reason.trim(), provider_ref: ruling.provider_ref ?? null };
  // what was said of an earlier sending was said of something else, too
  const from_ms = !open && as === 'not-done' ? quietFrom(tools, order, operation) : 0;
  const others = before.filter((row) => row.at.getTime() >= from_ms && !isSamePerson(row, ruling));
  const two = operation.amount_minor > ruling.two_people_above(order.currency);
  if (two && ruling.person_id === undefined)
    throw new CannotSettle('The amount takes two people, and each must prove who they are.', 'proof');
  const { second, reasons } = two
    ? await findSecond(
        ruling,
        others.filter((other) => isSame(other, words)),
      )
    : NO_SECOND;
  await withTransaction(tools.db, where.merchant_account_id, async (tx) => {
    await insertResolution(tx, {
      ...words,
      by_name: by.trim(),
      person_id: ruling.person_id ?? null,
      order_id: order.id,
      operation_id,
    });
    await ruling.also?.(tx, 'ruled');
  });
  if (two && !second) return { kind: 'waits', order, operation, others, reasons };
  const names = two && second ? `${second.by_name} and ${by.trim()}` : by.trim();
  const provider_ref = words.provider_ref ?? open?.provider_ref ?? null;
  const outcome = outcomeOf(order, operation, { as, provider_ref });
  const also = async (tx: TenantRunner) => {
    // what is on its way may be done all the same
    if (!open && as === 'not-done' && (await isSentSince(tx, { order_id: order.id, operation })))
      throw new CannotSettle('The operation was sent once more at this moment. Look again what became of it.');
    await ruling.also?.(tx, 'settled');
  };
  if (open) {
    const ended = await settleContradicted(tools, order, { operation, ruling: { as, outcome, also } });
    if (!ended) throw new CannotSettle(FORBIDDEN);
    const now = ended.operations.find(({ id }) => id === operation_id) ?? operation;
    return { kind: 'settled', order: ended, operation: now };
  }
  const after = await record(tools, order, {
    operation,
    observation: { source: 'operator', outcome, reason: `${words.reason} (${names})` },
    policy: { in_flight_over: true, review_due: false },
    also,
  });
  const settled = after.operations.find(({ id }) => id === operation_id);
  if (!settled || settled.state === operation.state)
    throw new CannotSettle(
      'The operation moved meanwhile, or what you say contradicts what is known. What is final stays as it is.',
    );
  return { kind: 'settled', order: after, operation: settled };
}

const FORBIDDEN =
  'This cannot be booked beside what stands here: another order of the checkout is live by now, or it was booked and booked back before. Settle it the other way, and correct the rest at the provider.';

type Second = { readonly second: ResolutionRow | undefined; readonly reasons: readonly string[] };
const NO_SECOND: Second = { second: undefined, reasons: [] };

/** The first of those who said the same after whom this person can be the second. */
async function findSecond({ whyNoSecond }: Resolution, same: readonly ResolutionRow[]): Promise<Second> {
  const reasons: string[] = [];
  for (const one of same) {
    if (one.person_id === null) continue;
    const why = await whyNoSecond?.(one.person_id);
    if (why === undefined) return { second: one, reasons };
    reasons.push(why);
  }
  return { second: undefined, reasons };
}

function refuseWords({ operation_id, reason, by, provider_ref }: Resolution): void {
  const { reason: room, by: most, provider_ref: form } = RESOLUTION_FIELDS;
  const wrong: string[] = [];
  const said = reason.trim().length;
  if (!isId(operation_id)) wrong.push('the operation must be named by its 24 hex digits');
  if (said < room.least || said > room.most)
    wrong.push(`the reason must say in ${room.least} to ${room.most} characters how it was proved`);
  if (holdsCardNumber(reason)) wrong.push('the reason must hold no card number: it is kept for good');
  if (by.trim() === '' || by.trim().length > most) wrong.push(`your name must have 1 to ${most} characters`);
  if (provider_ref !== undefined && !form.test(provider_ref))
    wrong.push("the reference must be the provider's id, 1 to 100 printable characters");
  if (wrong.length > 0) throw new CannotSettle(`This cannot be taken:\n${wrong.map((one) => `  - ${one}`).join('\n')}`);
}

type ResolutionRequest = {
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly ruling: Resolution;
  readonly before: readonly ResolutionRow[];
};

function refuseOperation(tools: Tools, { order, operation, ruling, before }: ResolutionRequest): void {
  const { kind, state, id } = operation;
  const who = before.map(({ by_name, at }) => `${by_name} at ${at.toISOString()}`).join(', ');
  if (contradictionOf(order, id)) {
    const why = whyNot(order, operation, ruling);
    if (why) throw new CannotSettle(why.message, why.field);
    return;
  }
  if (isFinal(operation))
    throw new CannotSettle(
      `The ${kind} is ${state} and stays so${who === '' ? '' : `; it was ruled on by ${who}`}. ${AFTER_END[kind]}`,
    );
  if (state === 'reversing') {
    const reversal = order.operations.find((o) => o.kind === 'reversal' && o.target_id === id && !isFinal(o));
    throw new CannotSettle(
      `The authorization is being undone. Settle its reversal ${reversal?.id ?? ''} as done once the provider shows that nothing is held.`,
    );
  }
  // a reversal that never reaches the provider is repeated as requested, for as long as that lasts
  if (state === 'requested' && kind !== 'reversal')
    throw new CannotSettle(
      `The ${kind} is under way, not in doubt. Wait: it ends by itself, or is in doubt within a minute.`,
    );
  if (kind === 'cancel' && order.winner_id === null)
    throw new CannotSettle('The cancel waits for its authorization and was never sent. Settle the authorization.');
  if (kind === 'reversal' && ruling.as === 'not-done')
    throw new CannotSettle(
      'A reversal is repeated until the provider acknowledges it. Have the provider release the hold, then settle it as done.',
    );
  const wants_reference = ruling.as === 'done' && (kind === 'authorize' || kind === 'capture');
  if (wants_reference && operation.provider_ref === null && ruling.provider_ref === undefined)
    throw new CannotSettle(
      `The provider's own id of the ${kind} is not known here, and later captures and refunds need it. Give it as the reference.`,
      'provider_ref',
    );
  refuseEarly(tools, { order, operation, ruling });
}

/** Refuses an early ruling: the provider may still do what it has not done yet. */
function refuseEarly(tools: Tools, { order: read, operation, ruling }: Omit<ResolutionRequest, 'before'>): void {
  const order = asPassed(tools, read);
  const provider = tools.providers.get(providerNameOf(order, operation));
  // nothing is held so far: what the reversal undoes could still be held after it
  if (operation.kind === 'reversal' && provider && !policyOf(order, operation, provider).in_flight_over)
    throw new CannotSettle(
      `The authorization may still arrive at ${provider.name}. Look there again in ${provider.can.in_flight_s} seconds, then settle its reversal as done.`,
    );
  const until = quietFrom(tools, order, operation);
  if (ruling.as === 'not-done' && passedAt(order) < until)
    throw new CannotSettle(
      `${providerNameOf(order, operation)} may still do it until ${new Date(until).toISOString()}. Say again then that it is not done.`,
    );
}

/** From then on nothing of the last sending is on its way any more; in milliseconds. */
function quietFrom(tools: Tools, order: OrderFacts, operation: OperationFacts): number {
  const in_flight_s = tools.providers.get(providerNameOf(order, operation))?.can.in_flight_s ?? 0;
  return Date.parse(operation.sent_at ?? operation.created_at) + in_flight_s * 1000;
}

const AFTER_END: Readonly<Record<OperationFacts['kind'], string>> = {
  authorize: 'What is held can be cancelled, what is captured refunded.',
  capture: 'What was captured can be refunded; a capture that failed can be asked for again.',
  refund: 'A refund that failed can be asked for again.',
  cancel: 'A cancel that failed can be asked for again.',
  reversal: 'Look at the authorization that it undid.',
};

/** A sale whose capture has no reference of its own is known by that of the sale. */
function outcomeOf(
  order: OrderFacts,
  operation: OperationFacts,
  { as, provider_ref }: { as: Resolution['as']; provider_ref: string | null },
): Seen {
  const { id, kind, target_id, amount_minor, with_capture } = operation;
  const reference = provider_ref ?? operation.provider_ref ?? '';
  if (kind === 'reversal') return { kind: 'reversed', reference, our_reference: target_id ?? '' };
  if (as === 'not-done') {
    const declined = { kind: 'declined', reference: operation.provider_ref, ...NOTHING_SAID } as const;
    return { ...declined, result: NOT_DONE[kind] };
  }
  return {
    kind: 'approved',
    reference,
    our_reference: id,
    amount_minor,
    currency: order.currency,
    authorization_code: '',
    captured: with_capture,
    ...NOTHING_SAID,
  };
}

const isSamePerson = ({ person_id, by_name }: ResolutionRow, { by, person_id: own }: Resolution): boolean =>
  person_id === null || own === undefined
    ? by_name.trim().toLowerCase() === by.trim().toLowerCase()
    : person_id === own;

const isSame = (a: Pick<ResolutionRow, 'ruling' | 'reason' | 'provider_ref'>, b: typeof a): boolean =>
  a.ruling === b.ruling && a.reason === b.reason && a.provider_ref === b.provider_ref;
