// The control of the simulated provider, over its own port. The payment host's sandbox routes and tests use it;
// production never does. It answers 200 with the present state, or 400 with the name of the wrong member.
//
//   GET  /health
//   GET  /books?order_id=&order_merchant_id=&reference=&provider=&merchant_account_id=&limit=&offset=   the books
//   GET  /books/newest?…&limit=&before=   the same, newest first; `next` is `before` of the next page, or null
//   GET  /cards                         the numbers of contract 15.2 and 15.3
//   GET  /clock · POST /clock {to} or {shift_ms}   {now, shift_ms, next_due, messages}; moves the clock to a moment
//                                       (ISO), or this far ahead of the real clock (never back); answers after all that
//                                       became due has happened and its messages were offered
//   GET  /scenarios?merchant_account_id= · POST /scenarios {…} · POST /scenarios/clear?merchant_account_id=
//                                       see faults/scenarios.ts
//   GET  /scenarios/once?key=           {fingerprint} of the scenario that was armed under this key, or null
//   GET  /control · POST /control {chaos, callbacks, deduplicates, hang_ms, receiver: {url, secret}, up: true}
//   POST /subscriptions {subscriptions: [{provider, merchant_account_id, contract_id, secret}]}
//                                       the contracts that get messages about their account's payments
//   POST /reset                         forgets the books and the settings (World.reset says what stays)
import { result } from '../../core/results.ts';
import type { Reply } from '../call/answer.ts';
import { NO_ROUTE, refused, wrong } from '../call/routes.ts';
import { isRecord } from '../entry.ts';
import { readChaos } from '../faults/chaos.ts';
import { CARDS, type CardRow } from '../faults/cards.ts';
import { readScenario } from '../faults/scenarios.ts';
import { isSubscription } from '../later/subscriptions.ts';
import { CALLBACKS, type Control, PROVIDER_NAMES, type World, isReceiver } from '../world.ts';
import { listBooks, newestBooks, ok } from './books.ts';

type ControlRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
};

export function control(world: World, asked: ControlRequest): Reply | Promise<Reply> {
  const verb = ROUTES[`${asked.method} ${asked.path}`];
  return verb === undefined ? NO_ROUTE : verb(world, asked);
}

const ROUTES: Readonly<Record<string, (world: World, asked: ControlRequest) => Reply | Promise<Reply>>> = {
  'GET /health': () => ok({ status: 'ready' }),
  'GET /books': (world, { query }) => listBooks(world, query),
  'GET /books/newest': (world, { query }) => newestBooks(world, query),
  'GET /cards': () => ok({ cards: CARDS.map(viewCard) }),
  'GET /clock': (world) => ok(clockOf(world)),
  'POST /clock': moveClock,
  'GET /scenarios': (world, { query }) => ok({ scenarios: world.control.scenarios.filter(isOf(query)) }),
  'GET /scenarios/once': (world, { query }) => {
    const used = world.control.once.find(({ key }) => key === query.get('key'));
    return ok({ fingerprint: used?.fingerprint ?? null });
  },
  'POST /scenarios/clear': (world, { query }) => {
    const mine = isOf(query);
    const { scenarios, outages } = world.control;
    world.tell({ scenarios: scenarios.filter((one) => !mine(one)), outages: outages.filter((one) => !mine(one)) });
    return ok({});
  },
  'POST /scenarios': arm,
  'GET /control': (world) => ok(controlOf(world)),
  'POST /control': steer,
  'POST /subscriptions': subscribe,
  'POST /reset': (world) => {
    world.reset();
    return ok({});
  },
};

const viewCard = ({ numbers, outcome, results }: CardRow) => ({
  numbers,
  says: outcome,
  codes: results.map((name) => result(name).code),
});

function subscribe(world: World, { body }: ControlRequest): Reply {
  const subscriptions = isRecord(body) ? body['subscriptions'] : undefined;
  if (!Array.isArray(subscriptions) || !subscriptions.every(isSubscription)) return wrong('subscriptions');
  for (const subscription of subscriptions) world.subscribe(subscription);
  return ok({});
}

/** Entries of one account if the request names it, else of all accounts. */
function isOf(query: URLSearchParams) {
  const wanted = query.get('merchant_account_id');
  return (one: { readonly merchant_account_id: string | null }) =>
    wanted === null || one.merchant_account_id === wanted;
}

function clockOf(world: World): Reply['body'] {
  const { next_due, shift_ms } = world.agenda;
  const date = (at: number) => new Date(at).toISOString();
  const next = next_due === null ? null : date(next_due);
  return { now: date(world.now()), shift_ms, next_due: next, messages: world.messenger.sent };
}

