// Orders: they are made without a card, get one, are shown to the payer's bank, and are authorized or captured.
import { DAY_MS } from '../../../core/durations.ts';
import { type Authorization, type Capture, type Card, type Order, keep } from '../books.ts';
import { type Behaviour, behaviourOf, brandOf } from '../cards.ts';
import { refusal } from '../errors.ts';
import { amountOf } from '../money.ts';
import type { World } from '../world.ts';
import { type Said, objectIn, textIn } from '../../said.ts';
import { authorizationView, captureAlone, orderView, payerAction } from './views.ts';

export function makeOrder(world: World, account: string, said: Said): Order {
  const { intent, purchase_units: units } = said;
  if (intent !== 'AUTHORIZE' && intent !== 'CAPTURE') throw refusal(422, 'UNSUPPORTED_INTENT');
  const [unit] = (Array.isArray(units) ? units : []) as readonly Said[];
  if (unit === undefined) throw refusal(400, 'MISSING_REQUIRED_PARAMETER');
  const at = { created_ms: world.now_ms(), updated_ms: world.now_ms() };
  return keep(world.books.orders, {
    id: world.id(),
    account,
    ...at,
    intent,
    amount: amountOf(unit['amount']),
    reference_id: textIn(unit, 'reference_id') ?? 'default',
    custom_id: textIn(unit, 'custom_id'),
    description: textIn(unit, 'description'),
    status: 'CREATED',
    card: null,
    authentication: null,
    return_url: null,
    cancel_url: null,
  });
}

/** Puts the payer's card on the order. */
export function confirm(world: World, order: Order, said: Said): void {
  if (order.status === 'COMPLETED') throw refusal(422, 'ORDER_CANNOT_BE_CONFIRMED');
  const given = objectIn(objectIn(said, 'payment_source'), 'card');
  const card = cardOf(given, world.now_ms());
  const { return_url, cancel_url } = objectIn(given, 'experience_context');
  const by_merchant = objectIn(given, 'stored_credential')['payment_initiator'] === 'MERCHANT';
  if (by_merchant && given['security_code'] !== undefined) throw refusal(422, 'MERCHANT_INITIATED_WITH_SECURITY_CODE');
  order.card = card;
  order.return_url = typeof return_url === 'string' ? return_url : null;
  order.cancel_url = typeof cancel_url === 'string' ? cancel_url : null;
  order.authentication = null;
  const { method } = objectIn(objectIn(given, 'attributes'), 'verification');
  const asks = card.behaviour.kind === 'challenge' && !by_merchant;
  if (asks && order.return_url === null) throw refusal(422, 'RETURN_URL_REQUIRED');
  if (!asks && method === 'SCA_ALWAYS') order.authentication = { status: 'Y', shift: 'POSSIBLE' };
  order.status = asks ? 'PAYER_ACTION_REQUIRED' : 'APPROVED';
}

function cardOf(given: Said, now_ms: number): Card {
  const [number = '', expiry = '', holder] = ['number', 'expiry', 'name'].map((name) => textIn(given, name));
  const field = '/payment_source/card/number';
  if (!/^\d{13,19}$/.test(number)) throw refusal(400, 'INVALID_PARAMETER_SYNTAX', { field });
  const [, year = '', month = ''] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(expiry) ?? [];
  if (year === '') throw refusal(400, 'INVALID_PARAMETER_SYNTAX', { field: '/payment_source/card/expiry' });
  if (Date.UTC(Number(year), Number(month)) <= now_ms) throw refusal(422, 'CARD_EXPIRED');
  const code = textIn(given, 'security_code');
  if (code !== undefined && !/^\d{3,4}$/.test(code)) throw refusal(422, 'INVALID_SECURITY_CODE_LENGTH');
  return {
    behaviour: behaviourOf(number, holder ?? ''),
    last4: number.slice(-4),
    brand: brandOf(number),
    expiry,
    holder,
  };
}

/** The payer accepted or refused on the bank's page. */
export function authenticated(world: World, order: Order, passed: boolean): void {
  if (order.status !== 'PAYER_ACTION_REQUIRED') return;
  order.authentication = passed ? { status: 'Y', shift: 'POSSIBLE' } : { status: 'N', shift: 'NO' };
  // the merchant decides whether to go on after a failed authentication
  order.status = 'APPROVED';
  order.updated_ms = world.now_ms();
  tellOfOrder(world, order, 'CHECKOUT.ORDER.APPROVED');
}

