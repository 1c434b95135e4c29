// Settlement files as they come: of several days and in any order, twice, overlapping, with lines of other amounts and
// currencies, of operations that are open, done and refused here. Each is applied, and compared with a model.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fileBooks } from '../../src/payment/ledger/reconcile/file.ts';
import { keeperOf } from '../../src/payment/ledger/reconcile/keep.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { applyDifference } from '../../src/payment/order/review/apply.ts';
import { textAt } from '../client.ts';
import { operationsOf } from '../doubt/said.ts';
import { type Random, pick, seeded } from '../seeded.ts';
import { type World, world } from '../world.ts';
import { verified } from './till.ts';

vi.setConfig({ testTimeout: 300_000 });
let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '3' });
});
afterAll(() => w[Symbol.asyncDispose]());

const HISTORIES = 40;

type Held = 'done' | 'refused' | 'open';
/** What the provider did: `back`: it did it, and the money came back. */
type Truth = 'done' | 'declined' | 'back' | 'nothing';
type Twist = 'none' | 'amount' | 'currency';
type Case = { readonly kind: 'capture' | 'refund'; readonly held: Held; readonly truth: Truth; readonly twist: Twist };
type Line = Readonly<Record<string, unknown>>;
type Play = Case & { readonly seed: number; readonly order_id: string; readonly id: string; readonly ref: string };

