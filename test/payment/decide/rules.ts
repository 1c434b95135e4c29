// What must hold of every order after every step, whatever happened before.
import {
  ORDER_STATUSES,
  type OperationState,
  type OrderStatus,
  isOrderStatus,
  mayMove,
} from '../../../src/core/states.ts';
import {
  type Decision,
  type Policy,
  type PostingLine,
  type Seen,
  isFinal,
} from '../../../src/payment/order/decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../../../src/payment/order/facts/order-facts.ts';
import type { Model } from './apply.ts';

const OPEN: readonly OperationState[] = ['requested', 'in_doubt', 'review'];

/** Moves of an operation, written down again, to be compared with payment.step_ok. */
export function stepOk(kind: OperationFacts['kind'], was: OperationState, becomes: OperationState): boolean {
  if (was === becomes) return true;
  if (OPEN.includes(was) && becomes === 'reversing') return kind === 'authorize';
  if (was === 'requested' && becomes === 'in_doubt') return true;
  if (OPEN.includes(was)) return ['successful', 'declined', 'not_sent', 'review'].includes(becomes);
  if (was === 'reversing') return becomes === 'declined' || becomes === 'review';
  return was === 'successful' && becomes === 'declined' && (kind === 'capture' || kind === 'refund');
}

export type Step = { readonly before: Model; readonly after: Model };

/** Models that keep every rule: most observations change nothing, and leave one of these as it is. */
const SOUND = new WeakSet<Model>();

/** Every rule; an error says which one is broken. */
export function check(step: Step): void {
  if (step.after === step.before && SOUND.has(step.after)) return;
  checkLimits(step.after.order);
  checkViews(step.after);
  checkPostings(step);
  checkOperations(step);
  checkEvents(step);
  SOUND.add(step.after);
}

export type Learnt = Step & {
  readonly operation_id: string;
  readonly decision: Decision;
  readonly seen: Seen;
  readonly policy: Policy;
};

/** The rules for what decide() answered to an observation. */
export function checkDecision(learnt: Learnt): void {
  check(learnt);
  const { before, after, decision, seen } = learnt;
  const was = operationOf(before, learnt.operation_id);
  const is = operationOf(after, learnt.operation_id);
  const corrected = isFinal(was) && was.state !== is.state;
  if (corrected) must(seen.kind === 'corrected', 'only a correction moves a final state');
  if (decision.kind === 'note') must(!isFinal(decision), 'a note never ends an operation');
  if (decision.kind === 'settle' && !corrected && isFollowUp(was) && is.state !== 'successful') {
    const released = was.kind === 'capture' && isFinal(is) && isBehindLast(before) ? was.amount_minor : 0n;
    const money = ({ authorized_minor, released_minor, captured_minor, refunded_minor }: OrderFacts, more = 0n) => [
      authorized_minor,
      released_minor + more,
      captured_minor,
      refunded_minor,
    ];
    must(
      same(money(before.order, released), money(after.order)),
      `a failed ${was.kind} changes nothing that stands, but what the last capture released`,
    );
    if (released === 0n) must(before.ledger.length === after.ledger.length, `a failed ${was.kind} books nothing`);
  }
  if (is.state === 'successful' && was.state !== 'successful') checkProof(was, before.order, seen);
  checkEnd(was, is, learnt);
}

const isBehindLast = ({ order }: Model) =>
  order.operations.some((o) => o.kind === 'capture' && o.final && o.state === 'successful');

/** Silence ends nothing, is not waited for longer than a day, and no late approval is forgotten. */
function checkEnd(was: OperationFacts, is: OperationFacts, { seen, policy, after }: Learnt): void {
  const ended = isFinal(is) && !isFinal(was);
  if (ended) must(!['unknown', 'pending', 'cancel_wanted'].includes(seen.kind), `"${seen.kind}" ends no ${was.kind}`);
  const too_early = seen.kind === 'not_found' && !(was.kind === 'reversal' && policy.in_flight_over);
  if (ended) must(!too_early, `"not found" does not end a ${was.kind} that may still come`);
  if (
    seen.kind === 'unknown' &&
    policy.review_due &&
    (OPEN as readonly string[]).includes(was.state) &&
    !waits(was, after)
  )
    must(is.state === 'review', 'after a day a person is asked');
  if (was.kind === 'authorize' && (was.state === 'declined' || was.state === 'not_sent') && seen.kind === 'approved') {
    const undone = after.order.operations.some((o) => o.kind === 'reversal' && o.target_id === was.id && !isFinal(o));
    must(undone, 'a late approval is undone');
  }
}

