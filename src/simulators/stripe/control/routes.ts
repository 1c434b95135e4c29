// How tests and the back office control the simulated Stripe: faults, the clock, messages, disputes, and its books. The
// control has its own port, so that it answers while the API's port refuses connections.
import { openDispute } from '../api/confirm.ts';
import { cancel, capture } from '../api/intents.ts';
import { endRefund, makeRefund } from '../api/refunds.ts';
import type { Form } from '../form.ts';
import type { Reply } from '../../line.ts';
import { json } from '../api/reply.ts';
import type { Event, Intent } from '../books.ts';
import { Refusal } from '../errors.ts';
import { declineBy } from '../cards.ts';
import type { Messages } from '../messages.ts';
import { balanceReport } from '../report.ts';
import { chargeView, disputeView, intentView, refundView } from '../views.ts';
import { catchUp } from '../../agenda.ts';
import type { Said } from '../../said.ts';
import type { World } from '../world.ts';
import { FAULTS } from './faults.ts';

export type Controlled = {
  readonly world: World;
  readonly messages: Messages;
  /** Says whether the API's port takes connections. */
  readonly listen: (open: boolean) => Promise<void>;
};

type Verb = (controlled: Controlled, said: Said) => object | Promise<object>;

class Wrong extends Error {}

const textOf = (said: Said, name: string): string => {
  const value = said[name];
  if (typeof value !== 'string') throw new Wrong(`${name} is not a text`);
  return value;
};
const maybe = (said: Said, name: string): string | undefined =>
  said[name] === undefined ? undefined : textOf(said, name);

const VERBS: Readonly<Record<string, Verb>> = {
  'GET /control/books': ({ world }) => booksOf(world),
  /** The part of the books that has this order in its metadata. */
  'POST /control/books': ({ world }, said) => booksOf(world, textOf(said, 'order_id')),
  'GET /control/settlement': ({ world }) => ({ report: balanceReport(world) }),
  'POST /control/faults': ({ world }, said) => {
    const kind = FAULTS.find((name) => name === said['kind']);
    if (kind === undefined) throw new Wrong(`kind is none of ${FAULTS.join(', ')}`);
    const [method, path, times] = [maybe(said, 'method'), maybe(said, 'path'), said['times'] ?? 1];
    if (typeof times !== 'number' || !Number.isInteger(times) || times < 1)
      throw new Wrong('times is no number of calls');
    world.faults.push({ kind, times, ...(method !== undefined && { method }), ...(path !== undefined && { path }) });
    return { armed: world.faults.length };
  },
  'DELETE /control/faults': ({ world }) => {
    world.faults.length = 0;
    world.forced.length = 0;
    return { armed: 0 };
  },
  'POST /control/outcomes': ({ world }, said) => {
    const reason = textOf(said, 'outcome');
    world.forced.push(reason === 'processing' ? reason : { decline: declineBy(reason) });
    return { armed: world.forced.length };
  },
  'POST /control/clock': ({ world }, said) => {
    const by_s = said['advance_s'];
    if (typeof by_s !== 'number' || !Number.isInteger(by_s) || by_s < 0)
      throw new Wrong('advance_s is no number of seconds');
    world.ahead_ms += by_s * 1000;
    catchUp(world);
    return { now_s: world.now_s() };
  },
  'POST /control/listening': async ({ listen }, said) => {
    await listen(said['open'] === true);
    return { open: said['open'] === true };
  },
  'POST /control/endpoints': ({ messages }, said) => {
    const { secrets } = said;
    const all_texts = Array.isArray(secrets) && secrets.length > 0 && secrets.every((one) => typeof one === 'string');
    if (!all_texts) throw new Wrong('secrets is no list of texts');
    const [url, account] = [textOf(said, 'url'), maybe(said, 'account')];
    messages.endpoints = messages.endpoints.filter((other) => other.url !== url);
    messages.endpoints.push({ url, secrets, ...(account !== undefined && { account }) });
    return { endpoints: messages.endpoints.length };
  },
  'POST /control/messages': ({ messages }, said) => {
    messages.held = said['held'] === true;
    return { held: messages.held };
  },
  'POST /control/messages/deliver': async ({ messages, world }, said) => {
    const type = maybe(said, 'type');
    const from = said['again'] === true ? [...world.books.events.values()] : [...messages.waiting];
    const wanted = from.filter((event) => type === undefined || event.type === type);
    return { statuses: await messages.deliver(ordered(wanted, said)) };
  },
  'POST /control/disputes': ({ world }, said) => {
    const charge = world.books.intents.get(textOf(said, 'payment_intent'))?.charge;
    if (charge?.captured !== true) throw new Wrong('payment_intent is none that is captured');
    const [reason, status] = [maybe(said, 'reason') ?? 'fraudulent', maybe(said, 'status') ?? 'needs_response'];
    return disputeView(openDispute(world, charge, { reason, status }));
  },
  'POST /control/disputes/status': ({ world }, said) => {
    const dispute = world.books.disputes.get(textOf(said, 'dispute'));
    if (dispute === undefined) throw new Wrong('dispute is none of ours');
    const before = { status: dispute.status };
    dispute.status = textOf(said, 'status');
    const over = ['won', 'lost', 'warning_closed'].includes(dispute.status);
    const type = over ? 'charge.dispute.closed' : 'charge.dispute.updated';
    world.tell({ type, object: disputeView(dispute), account: dispute.account, before });
    return disputeView(dispute);
  },
  /** What a person does in the Dashboard: there are no keys, and no metadata of ours. */
  'POST /control/dashboard': ({ world }, said) => {
    const intent = world.books.intents.get(textOf(said, 'payment_intent'));
    if (intent === undefined) throw new Wrong('payment_intent is none of ours');
    const amount = maybe(said, 'amount');
    const of = (name: string): Form => (amount === undefined ? [] : [[name, amount]]);
    catchUp(world);
    switch (textOf(said, 'does')) {
      case 'cancel':
        cancel(world, intent, [['cancellation_reason', 'requested_by_customer']]);
        return intentView(intent, world.pages_url());
      case 'capture':
        capture(world, intent, of('amount_to_capture'));
        return intentView(intent, world.pages_url());
      case 'refund':
        return refundView(makeRefund(world, intent.account, [['payment_intent', intent.id], ...of('amount')]));
      default:
        throw new Wrong('does is none of cancel, capture, refund');
    }
  },
  'POST /control/refunds/status': ({ world }, said) => {
    const refund = world.books.refunds.get(textOf(said, 'refund'));
    if (refund === undefined) throw new Wrong('refund is none of ours');
    const status = textOf(said, 'status');
    endRefund(world, refund, status === 'failed' || status === 'canceled' ? status : 'succeeded');
    return refundView(refund);
  },
};

