// The sandbox's page: test cards, the clock, armed faults, orders to look at. A production deployment has none of these
// routes.
import { int } from '../../core/fields.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { Reading, required } from '../../core/shape.ts';
import { afterCommit, withTransaction } from '../../kit/database.ts';
import { listCards } from '../../payment/sandbox/books.ts';
import { ADVANCE, advanceClock } from '../../payment/sandbox/clock/clock.ts';
import {
  FAULTS,
  SCENARIO,
  type ScenarioRequest,
  armScenario,
  checkScenario,
  listScenarios,
  removeScenarios,
} from '../../payment/sandbox/scenario.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { asRequest } from '../verb.ts';
import { readMailbox } from './mailbox.ts';
import type { SandboxState, TestCard } from '../wire/sandbox.ts';

const MOST_ORDERS = 50;

export function sandboxRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  if (context.tools.environment === 'production') return [];
  const of = { right: 'sandbox' } as const;
  return [
    backofficeRoute(context, { ...of, route: 'GET /sandbox', handle: (asked) => readSandbox(context, asked) }),
    backofficeRoute(context, { ...of, route: 'GET /sandbox/mails', handle: (asked) => readMailbox(context, asked) }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /sandbox/clock',
      body: { advance_s: required(ADVANCE.seconds) },
      handle: (asked) => advance(context, asked, asked.body.advance_s),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /sandbox/scenarios',
      body: SCENARIO,
      handle: (asked) => arm(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'DELETE /sandbox/scenarios',
      handle: (asked) => clear(context, asked),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /sandbox/orders',
      body: { count: required(int(1, MOST_ORDERS)) },
      handle: (asked) => makeOrders(context, asked, asked.body.count),
    }),
  ];
}

type Rows = readonly Readonly<Record<string, unknown>>[];

async function readSandbox(context: BackofficeContext, asked: BackofficeRequest): Promise<SandboxState> {
  const { tools } = context;
  const { caller } = await asRequest(context, asked, {});
  const [clock, known, armed] = await Promise.all([
    tools.test_clock.look(),
    listCards(tools),
    listScenarios(tools, caller),
  ]);
  const { cards } = known.body;
  const { scenarios } = armed.body;
  const rows: Rows = Array.isArray(cards) ? cards : [];
  const faults: Rows = Array.isArray(scenarios) ? scenarios : [];
  return {
    clock: { now: clock.now.toISOString(), shift_s: Math.round(clock.shift_ms / 1000) },
    cards: rows.map(viewCard),
    scenarios: faults,
    operations: wordsOf(SCENARIO.operation.schema),
    faults: FAULTS,
    providers: wordsOf(SCENARIO.provider.schema),
    can_make_orders: context.makeOrders !== undefined,
  };
}

function viewCard({ number, outcome, codes }: Rows[number]): TestCard {
  const all: readonly unknown[] = Array.isArray(codes) ? codes : [];
  return { number: String(number), does: String(outcome), codes: all.map(String) };
}

function wordsOf({ enum: words }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(words) ? words.filter((word): word is string => typeof word === 'string') : [];
}

type Event = Parameters<BackofficeRequest['record']>[1];

/** Writes the audit record after the act itself, which happens outside of this database. */
function note({ tools }: BackofficeContext, asked: BackofficeRequest, event: Event): Promise<void> {
  return afterCommit(() => withTransaction(tools.db, asked.account_id, (tx) => asked.record(tx, event)));
}

async function advance(context: BackofficeContext, asked: BackofficeRequest, seconds: number): Promise<SandboxState> {
  await advanceClock(context.tools, await asRequest(context, asked, { seconds }));
  await note(context, asked, { action: 'sandbox clock advanced', object: 'clock', detail: { seconds } });
  return readSandbox(context, asked);
}

async function arm(context: BackofficeContext, asked: BackofficeRequest, body: ScenarioRequest): Promise<SandboxState> {
  const reading = new Reading(false);
  checkScenario(body, reading);
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  await armScenario(context.tools, await asRequest(context, asked, body));
  await note(context, asked, { action: 'sandbox scenario changed', object: body.operation, detail: { ...body } });
  return readSandbox(context, asked);
}

async function clear(context: BackofficeContext, asked: BackofficeRequest): Promise<SandboxState> {
  const { caller } = await asRequest(context, asked, {});
  await removeScenarios(context.tools, caller);
  await note(context, asked, { action: 'sandbox scenario changed', object: 'all', detail: { removed: true } });
  return readSandbox(context, asked);
}

async function makeOrders(
  context: BackofficeContext,
  asked: BackofficeRequest,
  count: number,
): Promise<{ readonly orders: number }> {
  const orders = await context.makeOrders?.(asked.account_id, count);
  if (orders === undefined) throw unknown('way to make orders for this account: its keys are not known here');
  await note(context, asked, { action: 'test orders made', object: asked.account_id, detail: { orders } });
  return { orders };
}
