// florin order show ID --replay: makes the order's calls once more in a sandbox of its own: a new database, simulated
// providers and ports, the same seed, and a clock that begins when the order began. It compares the new outcome with
// the earlier one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../settings/config.ts';
import { StartError } from '../../kit/start-error.ts';
import { changeSettings, readSettings } from '../../payment/merchant/change-settings.ts';
import type { OrderFacts } from '../../payment/order/facts/order-facts.ts';
import { findOrder } from '../../payment/order/facts/order-store.ts';
import type { Timeline } from '../../payment/order/timeline/read-timeline.ts';
import { type Service, startService } from '../../hosts/service.ts';
import type { MoneySession } from '../ledger/session.ts';
import { moneyText, tableOf } from '../ledger/table.ts';
import { type Merchant, merchantAt, problemOf, textIn } from '../sandbox/session.ts';
import { type Call, callsOf, doubtOf } from './plan.ts';

export type Replayed = {
  readonly differences: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly text: string;
};

type ReplayOptions = { readonly version: string; readonly card: string | undefined; readonly arm: string | undefined };

const PATIENCE_MS = 15_000;
const LOOK_MS = 50;
/** Later than every moment in an order. */
const END_OF_TIME = '9999';
/** The sandbox is started this long before the first call. */
const EARLY_MS = 60_000;