/** Answers after everything that became due has happened, and its messages were offered to our side. */
async function moveClock(world: World, { body }: ControlRequest): Promise<Reply> {
  const { to, shift_ms } = isRecord(body) ? body : {};
  const before = world.agenda.shift_ms;
  if (shift_ms !== undefined) {
    if (typeof shift_ms !== 'number' || !Number.isFinite(shift_ms)) return wrong('shift_ms');
    // a simulator that was not used yet may begin at any moment
    if (world.isUntouched()) world.agenda.restore(shift_ms);
    else world.agenda.shiftTo(shift_ms);
  } else {
    const moment = typeof to === 'string' ? Date.parse(to) : Number.NaN;
    if (Number.isNaN(moment)) return wrong('to');
    if (!world.agenda.advance(moment)) return refused(400, 'to is past: the clock never goes back');
  }
  if (world.agenda.shift_ms !== before) world.tell({ shift_ms: world.agenda.shift_ms });
  await world.messenger.settled();
  return ok(clockOf(world));
}

/**
 * `once` is {key, fingerprint}, from a caller that may ask twice. For a repeat the answer says `replayed`, or 409 if
 * the body differs.
 */
function arm(world: World, { body }: ControlRequest): Reply {
  const scenario = readScenario(body);
  if ('members' in scenario) {
    const { members } = scenario;
    return { status: 400, body: { status: 'refused', members, text: `not valid: ${members.join(', ')}` } };
  }
  const { scenarios, once } = world.control;
  const key = readOnce(body);
  const before = key && once.find((one) => one.key === key.key);
  if (before !== undefined) {
    if (before.fingerprint !== key?.fingerprint) return refused(409, 'the key was used with another body');
    const now = scenarios.find(({ id }) => id === before.scenario.id) ?? { ...before.scenario, remaining: 0 };
    return ok({ ...now, replayed: true });
  }
  if (scenarios.length >= MOST_SCENARIOS) return refused(429, 'too many scenarios are armed');
  const kept = key === undefined ? once : [...once, { ...key, scenario }].slice(-MOST_KEYS);
  world.tell({ scenarios: [...scenarios.filter(({ id }) => id !== scenario.id), scenario], once: kept });
  return ok(scenario);
}

function readOnce(body: unknown): { readonly key: string; readonly fingerprint: string } | undefined {
  const once = isRecord(body) ? body['once'] : undefined;
  if (!isRecord(once)) return undefined;
  const { key, fingerprint } = once;
  return typeof key === 'string' && typeof fingerprint === 'string' ? { key, fingerprint } : undefined;
}

const MOST_SCENARIOS = 1_000;
const MOST_KEYS = 100;

/** The settings without the secret. */
function controlOf(world: World): Reply['body'] {
  const { receiver, once, ...rest } = world.control;
  return { ...rest, receiver: receiver?.url ?? null, keys: once.length };
}

function steer(world: World, { body }: ControlRequest): Reply {
  if (!isRecord(body)) return refused(400, 'the body is not a JSON object');
  const read = readChange(body);
  if (typeof read === 'string') return wrong(read);
  world.tell(read);
  return ok(controlOf(world));
}

/** Returns the settings to change, or the name of a wrong one. */
function readChange({ chaos, callbacks, deduplicates, hang_ms, receiver, up }: Record<string, unknown>) {
  const change: { -readonly [K in keyof Control]?: Control[K] } = {};
  if (chaos !== undefined) {
    const table = chaos === null ? null : readChaos(chaos);
    if (table !== null && 'member' in table) return `chaos/${table.member}`;
    change.chaos = table;
  }
  if (callbacks !== undefined) {
    const known = CALLBACKS.find((name) => name === callbacks);
    if (known === undefined) return 'callbacks';
    change.callbacks = known;
  }
  if (deduplicates !== undefined) {
    if (!Array.isArray(deduplicates)) return 'deduplicates';
    const names = PROVIDER_NAMES.filter((name) => deduplicates.includes(name));
    if (names.length !== deduplicates.length) return 'deduplicates';
    change.deduplicates = names;
  }
  if (hang_ms !== undefined) {
    if (hang_ms !== null && !(typeof hang_ms === 'number' && hang_ms >= 0 && hang_ms <= 60_000)) return 'hang_ms';
    change.hang_ms = hang_ms;
  }
  if (receiver !== undefined) {
    if (receiver !== null && !isReceiver(receiver)) return 'receiver';
    change.receiver = receiver;
  }
  if (up === true) change.outages = [];
  return change;
}
