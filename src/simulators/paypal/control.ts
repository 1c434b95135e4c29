// The control of the simulated PayPal, for tests and people. It has its own port, so that it answers while the API's
// port refuses connections.
//
// | request                             | what it does                                                               |
// |-------------------------------------|----------------------------------------------------------------------------|
// | GET /control/books                  | returns orders, authorizations, captures, refunds, disputes and events, as |
// |                                     | JSON                                                                       |
// | GET /control/settlement             | returns the settlement report, `report`                                    |
// | POST /control/faults                | arms a fault for the next matching call (faults.ts); DELETE removes all    |
// | POST /control/clock                 | moves the clock by `advance_s`                                             |
// | POST /control/listening             | with `open` false the API accepts no connection                            |
// | POST /control/endpoints             | sets the address for messages, `url`, and the webhook for which they are   |
// |                                     | signed, the first of `secrets`                                             |
// | POST /control/messages              | with `held` true, messages wait until they are asked for                   |
// | POST /control/deliver               | sends all messages of the books again: `reversed`, `only` one type,        |
// |                                     | `waiting` only unaccepted ones, `times` 2 for each twice                   |
// | POST /control/sign                  | returns the headers of a transmission of `text`, for the webhook           |
// |                                     | `webhook_id`                                                               |
// | POST /control/captures/status       | ends a waiting capture, `capture`, with `status`                           |
// | POST /control/refunds/status        | ends a waiting refund, `refund`, with `status`                             |
// | POST /control/authorizations/status | ends a waiting authorization, `authorization`, with `status`               |
// | POST /control/disputes              | the payer's side of `capture`: without `outcome` it opens a dispute, else  |
// |                                     | it ends it; with `answered` the merchant has answered at PayPal            |
// | POST /control/tokens                | `revoke` makes every access token invalid; `expires_s` is the lifetime of  |
// |                                     | the next ones                                                              |
// | POST /control/site                  | what a person does at PayPal's site: `does` void or capture (`amount`,     |
// |                                     | `pending` while PayPal reviews it) of an `authorization`, or refund        |
// |                                     | (`amount`) of a `capture`                                                  |
// | GET /control/tokens                 | returns every access token that was ever given                             |
import { type Capture } from './books.ts';
import { review, tellDispute } from './api/disputes.ts';
import { authorizationView, captureAlone, disputeView, orderView, refundView } from './api/views.ts';
import { tellOfAuthorization } from './api/orders.ts';
import { capture, refund, tellOfCapture, tellOfRefund, voidIt } from './api/payments.ts';
import { Refusal } from './errors.ts';
import type { Reply } from '../line.ts';
import { json } from './api/reply.ts';
import { type Said, parse, textIn } from '../said.ts';
import { FAULTS } from './faults.ts';
import type { Messages } from './messages.ts';
import { settlementReport } from './report.ts';
import type { Tokens } from './tokens.ts';
import { catchUp } from '../agenda.ts';
import type { World } from './world.ts';

export type Controlled = {
  readonly world: World;
  readonly messages: Messages;
  readonly tokens: Tokens;
  /** Says whether the API's port takes connections. */
  readonly listen: (open: boolean) => Promise<void>;
};

type Verb = (controlled: Controlled, said: Said) => object | Promise<object>;

class Wrong extends Error {}

function needed<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Wrong(`${what} is not as it must be`);
  return value;
}

