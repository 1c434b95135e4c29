// The sandbox's page: test cards, the clock, armed faults, orders to look at. A production deployment has none of these routes.
import { int } from '../../core/fields.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { Reading, required } from '../../core/shape.ts';
import { together } from '../../kit/database.ts';
import { listCards } from '../../payment/sandbox/books.ts';
import { advanceClock } from '../../payment/sandbox/clock/clock.ts';
import {
  FAULTS,
  SCENARIO,
  type ScenarioRequest,
  armScenario,
  checkScenario,
  listScenarios,
  removeScenarios,
} from '../../payment/sandbox/scenario.ts';
import { type Asked, type Desk, type DeskRoute, deskRoute, unknown } from '../desk.ts';
import { asRequest, membersOf } from '../verb.ts';
import type { SandboxState, TestCard } from '../wire/sandbox.ts';

const MOST_ORDERS = 50;
const MOST_ADVANCE_S = 34_560_000;

export function sandboxRoutes(desk: Desk): readonly DeskRoute[] {
  if (desk.tools.environment === 'production') return [];
  const of = { right: 'sandbox' } as const;
  return [
    deskRoute(desk, { ...of, route: 'GET /sandbox', handle: (asked) => readSandbox(desk, asked) }),
    deskRoute(desk, {
      ...of,
      route: 'POST /sandbox/clock',
      body: { advance_s: required(int(1, MOST_ADVANCE_S)) },
      handle: (asked) => advance(desk, asked, asked.body.advance_s),
    }),
    deskRoute(desk, {
      ...of,
      route: 'POST /sandbox/scenarios',
      body: SCENARIO,
      handle: (asked) => arm(desk, asked, asked.body),
    }),
    deskRoute(desk, {
      ...of,
      route: 'DELETE /sandbox/scenarios',
      handle: (asked) => clear(desk, asked),
    }),
    deskRoute(desk, {
      ...of,
      route: 'POST /sandbox/orders',
      body: { count: required(int(1, MOST_ORDERS)) },
      handle: (asked) => makeOrders(desk, asked, asked.body.count),
    }),
  ];
}

type Rows = readonly Readonly<Record<string, unknown>>[];

async function readSandbox(desk: Desk, asked: Asked): Promise<SandboxState> {
  const { tools } = desk;
  const { caller } = await asRequest(desk, asked, {});
  const [clock, known, armed] = await Promise.all([
    tools.timekeeper.look(),
    listCards(tools),
    listScenarios(tools, caller),
  ]);
  const { cards } = membersOf(known);
  const { scenarios } = membersOf(armed);
  const rows: Rows = Array.isArray(cards) ? cards : [];
  const faults: Rows = Array.isArray(scenarios) ? scenarios : [];
  return {
    clock: { now: clock.now.toISOString(), shift_s: Math.round(clock.shift_ms / 1000) },
    cards: rows.map(viewCard),
    scenarios: faults,
    operations: wordsOf(SCENARIO.operation.schema),
    faults: FAULTS,
    providers: wordsOf(SCENARIO.provider.schema),
    can_make_orders: desk.makeOrders !== undefined,
  };
}

function viewCard({ number, outcome, codes }: Rows[number]): TestCard {
  const all: readonly unknown[] = Array.isArray(codes) ? codes : [];
  return { number: String(number), does: String(outcome), codes: all.map(String) };
}

function wordsOf({ enum: words }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(words) ? words.filter((word): word is string => typeof word === 'string') : [];
}

type Event = Parameters<Asked['record']>[1];

/** Behind the thing itself, which happens elsewhere than in this database. */
function note({ tools }: Desk, asked: Asked, event: Event): Promise<void> {
  return together(tools.db, asked.account_id, (tx) => asked.record(tx, event));
}

async function advance(desk: Desk, asked: Asked, seconds: number): Promise<SandboxState> {
  await advanceClock(desk.tools, await asRequest(desk, asked, { seconds }));
  await note(desk, asked, { action: 'sandbox clock advanced', object: 'clock', detail: { seconds } });
  return readSandbox(desk, asked);
}

async function arm(desk: Desk, asked: Asked, body: ScenarioRequest): Promise<SandboxState> {
  const reading = new Reading(false);
  checkScenario(body, reading);
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  await armScenario(desk.tools, await asRequest(desk, asked, body));
  await note(desk, asked, { action: 'sandbox scenario changed', object: body.operation, detail: { ...body } });
  return readSandbox(desk, asked);
}

async function clear(desk: Desk, asked: Asked): Promise<SandboxState> {
  const { caller } = await asRequest(desk, asked, {});
  await removeScenarios(desk.tools, caller);
  await note(desk, asked, { action: 'sandbox scenario changed', object: 'all', detail: { removed: true } });
  return readSandbox(desk, asked);
}

async function makeOrders(desk: Desk, asked: Asked, count: number): Promise<{ readonly orders: number }> {
  const orders = await desk.makeOrders?.(asked.account_id, count);
  if (orders === undefined) throw unknown('way to make orders for this account: its keys are not known here');
  await note(desk, asked, { action: 'test orders made', object: asked.account_id, detail: { orders } });
  return { orders };
}