const EXPIRES_MS = 29 * DAY_MS;

export function authorize(world: World, order: Order): void {
  if (order.intent !== 'AUTHORIZE') throw refusal(422, 'ACTION_DOES_NOT_MATCH_INTENT');
  if (order.status === 'COMPLETED') throw refusal(422, 'ORDER_ALREADY_AUTHORIZED');
  const card = approvedCard(world, order);
  const [now, response] = [world.now_ms(), responseOf(card.behaviour, order)];
  const state = response.response_code === DONE || response.response_code === PART ? 'held' : 'denied';
  const one = keep<Authorization>(world.books.authorizations, {
    id: world.id(),
    account: order.account,
    order,
    created_ms: now,
    updated_ms: now,
    amount: partOf(card.behaviour, order),
    response,
    network_reference: networkReference(world),
    expires_ms: now + EXPIRES_MS,
    state: card.behaviour.kind === 'pending' ? 'pending' : state,
    is_used_up: false,
  });
  completed(world, order);
  if (one.state === 'denied') return;
  tellOfAuthorization(world, one, 'PAYMENT.AUTHORIZATION.CREATED');
  world.books.agenda.push({ at_ms: one.expires_ms, run: () => lapse(world, one) });
}

function lapse(world: World, one: Authorization): void {
  if (one.state !== 'held' || one.is_used_up) return;
  one.state = 'lapsed';
  one.updated_ms = world.now_ms();
  tellOfAuthorization(world, one, 'PAYMENT.AUTHORIZATION.VOIDED');
}

/** A sale: authorization and capture in one step. */
export function sell(world: World, order: Order): void {
  if (order.intent !== 'CAPTURE') throw refusal(422, 'ACTION_DOES_NOT_MATCH_INTENT');
  if (order.status === 'COMPLETED') throw refusal(422, 'ORDER_ALREADY_CAPTURED');
  const card = approvedCard(world, order);
  const [now, response] = [world.now_ms(), responseOf(card.behaviour, order)];
  const taken = response.response_code === DONE || response.response_code === PART;
  const capture = keep<Capture>(world.books.captures, {
    id: world.id(),
    account: order.account,
    order,
    authorization: null,
    created_ms: now,
    updated_ms: now,
    amount: partOf(card.behaviour, order),
    invoice_id: undefined,
    final_capture: true,
    response,
    network_reference: networkReference(world),
    state: card.behaviour.kind === 'pending' ? 'pending' : taken ? 'completed' : 'declined',
  });
  completed(world, order);
  const type = { pending: 'PENDING', completed: 'COMPLETED', declined: 'DECLINED' }[capture.state];
  const resource = captureAlone(world, capture);
  world.tell({ type: `PAYMENT.CAPTURE.${type}`, resource_type: 'capture', resource, account: order.account });
}

function approvedCard(world: World, order: Order): Card {
  if (order.status === 'PAYER_ACTION_REQUIRED')
    throw refusal(422, 'PAYER_ACTION_REQUIRED', { links: [payerAction(world, order)] });
  if (order.card === null || order.status !== 'APPROVED') throw refusal(422, 'ORDER_NOT_APPROVED');
  return order.card;
}

const DONE = '0000';
const PART = '1000';

function responseOf(behaviour: Behaviour, { authentication }: Order): Authorization['response'] {
  switch (behaviour.kind) {
    case 'approved':
    case 'pending':
    case 'challenge':
      return { response_code: DONE };
    case 'part':
      return { response_code: PART };
    case 'soft':
      return { response_code: authentication?.status === 'Y' ? DONE : '5650' };
    case 'declined':
      return {
        response_code: behaviour.code,
        ...(behaviour.advice !== undefined && { payment_advice_code: behaviour.advice }),
      };
  }
}

const partOf = ({ kind }: Behaviour, { amount }: Order) =>
  kind === 'part' ? { ...amount, minor: Math.max(1, Math.floor(amount.minor / 2)) } : amount;

const networkReference = (world: World): string => `SIM${world.id().slice(-9)}`;

function completed(world: World, order: Order): void {
  order.status = 'COMPLETED';
  order.updated_ms = world.now_ms();
}

function tellOfOrder(world: World, order: Order, type: string): void {
  world.tell({ type, resource_type: 'checkout-order', resource: orderView(world, order), account: order.account });
}

export function tellOfAuthorization(world: World, one: Authorization, type: string): void {
  world.tell({ type, resource_type: 'authorization', resource: authorizationView(world, one), account: one.account });
}
