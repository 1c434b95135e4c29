// Refunds of captured amounts, in any number of parts. Some end later, as the card or the control says.
import { DAY_MS } from '../../../core/durations.ts';
import { type Charge, type Refund, find, keep } from '../books.ts';
import { invalid } from '../errors.ts';
import { type Form, amountIn, metadataIn, oneOf, textIn } from '../form.ts';
import { chargeView, refundView } from '../views.ts';
import type { World } from '../world.ts';

export function makeRefund(world: World, account: string, form: Form): Refund {
  const charge = chargeOf(world, account, form);
  const left = charge.amount - charge.amount_refunded;
  const reason = oneOf(form, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null;
  if (charge.disputed) throw invalid('charge_disputed', `Charge ${charge.id} has been charged back.`);
  if (left === 0) throw invalid('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  const amount = amountIn(form, 'amount') ?? left;
  if (amount > left)
    throw invalid(null, `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount');
  const { refund: way } = charge.method.behaviour;
  const [id, created, metadata] = [world.id('re'), world.now_s(), metadataIn(form)];
  const status = way === 'pending_first' ? 'pending' : 'succeeded';
  const refund = keep<Refund>(world.books.refunds, {
    id,
    account,
    created,
    charge,
    amount,
    reason,
    metadata,
    status,
    of_hold: false,
  });
  charge.amount_refunded += amount;
  world.tell({ type: 'refund.created', object: refundView(refund), account });
  world.tell({ type: 'charge.refunded', object: chargeView(charge), account });
  const end = way === 'pending_first' ? 'succeeded' : 'failed';
  if (way !== undefined)
    world.books.agenda.push({ at_ms: world.now_ms() + DAY_MS, run: () => endRefund(world, refund, end) });
  return refund;
}

function chargeOf(world: World, account: string, form: Form): Charge {
  const [intent_id, charge_id] = [textIn(form, 'payment_intent'), textIn(form, 'charge')];
  const charge =
    intent_id === undefined
      ? find(world.books.charges, charge_id ?? '', { account, what: 'charge', param: 'charge' })
      : find(world.books.intents, intent_id, { account, what: 'payment_intent', param: 'payment_intent' }).charge;
  if (charge?.captured !== true)
    throw invalid(null, `This PaymentIntent (${intent_id ?? ''}) does not have a successful charge to refund.`);
  return charge;
}

/**
 * In this version of the API what is not captured is a refund of its own:
 * docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow.
 */
export function giveBackHeld(world: World, charge: Charge): void {
  const { account } = charge;
  const amount = charge.amount - charge.amount_captured;
  if (charge.failure !== null || amount === 0) return;
  charge.amount_refunded += amount;
  const of = { id: world.id('re'), account, created: world.now_s(), charge, amount };
  const refund: Refund = { ...of, reason: null, metadata: {}, status: 'succeeded', of_hold: true };
  keep(world.books.refunds, refund);
  world.tell({ type: 'refund.created', object: refundView(refund), account });
  world.tell({ type: 'charge.refunded', object: chargeView(charge), account });
}

export function endRefund(world: World, refund: Refund, status: 'succeeded' | 'failed' | 'canceled'): void {
  const before = { status: refund.status };
  if (before.status === status || before.status === 'failed' || before.status === 'canceled') return;
  refund.status = status;
  if (status !== 'succeeded') refund.charge.amount_refunded -= refund.amount;
  const told = { object: refundView(refund), account: refund.account, before };
  world.tell({ type: 'refund.updated', ...told });
  world.tell({ type: 'charge.refund.updated', ...told });
}
