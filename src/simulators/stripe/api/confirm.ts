// A confirmation: the bank may first ask the payer to authenticate; then it holds or takes the money, or declines.
import { DAY_MS } from '../../../core/durations.ts';
import { type Charge, type Intent, type Method, keep } from '../books.ts';
import { type Decline, declineBy } from '../cards.ts';
import { type ErrorBody, cardError, invalid, unexpectedState } from '../errors.ts';
import { type Form, oneOf, textIn } from '../form.ts';
import { chargeView, disputeView, intentView, methodView } from '../views.ts';
import type { World } from '../world.ts';
import { methodFor } from './methods.ts';
import { giveBackHeld } from './refunds.ts';

/** The shortest time that Stripe gives for an answer to a dispute. */
const ANSWER_S = (7 * DAY_MS) / 1000;
const HOLD_MS = 7 * DAY_MS;
const PROCESSING_MS = 60_000;
const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
const OPTION = 'payment_method_options[card]';

export function confirm(world: World, intent: Intent, form: Form): void {
  if (!OPEN.includes(intent.status)) throw refusedState(world, intent, 'confirmed');
  const named = textIn(form, 'payment_method');
  if (named !== undefined) intent.method = methodFor(world, named, intent);
  const { method } = intent;
  if (method === null)
    throw invalid('parameter_missing', 'A payment method is needed to confirm this PaymentIntent.', 'payment_method');
  const return_url = textIn(form, 'return_url');
  if (return_url !== undefined && !URL.canParse(return_url))
    throw invalid('url_invalid', 'Not a valid URL', 'return_url');
  intent.return_url = return_url ?? intent.return_url;
  intent.setup_future_usage =
    oneOf(form, 'setup_future_usage', ['off_session', 'on_session']) ?? intent.setup_future_usage;
  readOptions(intent, method, form);
  const off_session = textIn(form, 'off_session') !== undefined && textIn(form, 'off_session') !== 'false';
  // a payer at the telephone cannot be redirected either
  const alone = off_session || intent.wanted.moto;
  intent.last_payment_error = null;
  if (!asksForPayer(intent, method, alone)) return charge(world, intent, null);
  if (alone) return decline(world, intent, declineBy('authentication_required'));
  if (method.behaviour.three_ds === 'failing') throw fail(world, intent);
  intent.status = 'requires_action';
  tellIntent(world, intent, 'requires_action');
}

export function readOptions(intent: Intent, method: Method | null, form: Form): void {
  const three_ds = oneOf(form, `${OPTION}[request_three_d_secure]`, ['any', 'automatic']) ?? intent.wanted.three_ds;
  const network = textIn(form, `${OPTION}[network]`) ?? intent.wanted.network;
  const possible = method?.behaviour.networks ?? [method?.behaviour.brand];
  if (method !== null && network !== null && !possible.includes(network))
    throw invalid(null, `The card does not support the network ${network}.`, `${OPTION}[network]`);
  intent.wanted = { three_ds, network, moto: textIn(form, `${OPTION}[moto]`) === 'true' || intent.wanted.moto };
}

function asksForPayer(intent: Intent, { behaviour }: Method, alone: boolean): boolean {
  if (behaviour.three_ds === 'not_supported') return false;
  if (behaviour.three_ds !== 'supported') return !(alone && behaviour.set_up === true);
  return intent.wanted.three_ds === 'any';
}

/** The payer has authenticated, or has failed to. */
export function authenticated(world: World, intent: Intent, passed: boolean): void {
  if (intent.status !== 'requires_action') return;
  if (!passed) {
    fail(world, intent);
    return;
  }
  try {
    charge(world, intent, 'authenticated');
  } catch {
    // the payer is sent back in either case; the intent has the bank's answer
  }
}

function fail(world: World, intent: Intent) {
  const message =
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
  const refusal = invalid('payment_intent_authentication_failure', message);
  endTry(intent, refusal.error);
  tellIntent(world, intent, 'payment_failed');
  return unexpectedlyFailed(world, intent, refusal.error);
}

const unexpectedlyFailed = (world: World, intent: Intent, error: ErrorBody) =>
  cardError({ ...error, payment_intent: intentView(intent, world.pages_url()) });