function ordered(events: readonly Event[], { reversed, times }: Said): Event[] {
  const in_order = reversed === true ? events.toReversed() : [...events];
  return times === 2 ? in_order.flatMap((event) => [event, event]) : in_order;
}

function booksOf(world: World, order_id?: string): object {
  catchUp(world);
  const { intents, charges, refunds, disputes, events } = world.books;
  const asked = ({ metadata }: Intent) => (order_id ?? metadata['order_id']) === metadata['order_id'];
  return {
    intents: [...intents.values()].filter(asked).map((intent) => intentView(intent, world.pages_url())),
    charges: [...charges.values()].filter(({ intent }) => asked(intent)).map(chargeView),
    // no object of Stripe's API shows whether a payment was by mail or telephone
    moto: [...intents.values()].filter((intent) => asked(intent) && intent.wanted.moto).map(({ id }) => id),
    // without those that only give back what was not captured
    refunds: [...refunds.values()].filter(({ charge, of_hold }) => asked(charge.intent) && !of_hold).map(refundView),
    disputes: [...disputes.values()].filter(({ charge }) => asked(charge.intent)).map(disputeView),
    events: [...(order_id === undefined ? events.values() : [])].map(({ id, type, told }) => ({ id, type, told })),
  };
}

export async function control(controlled: Controlled, verb: string, text: string): Promise<Reply> {
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (run === undefined) return json(404, { message: `no such verb: ${verb}`, verbs: Object.keys(VERBS) });
  try {
    const said: unknown = text === '' ? {} : JSON.parse(text);
    return json(200, await run(controlled, said as Said));
  } catch (error) {
    if (error instanceof Wrong || error instanceof SyntaxError || error instanceof Refusal)
      return json(400, { message: error.message });
    throw error;
  }
}