/** A cancel that waits for its authorization is never sent: nothing is seen of it. */
const waits = ({ kind }: OperationFacts, { order }: Model) => kind === 'cancel' && order.winner_id === null;

const isFollowUp = ({ kind }: OperationFacts) => kind === 'capture' || kind === 'refund' || kind === 'cancel';

const PROOFS: Readonly<Partial<Record<OperationFacts['kind'], readonly string[]>>> = {
  cancel: ['approved', 'reversed'],
  reversal: ['approved', 'reversed', 'not_found', 'declined'],
};

/** Successful only on a yes to exactly what was asked; a cancel or a reversal also when it is known to be undone. */
function checkProof(was: OperationFacts, order: OrderFacts, seen: Seen): void {
  const proofs = PROOFS[was.kind] ?? ['approved'];
  must(proofs.includes(seen.kind), `a ${was.kind} is not done by "${seen.kind}"`);
  if (seen.kind !== 'approved' && seen.kind !== 'reversed') return;
  const ours = was.kind === 'reversal' ? was.target_id : was.id;
  must(seen.our_reference === ours, `a ${was.kind} of another reference is never applied`);
  if (seen.kind === 'reversed') return;
  must(seen.amount_minor === was.amount_minor, `a ${was.kind} of another amount is never applied`);
  must(seen.currency === order.currency, `a ${was.kind} in another currency is never applied`);
}

function checkLimits(order: OrderFacts): void {
  const { amount_minor, authorized_minor, released_minor, capturing_minor, captured_minor } = order;
  const { refunding_minor, refunded_minor } = order;
  const all = [authorized_minor, released_minor, capturing_minor, captured_minor, refunding_minor, refunded_minor];
  must(
    all.every((minor) => minor >= 0n),
    'no counter is below zero',
  );
  must(authorized_minor <= amount_minor, 'never more authorized than asked');
  must(captured_minor + capturing_minor + released_minor <= authorized_minor, 'never more captured than authorized');
  must(refunded_minor + refunding_minor <= captured_minor, 'never more refunded than captured');
  must(!order.cancel_pending || capturing_minor === 0n, 'no capture while a cancel is undecided');
  must(order.live === ORDER_STATUSES[order.status].live, 'live says what the status says');
}

/** Counters, sum over operations and ledger are one and the same money. */
function checkViews({ order, ledger }: Model): void {
  const sum = (kind: OperationFacts['kind'], states: readonly OperationState[]) =>
    order.operations.reduce(
      (total, o) => (o.kind === kind && states.includes(o.state) ? total + o.amount_minor : total),
      0n,
    );
  const done = ['successful'] as const;
  const released = order.winner_id === null ? 0n : sum('cancel', done);
  const views: readonly (readonly [string, bigint, bigint])[] = [
    ['authorized', order.authorized_minor, sum('authorize', done)],
    ['released', order.released_minor, released],
    ['captured', order.captured_minor, sum('capture', done)],
    ['capturing', order.capturing_minor, sum('capture', OPEN)],
    ['refunded', order.refunded_minor, sum('refund', done)],
    ['refunding', order.refunding_minor, sum('refund', OPEN)],
    [
      'on hold',
      order.authorized_minor - order.released_minor - order.captured_minor,
      balance(ledger, 'authorized_hold'),
    ],
    ['payable', order.captured_minor, -balance(ledger, 'merchant_payable')],
    ['refunds', order.refunded_minor, balance(ledger, 'refunds')],
    ['receivable', order.captured_minor - order.refunded_minor, balance(ledger, 'provider_receivable')],
  ];
  const wrong = views.find(([, one, other]) => one !== other);
  if (wrong) throw new Error(`${wrong[0]}: ${wrong[1]} by one view, ${wrong[2]} by the other`);
}