export async function replay(
  money: MoneySession,
  { order, moments }: Timeline,
  wanted: ReplayOptions,
): Promise<Replayed> {
  const calls = callsOf(order, wanted.card);
  const doubt = doubtOf(order);
  if (doubt !== undefined) console.error(doubt);
  const faults = faultsOf(wanted.arm);
  const settings = await readSettings(money.tools, order.merchant_account_id);
  console.error(
    `A fresh sandbox plays ${calls.length === 1 ? 'the call' : `the ${calls.length} calls`} of this order again …`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'florin-replay-'));
  try {
    const service = await startFresh(money.config, { folder, version: wanted.version, begins_at: beginOf(order) });
    try {
      const stage = stageOf(service, order);
      await changeSettings(service.tools, stage.account, settings);
      for (const body of faults) await stage.merchant.get('/sandbox/scenario', { body });
      for (const call of calls) await stage.play(call);
      const end = moments.at(-1)?.at ?? order.updated_at;
      await stage.passTo(end);
      await stage.caughtUp(END_OF_TIME);
      return compared(order, await stage.order());
    } finally {
      await service.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const beginOf = ({ created_at }: OrderFacts): Date => new Date(Date.parse(created_at) - EARLY_MS);

function startFresh(
  config: Config,
  { folder, version, begins_at }: { folder: string; version: string; begins_at: Date },
): Promise<Service> {
  const fresh = readConfig({
    FLORIN_API_PORT: '0',
    FLORIN_VAULT_PORT: '0',
    FLORIN_BACKOFFICE_PORT: '0',
    FLORIN_DATA_DIR: folder,
    FLORIN_LOG_LEVEL: 'silent',
    FLORIN_SANDBOX_SEED: config.sandbox_seed,
    FLORIN_BRAND: config.brand,
    FLORIN_KEY_LETTERS: config.key_letters,
    FLORIN_SIMULATOR_DEADLINE_S: String(config.simulator_deadline_s),
  });
  const failed = (error: Error) => {
    throw error;
  };
  return startService({ config: fresh, version, say: () => undefined, failed, begins_at });
}

/** The fresh sandbox, as a merchant's calls see it. */
function stageOf({ tools, demo, addresses }: Service, then: OrderFacts) {
  if (!demo) throw new Error('a sandbox has a demo account');
  const merchant = merchantAt(addresses, demo.private_key);
  const db = tools.db.tenant(demo.merchant_account_id);
  let order_id = '';
  const order = async (): Promise<OrderFacts> => {
    const now = await findOrder(db, order_id);
    if (!now) throw new StartError('The order could not be made again: nothing was accepted.');
    return now;
  };
  /** Moves the clock to this moment of the order; it does not correct for the real time that passes. */
  const passTo = async (at: string): Promise<void> => {
    const began = order_id === '' ? Date.parse(then.created_at) : Date.parse((await order()).created_at);
    const to = began + Date.parse(at) - Date.parse(then.created_at);
    if (to - tools.clock.now().getTime() < 1000) return;
    const said = await merchant.get('/sandbox/clock/advance', { body: { to: new Date(to).toISOString() } });
    // with much work on the way one step is not enough
    while (said['settled'] !== true && !(await tools.test_clock.reach(tools.clock.shift_ms(), PATIENCE_MS)));
  };
  /**
   * Waits until as many events have happened as by then in the first order, or until it must be assumed that this one
   * ends otherwise.
   */
  const caughtUp = async (at: string): Promise<void> => {
    const wanted = then.events.filter((event) => event.at < at).length;
    const until = tools.clock.ticks() + PATIENCE_MS;
    while ((await order()).events.length < wanted && tools.clock.ticks() < until) await tools.clock.sleep(LOOK_MS);
  };
  const play = async (call: Call): Promise<void> => {
    await passTo(call.at);
    if (order_id !== '') await caughtUp(call.at);
    const said = await sent(merchant, call, order_id === '' ? undefined : await order());
    if (call.kind === 'order') order_id = textIn(said.body, 'order_id');
    if (order_id === '') throw new StartError(`The order is refused now, with ${said.status}: ${problemOf(said.body)}`);
  };
  return { account: demo.merchant_account_id, merchant, order, passTo, caughtUp, play };
}

async function sent(merchant: Merchant, { kind, body, card, capture }: Call, order: OrderFacts | undefined) {
  const headers = { prefer: 'wait=0' };
  const token = card && { token: await merchant.token(card.number, { token_type: card.token_type }) };
  if (kind === 'order') return merchant.ask('/payment/order', { body: { ...body, ...token }, headers });
  const id = order?.id ?? '';
  if (kind === 'retry')
    return merchant.ask(`/payment/order/${id}`, { method: 'PUT', body: { ...body, ...token }, headers });
  const captured =
    capture === undefined ? undefined : order?.operations.filter((one) => one.kind === 'capture')[capture];
  const named = captured && { capture_id: captured.id };
  return merchant.ask(`/payment/maintenance/${kind}/${id}`, { body: { ...body, ...named }, headers });
}

function faultsOf(text: string | undefined): readonly object[] {
  return (text ?? '').split(',').flatMap((one) => {
    const [operation = '', fault] = one.split(':');
    if (one === '') return [];
    if (fault === undefined) throw new StartError(`--arm ${one} is no OPERATION:FAULT, such as capture:timeout_taken.`);
    return [{ operation, fault }];
  });
}

/** The outcome of an order, without values that are new each time: ids, times and references. */
function outcomesOf({ events, operations, transactions, ...order }: OrderFacts): readonly string[] {
  const money = (minor: bigint) => moneyText(minor, order.currency);
  return [
    ...transactions.map(({ provider, cascade_of }) => `${cascade_of === null ? 'attempt' : 'fallback'} at ${provider}`),
    ...events.map(({ type, code }) => `${type} ${code ?? ''}`.trimEnd()),
    ...operations.map((one) => `${one.kind} ${money(one.amount_minor)} ${one.state} ${one.code ?? ''}`.trimEnd()),
    `authorized ${money(order.authorized_minor)}, captured ${money(order.captured_minor)}, refunded ${money(order.refunded_minor)}, released ${money(order.released_minor)}`,
  ];
}

/** Compares line by line; a line that only one order has stands alone. */
export function compared(order: OrderFacts, again: OrderFacts): Replayed {
  const [before, after] = [outcomesOf(order), outcomesOf(again)];
  const rows = aligned(before, after).map(([left, right]) => [left === right ? '' : '≠', left ?? '', right ?? '']);
  const differences = rows.filter(([mark]) => mark !== '').length;
  const table = tableOf([{ title: '' }, { title: 'then' }, { title: 'again' }], rows);
  const end =
    differences === 0
      ? 'It came out the same.'
      : `It came out differently: ${differences} ${differences === 1 ? 'line' : 'lines'}. Was a scenario armed then? --arm arms it here too.`;
  return { differences, before, after, text: `${table}\n\n${end}` };
}

type Pair = readonly [string | undefined, string | undefined];

/** Puts equal lines beside each other, from the first line on. */
function aligned(before: readonly string[], after: readonly string[]): readonly Pair[] {
  const [left, ...more_left] = before;
  const [right, ...more_right] = after;
  if (left === undefined) return after.map((line) => [undefined, line]);
  if (right === undefined) return before.map((line) => [line, undefined]);
  if (left === right) return [[left, right], ...aligned(more_left, more_right)];
  const [in_left, in_right] = [before.indexOf(right), after.indexOf(left)];
  if (in_left < 0 && in_right < 0) return [[left, right], ...aligned(more_left, more_right)];
  // both orders meet again at the nearer of the two lines
  if (in_right < 0 || (in_left >= 0 && in_left < in_right)) return [[left, undefined], ...aligned(more_left, after)];
  return [[undefined, right], ...aligned(before, more_right)];
}