function endTry(intent: Intent, error: ErrorBody): void {
  const { method } = intent;
  intent.last_payment_error = { ...error, ...(method !== null && { payment_method: methodView(method) }) };
  intent.status = 'requires_payment_method';
  intent.method = null;
}

function charge(world: World, intent: Intent, proof: Charge['authenticated']): void {
  const forced = world.forced.shift();
  if (forced === 'processing') {
    intent.status = 'processing';
    tellIntent(world, intent, 'processing');
    world.books.agenda.push({ at_ms: world.now_ms() + PROCESSING_MS, run: () => pay(world, intent, proof) });
    return;
  }
  const refused = forced?.decline ?? intent.method?.behaviour.declined;
  if (refused === undefined) pay(world, intent, proof);
  else decline(world, intent, refused);
}

function decline(world: World, intent: Intent, reason: Decline): never {
  const made = newCharge(world, intent, { proof: null, failure: { ...reason } });
  const error = { ...reason, charge: made?.id, type: 'card_error' };
  endTry(intent, error);
  if (made) world.tell({ type: 'charge.failed', object: chargeView(made), account: intent.account });
  tellIntent(world, intent, 'payment_failed');
  throw cardError({ ...intent.last_payment_error, payment_intent: intentView(intent, world.pages_url()) });
}

function pay(world: World, intent: Intent, proof: Charge['authenticated']): void {
  const made = newCharge(world, intent, { proof, failure: null });
  if (made === undefined) return;
  const manual = intent.capture_method === 'manual';
  intent.status = manual ? 'requires_capture' : 'succeeded';
  if (!manual) [made.captured, made.amount_captured] = [true, made.amount];
  world.tell({ type: 'charge.succeeded', object: chargeView(made), account: intent.account });
  tellIntent(world, intent, manual ? 'amount_capturable_updated' : 'succeeded');
  if (manual) world.books.agenda.push({ at_ms: world.now_ms() + HOLD_MS, run: () => lapse(world, intent) });
  else disputeByCard(world, made);
}

type Told = { readonly proof: Charge['authenticated']; readonly failure: ErrorBody | null };

function newCharge(world: World, intent: Intent, { proof, failure }: Told) {
  const { method, account, amount } = intent;
  if (method === null) return undefined;
  const made: Charge = {
    id: world.id('ch'),
    account,
    created: world.now_s(),
    intent,
    method,
    amount,
    network: intent.wanted.network ?? method.behaviour.brand,
    failure,
    authenticated: proof,
    captured: false,
    amount_captured: 0,
    amount_refunded: 0,
    disputed: false,
  };
  intent.charge = keep(world.books.charges, made);
  return made;
}

/** A hold that was not captured ends after its time. */
function lapse(world: World, intent: Intent): void {
  if (intent.status !== 'requires_capture' || intent.charge === null) return;
  release(world, intent, 'automatic');
  world.tell({ type: 'charge.expired', object: chargeView(intent.charge), account: intent.account });
  tellIntent(world, intent, 'canceled');
}

export function release(world: World, intent: Intent, reason: string | null): void {
  intent.status = 'canceled';
  intent.canceled_at = world.now_s();
  intent.cancellation_reason = reason;
  if (intent.charge) giveBackHeld(world, intent.charge);
}

export function disputeByCard(world: World, made: Charge): void {
  const { dispute } = made.method.behaviour;
  if (dispute) openDispute(world, made, dispute);
}

export function openDispute(world: World, made: Charge, { reason, status }: { reason: string; status: string }) {
  const { account } = made;
  const created = world.now_s();
  const open = { due_by: created + ANSWER_S, evidence: {}, submissions: 0 };
  const dispute = { id: world.id('dp'), account, created, charge: made, reason, status, ...open };
  keep(world.books.disputes, dispute);
  made.disputed = !status.startsWith('warning_');
  world.tell({ type: 'charge.dispute.created', object: disputeView(dispute), account });
  return dispute;
}

export function tellIntent(world: World, intent: Intent, what: string): void {
  const object = intentView(intent, world.pages_url());
  world.tell({ type: `payment_intent.${what}`, object, account: intent.account });
}

export function refusedState(world: World, intent: Intent, verb: string) {
  const message = `This PaymentIntent could not be ${verb} because it has a status of ${intent.status}.`;
  return unexpectedState(message, intentView(intent, world.pages_url()));
}