export function balance(ledger: readonly PostingLine[], account: PostingLine['debit']): bigint {
  return ledger.reduce((sum, { debit, credit, amount_minor }) => {
    const debited = debit === account ? amount_minor : 0n;
    return sum + debited - (credit === account ? amount_minor : 0n);
  }, 0n);
}

function checkPostings({ before, after }: Step): void {
  const added = after.ledger.slice(before.ledger.length);
  must(same(before.ledger, after.ledger.slice(0, before.ledger.length)), 'nothing that is booked changes');
  const accounts = [...new Set(added.flatMap(({ debit, credit }) => [debit, credit]))];
  const total = accounts.reduce((sum, account) => sum + balance(added, account), 0n);
  must(total === 0n && added.every((line) => line.amount_minor > 0n && line.debit !== line.credit), 'postings balance');
  const keys = after.ledger.map(({ source, posting, line }) => `${source} ${posting} ${line}`);
  must(new Set(keys).size === keys.length, 'nothing is booked twice');
}

function checkOperations({ before, after }: Step): void {
  for (const was of before.order.operations) {
    const is = operationOf(after, was.id);
    must(stepOk(was.kind, was.state, is.state), `${was.kind} ${was.state} never becomes ${is.state}`);
    must(was.amount_minor === is.amount_minor && was.target_id === is.target_id, 'what was asked never changes');
  }
  const open = after.order.operations.filter((o) => o.kind === 'reversal' && !isFinal(o));
  must(new Set(open.map((o) => o.target_id)).size === open.length, 'one open reversal for an authorization');
  const undoing = after.order.operations.some((o) => o.kind === 'authorize' && o.state === 'reversing');
  must(!undoing || open.length > 0, 'what is being undone has a reversal under way');
  const open_cancel = after.order.operations.some((o) => o.kind === 'cancel' && !isFinal(o));
  must(open_cancel === after.order.cancel_pending, 'a cancel is pending while one is open, and only then');
}

/**
 * Moves that contract 7.2 and 8 allow and the table of 14.2 does not name: the capture of a sale is refused at once;
 * and after a capture or a cancel that failed, or a refund of a part, what is still on hold is captured, cancelled or
 * lapses.
 */
export const MOVES_BESIDES_THE_TABLE: ReadonlySet<string> = new Set([
  'authorization_successful -> capture_declined',
  'capture_declined -> authorization_cancel_requested',
  'capture_declined -> authorization_expired',
  'authorization_cancel_declined -> authorization_expired',
  'refund_successful -> capture_requested',
  'refund_declined -> capture_requested',
]);

/** Where one operation runs at a time the events are a walk through the table of contract 14.2. */
function checkEvents({ before, after }: Step): void {
  const events = after.order.events.slice(before.order.events.length);
  const last = events.at(-1);
  must(
    last === undefined ? before.order.status === after.order.status : last.type === after.order.status,
    'the status is the last event',
  );
  if (!after.one_at_a_time) return;
  for (const { from, to } of movesOf({ before, after }))
    must(mayMove(from, to) || MOVES_BESIDES_THE_TABLE.has(`${from} -> ${to}`), `${from} never becomes ${to}`);
}

/** The moves of the order's status that this step made. */
export function movesOf({ before, after }: Step): readonly { readonly from: OrderStatus; readonly to: OrderStatus }[] {
  let from = before.order.status;
  return after.order.events.slice(before.order.events.length).map(({ type }) => {
    if (!isOrderStatus(type)) throw new Error(`${type} is no status`);
    const move = { from, to: type };
    from = type;
    return move;
  });
}

function operationOf({ order }: Model, id: string): OperationFacts {
  const found = order.operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`operation ${id} has gone`);
  return found;
}

export function same(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, i) => value === other[i]);
}

function must(holds: boolean, rule: string): void {
  if (!holds) throw new Error(rule);
}