const VERBS: Readonly<Record<string, Verb>> = {
  'GET /control/books': ({ world }) => booksOf(world),
  'GET /control/settlement': ({ world }) => ({ report: settlementReport(world) }),
  'POST /control/faults': ({ world }, said) => {
    const kind = needed(
      FAULTS.find((name) => name === said['kind']),
      'kind',
    );
    const [method, path, times = 1] = [textIn(said, 'method'), textIn(said, 'path'), said['times']];
    if (typeof times !== 'number') throw new Wrong('times is no number');
    world.faults.push({ kind, times, ...(method !== undefined && { method }), ...(path !== undefined && { path }) });
    return { armed: world.faults.length };
  },
  'DELETE /control/faults': ({ world }) => {
    world.faults.length = 0;
    return { armed: 0 };
  },
  'POST /control/clock': ({ world }, said) => {
    const by_s = said['advance_s'];
    if (typeof by_s !== 'number' || !(by_s >= 0)) throw new Wrong('advance_s is no number of seconds');
    world.ahead_ms += by_s * 1000;
    catchUp(world);
    return { now_ms: world.now_ms() };
  },
  'POST /control/listening': async ({ listen }, said) => {
    await listen(said['open'] === true);
    return { open: said['open'] === true };
  },
  'POST /control/endpoints': ({ messages }, said) => {
    const { secrets } = said;
    const webhook_id: unknown = Array.isArray(secrets) ? secrets[0] : undefined;
    if (typeof webhook_id !== 'string') throw new Wrong('secrets is no list of texts');
    const url = needed(textIn(said, 'url'), 'url');
    messages.endpoints = [...messages.endpoints.filter((other) => other.url !== url), { url, webhook_id }];
    return { endpoints: messages.endpoints.length };
  },
  'POST /control/messages': ({ messages }, said) => {
    messages.held = said['held'] === true;
    return { held: messages.held };
  },
  'POST /control/deliver': async ({ messages, world }, said) => {
    const only = textIn(said, 'only');
    const all = [...world.books.events.values()].filter(
      ({ type, told }) => (only ?? type) === type && !(told && said['waiting'] === true),
    );
    const once = said['reversed'] === true ? all.toReversed() : all;
    return { statuses: await messages.deliver(said['times'] === 2 ? [...once, ...once] : once) };
  },
  'POST /control/sign': ({ messages }, said) =>
    messages.headersOf(needed(textIn(said, 'text'), 'text'), needed(textIn(said, 'webhook_id'), 'webhook_id')),
  'POST /control/captures/status': ({ world }, said) => {
    const one = captureIn(world, said);
    const done = said['status'] === 'COMPLETED';
    one.state = done ? 'completed' : 'declined';
    tellOfCapture(world, one, done ? 'COMPLETED' : 'DENIED');
    return captureAlone(world, one);
  },
  'POST /control/refunds/status': ({ world }, said) => {
    const one = needed(world.books.refunds.get(textIn(said, 'refund') ?? ''), 'refund');
    one.state = said['status'] === 'COMPLETED' ? 'COMPLETED' : 'FAILED';
    if (one.state === 'COMPLETED') tellOfRefund(world, one);
    return refundView(world, one);
  },
  'POST /control/authorizations/status': ({ world }, said) => {
    const one = needed(world.books.authorizations.get(textIn(said, 'authorization') ?? ''), 'authorization');
    one.state = said['status'] === 'CREATED' ? 'held' : 'denied';
    tellOfAuthorization(world, one, 'PAYMENT.AUTHORIZATION.CREATED');
    return authorizationView(world, one);
  },
  'POST /control/disputes': ({ world }, said) => {
    const dispute = tellDispute(world, captureIn(world, said), textIn(said, 'outcome'));
    if (said['answered'] === true) review(world, dispute);
    return disputeView(world, dispute);
  },
  'POST /control/site': ({ world }, said) => {
    catchUp(world);
    const amount = said['amount'] === undefined ? {} : { amount: said['amount'] };
    if (said['does'] === 'refund') return refundView(world, refund(world, captureIn(world, said), amount));
    const held = needed(world.books.authorizations.get(textIn(said, 'authorization') ?? ''), 'authorization');
    if (said['does'] === 'void') return authorizationView(world, voidIt(world, held));
    if (said['does'] === 'capture')
      return captureAlone(world, capture(world, held, { ...amount, pending: said['pending'] }));
    throw new Wrong('does is none of void, capture, refund');
  },
  'GET /control/tokens': ({ tokens }) => ({ given: tokens.given }),
  'POST /control/tokens': ({ tokens }, said) => {
    if (said['revoke'] === true) tokens.revoke();
    if (typeof said['expires_s'] === 'number') tokens.expires_s = said['expires_s'];
    return { given: tokens.given.length };
  },
};

const captureIn = ({ books }: World, said: Said): Capture =>
  needed(books.captures.get(textIn(said, 'capture') ?? ''), 'capture');

function booksOf(world: World): object {
  catchUp(world);
  const { orders, authorizations, captures, refunds, disputes, events } = world.books;
  return {
    orders: [...orders.values()].map((one) => orderView(world, one)),
    authorizations: [...authorizations.values()].map((one) => authorizationView(world, one)),
    captures: [...captures.values()].map((one) => captureAlone(world, one)),
    refunds: [...refunds.values()].map((one) => refundView(world, one)),
    disputes: [...disputes.values()].map((one) => disputeView(world, one)),
    events: [...events.values()].map(({ id, type, told }) => ({ id, type, told })),
  };
}

export async function control(controlled: Controlled, verb: string, text: string): Promise<Reply> {
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  const said = parse(text || '{}');
  if (run === undefined) return json(404, { message: `no such verb: ${verb}`, verbs: Object.keys(VERBS) });
  if (said === undefined) return json(400, { message: 'not JSON' });
  try {
    return json(200, await run(controlled, said));
  } catch (error) {
    if (error instanceof Wrong || error instanceof Refusal) return json(400, { message: error.message });
    throw error;
  }
}