function shuffled<T>(draw: Random, from: readonly T[]): readonly T[] {
  return from
    .map((one) => [draw(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);
}

function caseOf(draw: Random): Case {
  const kind = pick(draw, ['capture', 'refund'] as const);
  const held = pick(draw, ['done', 'refused', 'open', 'open'] as const);
  const truth = pick(
    draw,
    kind === 'refund' ? (['done', 'declined', 'back', 'nothing'] as const) : (['done', 'declined', 'nothing'] as const),
  );
  return { kind, held, truth, twist: pick(draw, ['none', 'none', 'none', 'amount', 'currency'] as const) };
}

const row = async (id: string) =>
  (
    await w.sql<{
      state: string;
      reason: string | null;
      provider: string;
      provider_ref: string | null;
      amount_minor: number;
    }>(
      `SELECT state, reason, provider, provider_ref, amount_minor FROM payment.operations WHERE id = decode($1, 'hex')`,
      [id],
    )
  )[0];

/** Brings an order here into the state of the case. */
async function begun(one: Case, seed: number): Promise<Play> {
  const order_merchant_id = `random-${seed}`;
  const refuses = { capture: '4000009902000010', refund: '4000009903000019' }[one.kind];
  const card = one.held === 'refused' ? { card_number: refuses } : {};
  const operation_type = one.kind === 'capture' ? 'authorize' : 'direct_capture';
  const order_id = textAt(await w.shop.pay(card, { operation_type, order_merchant_id }), 'order_id');
  if (one.held === 'open')
    await w.shop.api('/sandbox/scenario', {
      body: { operation: one.kind, fault: 'http_500_before', times: 1, match: { order_merchant_id } },
    });
  const prefer = one.held === 'open' ? 'wait=1' : 'wait=10';
  await w.shop.api(`/payment/maintenance/${one.kind}/${order_id}`, { body: { amount: '5.00' }, headers: { prefer } });
  const [id = ''] = await operationsOf(w, order_id, one.kind);
  if (one.held === 'open')
    await w.sql(
      `UPDATE payment.operations SET due_at = payment.now() + interval '1 day', state = 'in_doubt',
         created_at = created_at - interval '1 hour', sent_at = sent_at - interval '1 hour'
       WHERE id = decode($1, 'hex')`,
      [id],
    );
  const held = { done: 'successful', refused: 'declined', open: 'in_doubt' }[one.held];
  expect([seed, (await row(id))?.state]).toEqual([seed, held]);
  return { ...one, seed, order_id, id, ref: (await row(id))?.provider_ref ?? `ref_${seed}` };
}

/** The provider's lines, each with the day whose file has it. */
async function linesOf(
  { kind, truth, twist, order_id, id, ref }: Play,
  draw: Random,
): Promise<readonly (readonly [number, Line])[]> {
  const { provider } = (await row(id)) ?? {};
  const merchant_account_id = w.account;
  const of = { provider, kind, reference: id, order_id, merchant_account_id, provider_ref: ref };
  const money = { amount_minor: twist === 'amount' ? 499 : 500, currency: twist === 'currency' ? 'USD' : 'EUR' };
  const day = Math.floor(draw() * 2);
  const made = { ...of, ...money, state: 'done' };
  const back = { ...of, ...money, state: 'undone' };
  switch (truth) {
    case 'done':
      return [[day, made]];
    case 'declined':
      return [[day, { ...of, ...money, state: 'declined' }]];
    case 'back':
      return [
        [day, made],
        [pick(draw, [day, day + 1]), back],
      ];
    case 'nothing':
      return [];
  }
}

let files = 0;
async function read(lines: readonly Line[]): Promise<readonly string[]> {
  if (lines.length === 0) return [];
  const name = `day-${++files}.jsonl`;
  const path = join(w.data_dir, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { db } = w.service.tools;
  // nothing is young
  const asked = {
    db,
    source: await fileBooks(path),
    in_flight: new Map<string, number>(),
    account: w.account,
  };
  const keeper = keeperOf(asked);
  const told: string[] = [];
  const done = await reconcile({
    ...asked,
    from: new Date(Date.now() + 86_400_000),
    found: async (difference) => {
      const became = await applyDifference(w.service.tools, difference);
      told.push(
        `${difference.kind} ${difference.ours}/${difference.theirs}: ${became.kind === 'applied' ? became.state : became.why}`,
      );
      const words = became.kind === 'applied' ? `applied: ${became.state}` : `parked: ${became.why}`;
      await keeper.keep(difference, { became: words, applied: became.kind === 'applied' });
    },
    progress: () => undefined,
  });
  await keeper.end(done.looked);
  return told;
}

async function ledgerOf(order_id: string): Promise<string> {
  const rows = await w.sql(
    `SELECT posting, debit, credit, amount_minor FROM payment.ledger_entries WHERE order_id = decode($1, 'hex') ORDER BY 1, 2, 3, 4`,
    [order_id],
  );
  return JSON.stringify(rows);
}

async function shown({ order_id, id }: Play) {
  const open = await w.sql<{ said: string }>(
    `SELECT said FROM payment.contradictions WHERE operation_id = decode($1, 'hex') AND state = 'open'`,
    [id],
  );
  const findings = await w.sql<{ kind: string }>(
    `SELECT kind FROM payment.reconcile_findings WHERE order_id = decode($1, 'hex') AND state = 'open' ORDER BY kind`,
    [order_id],
  );
  const is_in_doubt = (await w.shop.read(order_id)).at('is_in_doubt');
  return { contradictions: open.map(({ said }) => said), findings: findings.map(({ kind }) => kind), is_in_doubt };
}

/** `findings` undefined: they follow the order of the files. */
type End = { readonly state: string; readonly contradicted: boolean; readonly findings: readonly string[] | undefined };

/** What must be held and shown once all files were read, whatever their order. */
function ends({ held, truth, twist }: Case, files_read: readonly (readonly Line[])[]): End {
  const before = { done: 'successful', refused: 'declined', open: 'in_doubt' }[held];
  const stays = (more: Partial<End> = {}): End => ({ state: before, contradicted: false, findings: [], ...more });
  if (truth === 'nothing') return stays();
  const money = twist === 'none' ? [] : [twist];
  if (truth === 'declined') {
    // the books have no money of it, whatever amount the line has
    if (held === 'refused') return stays();
    return stays({ state: 'declined' });
  }
  if (truth === 'done') {
    if (held === 'done') return stays({ findings: money });
    if (held === 'refused') return stays({ contradicted: true, findings: ['state'] });
    return money.length > 0 ? stays({ findings: [...money, 'state'] }) : stays({ state: 'successful' });
  }
  // it was done and came back: nothing of it stands. Who reads the first of it alone holds a contradiction
  const first = files_read.find((lines) => lines.length > 0) ?? [];
  const is_alone = !first.some(({ state }) => state === 'undone');
  if (held === 'refused') return stays({ contradicted: is_alone, findings: undefined });
  return stays({ state: 'declined', findings: undefined });
}

test.each(Array.from({ length: HISTORIES }, (_, n) => n + 1))('the files of history %i', async (seed) => {
  const draw = seeded(seed);
  const one = await begun(caseOf(draw), seed);
  const lines = await linesOf(one, draw);
  const month = lines.map(([, line]) => line);
  const days = [0, 1, 2].map((day) => lines.filter(([at]) => at === day).map(([, line]) => line));
  const order = shuffled(draw, [
    ...days,
    // an overlapping one, and one that is sent again
    ...(draw() < 0.4 ? [shuffled(draw, month)] : []),
    ...(draw() < 0.4 ? [pick(draw, days)] : []),
  ]);
  const story: string[] = [JSON.stringify({ ...one, order: order.map((day) => day.map((line) => line['state'])) })];
  for (const day of order) story.push(...(await read(day)));
  const now = await row(one.id);
  const seen = await shown(one);
  const end = ends(one, order);
  const was = [now?.state, seen.contradictions.length > 0, seen.findings, story];
  expect(was).toEqual([end.state, end.contradicted, end.findings ?? seen.findings, story]);
  expect(seen.is_in_doubt).toBe(end.contradicted || end.state === 'in_doubt');
  // read once more, in another order, nothing moves
  const before = await ledgerOf(one.order_id);
  for (const day of shuffled(draw, [...days, month])) await read(day);
  expect([await ledgerOf(one.order_id), (await row(one.id))?.state]).toEqual([before, now?.state]);
  expect((await verified(w)).first).toBeUndefined();
});
