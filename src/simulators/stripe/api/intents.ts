// Payment intents: they are made, confirmed, captured once, or cancelled.
import { type Intent, find, keep } from '../books.ts';
import { invalid } from '../errors.ts';
import { type Form, amountIn, metadataIn, oneOf, required, textIn } from '../form.ts';
import { chargeView } from '../views.ts';
import type { World } from '../world.ts';
import { confirm, disputeByCard, readOptions, refusedState, release, tellIntent } from './confirm.ts';
import { methodFor } from './methods.ts';
import { giveBackHeld } from './refunds.ts';

const CURRENCY = /^[a-z]{3}$/i;
const CANCELLABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture'];
const REASONS = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'];

export function makeIntent(world: World, account: string, form: Form): Intent {
  const [amount, currency] = [amountIn(form, 'amount'), required(form, 'currency')];
  if (amount === undefined) throw invalid('parameter_missing', 'Missing required param: amount.', 'amount');
  if (!CURRENCY.test(currency)) throw invalid(null, `Invalid currency: ${currency}.`, 'currency');
  const capture_method = oneOf(form, 'capture_method', ['automatic', 'manual']);
  const customer = textIn(form, 'customer') ?? null;
  const intent = keep<Intent>(world.books.intents, {
    id: world.id('pi'),
    account,
    created: world.now_s(),
    amount,
    currency: currency.toLowerCase(),
    capture_method: capture_method === 'manual' ? 'manual' : 'automatic',
    metadata: metadataIn(form),
    status: 'requires_payment_method',
    method: null,
    customer: customer === null ? null : customerOf(world, account, customer),
    charge: null,
    last_payment_error: null,
    return_url: null,
    setup_future_usage: oneOf(form, 'setup_future_usage', ['off_session', 'on_session']) ?? null,
    wanted: { three_ds: null, network: null, moto: false },
    canceled_at: null,
    cancellation_reason: null,
  });
  tellIntent(world, intent, 'created');
  putMethodOn(world, intent, form);
  if (textIn(form, 'confirm') === 'true') confirm(world, intent, form);
  return intent;
}

const customerOf = (world: World, account: string, id: string): string =>
  find(world.books.customers, id, { account, what: 'customer', param: 'customer' }).id;

function putMethodOn(world: World, intent: Intent, form: Form): void {
  const id = textIn(form, 'payment_method');
  if (id === undefined) return;
  intent.method = methodFor(world, id, intent);
  readOptions(intent, intent.method, form);
  intent.status = 'requires_confirmation';
}

export function changeIntent(world: World, intent: Intent, form: Form): void {
  if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_confirmation')
    throw refusedState(world, intent, 'updated');
  const customer = textIn(form, 'customer');
  if (customer !== undefined) intent.customer = customerOf(world, intent.account, customer);
  Object.assign(intent.metadata, metadataIn(form));
  putMethodOn(world, intent, form);
}

export function capture(world: World, intent: Intent, form: Form): void {
  const { charge } = intent;
  const amount = amountIn(form, 'amount_to_capture') ?? intent.amount;
  if (intent.status !== 'requires_capture' || charge === null) throw refusedState(world, intent, 'captured');
  if (amount > intent.amount)
    throw invalid(
      'amount_too_large',
      `You cannot capture more than the authorized amount of ${intent.amount}.`,
      'amount_to_capture',
    );
  [charge.captured, charge.amount_captured, intent.status] = [true, amount, 'succeeded'];
  world.tell({ type: 'charge.captured', object: chargeView(charge), account: intent.account });
  giveBackHeld(world, charge);
  tellIntent(world, intent, 'succeeded');
  disputeByCard(world, charge);
}

export function cancel(world: World, intent: Intent, form: Form): void {
  const reason = oneOf(form, 'cancellation_reason', REASONS) ?? null;
  if (!CANCELLABLE.includes(intent.status)) throw refusedState(world, intent, 'canceled');
  release(world, intent, reason);
  tellIntent(world, intent, 'canceled');
}
