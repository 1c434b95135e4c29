// Captures, refunds and cancels: a request is accepted at once, done when a control asks for it, and reported by a
// message.
import { DAY_MS } from '../../core/durations.ts';
import type { Books, Modification, ModificationKind, Payment } from './books.ts';
import { tell, tellModification } from './messages.ts';
import { type Call, amountOf, settle } from './payments.ts';
import type { Said } from '../said.ts';
import { type Reply, refused, textIn } from './said.ts';

const WITH_MONEY = new Set<ModificationKind>(['capture', 'refund']);
const DAYS_LATER_MS = 3 * DAY_MS;

/** Answers `received`, whether or not the modification will succeed. */
export function take({ books, account, said }: Call, kind: Exclude<ModificationKind, 'technical'>, psp: string): Reply {
  const { merchant_account } = account;
  const payment = books.payments.get(psp);
  const amount = WITH_MONEY.has(kind) ? amountOf(said) : undefined;
  if (payment?.account !== merchant_account)
    return refused(422, '167', ['Original pspReference required for this operation']);
  if (WITH_MONEY.has(kind) && amount === undefined)
    return refused(422, '100', ["Required object 'amount' is not provided."]);
  if (amount && amount.value === 0) return refused(422, '137', ['Invalid amount specified']);
  const made = books.keepModification({
    psp: books.pspReference(),
    kind,
    account: merchant_account,
    payment: psp,
    payment_reference: payment.reference,
    reference: textIn(said, 'reference'),
    amount,
    at_ms: books.now(),
    state: 'received',
    reason: '',
  });
  const repeated = pick(said, ['reference', 'capturePspReference', 'merchantRefundReason']);
  const answer = {
    merchantAccount: merchant_account,
    paymentPspReference: psp,
    pspReference: made.psp,
    status: 'received',
  };
  return { status: 201, said: { ...answer, ...repeated, ...(amount && { amount }) } };
}

/** Takes a cancel by the merchant's own reference, which may be unknown here. */
export function takeTechnical({ books, account, said }: Call): Reply {
  const { merchant_account } = account;
  const payment_reference = textIn(said, 'paymentReference');
  if (payment_reference === '') return refused(422, '167', ['Required field paymentReference']);
  const made = books.keepModification({
    psp: books.pspReference(),
    kind: 'technical',
    account: merchant_account,
    payment: undefined,
    payment_reference,
    reference: textIn(said, 'reference'),
    amount: undefined,
    at_ms: books.now(),
    state: 'received',
    reason: '',
  });
  const answer = { merchantAccount: merchant_account, paymentReference: payment_reference, pspReference: made.psp };
  return { status: 201, said: { ...answer, status: 'received', ...pick(said, ['reference']) } };
}

const pick = (said: Said, names: readonly string[]): Said =>
  Object.fromEntries(names.filter((name) => said[name] !== undefined).map((name) => [name, said[name]]));

/**
 * Completes all open payments and modifications, and what is due; `refuse`: the acquirer declines every modification.
 */
export function work(books: Books, refuse = false): void {
  for (const payment of books.payments.values()) if (payment.state === 'open') settle(books, payment);
  for (const modification of books.modifications.values()) {
    if (modification.state === 'received') workOn(books, modification, refuse);
  }
  for (const payment of books.lapsed()) lapse(books, payment);
  const due = books.agenda.filter(({ due_ms }) => due_ms <= books.now());
  for (const entry of due) {
    books.agenda.splice(books.agenda.indexOf(entry), 1);
    takeBack(books, entry.psp);
  }
}

function workOn(books: Books, modification: Modification, refuse: boolean): void {
  const payment =
    modification.kind === 'technical' ? found(books, modification) : books.payments.get(modification.payment ?? '');
  const reason = refuse
    ? 'Refused by the acquirer'
    : payment
      ? MOVES[modification.kind](payment, modification)
      : NOTHING;
  const state = reason === undefined ? 'done' : 'refused';
  const worked = {
    ...modification,
    payment: modification.payment ?? payment?.psp,
    state,
    reason: reason ?? '',
  } as const;
  const kept = books.keepModification(worked);
  const action = modification.kind === 'reversal' && payment?.state === 'cancelled' ? 'cancel' : 'refund';
  tellModification(books, kept, modification.kind === 'reversal' ? { 'modification.action': action } : undefined);
  const fails = payment?.cause.fails;
  if (state === 'done' && fails !== undefined && fails === kept.kind)
    books.agenda.push({ due_ms: books.now() + DAYS_LATER_MS, psp: kept.psp });
}

/** Finds a held payment without captures. A payment that arrives after its cancel is still accepted. */
function found(books: Books, { account, payment_reference }: Modification): Payment | undefined {
  return books
    .byReference(account, payment_reference)
    .find(({ state, captured }) => state === 'held' && captured === 0);
}

const NOTHING = 'Nothing to cancel under this reference';
const TOO_MUCH = 'Insufficient balance on payment';

/** Does the modification, or returns why it is refused. */
const MOVES: Readonly<Record<ModificationKind, (payment: Payment, modification: Modification) => string | undefined>> =
  {
    capture: (payment, { amount }) => {
      if (payment.state !== 'held') return 'Transaction is not authorised';
      if (amount?.currency !== payment.amount.currency) return 'Currency differs from the authorised one';
      if (amount.value > payment.held - payment.captured) return TOO_MUCH;
      payment.captured += amount.value;
      return undefined;
    },
    refund: (payment, { amount }) => {
      if (payment.captured === 0) return "Transaction hasn't been captured, refund not possible";
      if (amount?.currency !== payment.amount.currency) return 'Currency differs from the captured one';
      if (amount.value > payment.captured - payment.refunded) return TOO_MUCH;
      payment.refunded += amount.value;
      return undefined;
    },
    cancel: release,
    technical: release,
    reversal: (payment) => {
      if (payment.captured === 0) return release(payment);
      payment.refunded = payment.captured;
      return undefined;
    },
  };

function release(payment: Payment): string | undefined {
  if (payment.state !== 'held') return 'Transaction is not authorised';
  if (payment.captured > 0) return 'Transaction has been captured';
  payment.state = 'cancelled';
  return undefined;
}

function lapse(books: Books, payment: Payment): void {
  payment.state = 'expired';
  const { account, psp, reference, amount, brand } = payment;
  tell(books, account, { code: 'EXPIRE', success: true, psp, reference, amount, method: brand });
}

/** A capture or refund that was done fails after all. False if there is no such capture or refund. */
export function takeBack(books: Books, psp: string): boolean {
  const one = books.modifications.get(psp);
  const payment = books.payments.get(one?.payment ?? '');
  if (one?.state !== 'done' || one.amount === undefined || payment === undefined) return false;
  if (one.kind === 'capture') payment.captured -= one.amount.value;
  else payment.refunded -= one.amount.value;
  books.keepModification({ ...one, state: 'failed', reason: 'Failed later' });
  tell(books, one.account, {
    code: one.kind === 'capture' ? 'CAPTURE_FAILED' : 'REFUND_FAILED',
    success: true,
    psp,
    original: payment.psp,
    reference: one.reference,
    amount: one.amount,
    method: payment.brand,
    reason: one.kind === 'capture' ? 'Capture Failed' : 'Refund Failed',
  });
  return true;
}
