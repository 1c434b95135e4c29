// Contracts that get fewer payments than their rules give them: for what they decline, and by a person's word.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Person, firstOwner, invited } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { accountOf } from '../risk/till.ts';
import { type World, world } from '../world.ts';

vi.setConfig({ testTimeout: 180_000 });
let w: World;
let merchant_account_id: string;
let contracts: readonly { id: string; provider: string }[];
beforeAll(async () => {
  w = await world();
  merchant_account_id = await accountOf(w);
  contracts = await w.sql(
    `SELECT encode(id, 'hex') AS id, provider FROM payment.contracts WHERE merchant_account_id = decode($1, 'hex') ORDER BY priority`,
    [merchant_account_id],
  );
});
afterAll(() => w[Symbol.asyncDispose]());

const [FIRST, SECOND] = ['simulator', 'simulator_b'] as const;
const idOf = (provider: string) => contracts.find((one) => one.provider === provider)?.id ?? '';
const candidate = (provider: string) => ({
  merchant_account_id,
  contract_id: idOf(provider),
  provider,
  scheme: 'visa',
});
let cards = 0;
/** First tries of other cards, as another process might have them. */
function tell(provider: string, tries: number, bad: boolean): void {
  for (let i = 0; i < tries; i++)
    w.service.tools.breaker.decided({ ...candidate(provider), card: String((cards += 1)), bad });
}

const changes = () =>
  w.sql<{ provider: string; to_state: string; mine: boolean; scheme: string | null }>(
    `SELECT provider, to_state, scheme, contract_id = decode($1, 'hex') AS mine FROM payment.health_changes ORDER BY id`,
    [idOf(FIRST)],
  );
const states = async () => (await changes()).map(({ to_state }) => to_state);

test('payments are counted by contract and scheme, a card once an hour; results that say nothing of the contract are not', async () => {
  const before = (await counted()).seen;
  const hour = () => Math.floor(w.service.tools.clock.now().getTime() / 3_600_000);
  const began = hour();
  await w.shop.pay();
  await w.shop.pay();
  await w.shop.pay({ card_number: '4000000000009995' });
  await until(async () => (await counted()).seen > before || undefined);
  const { seen, bad } = await counted();
  expect(bad).toBe(0);
  if (hour() === began) expect(seen).toBe(before + 1);
});

async function counted(): Promise<{ seen: number; bad: number }> {
  const [row] = await w.sql<{ seen: number; bad: number }>(
    'SELECT coalesce(sum(seen), 0)::int AS seen, coalesce(sum(bad), 0)::int AS bad FROM payment.decline_counts',
  );
  return row ?? { seen: 0, bad: 0 };
}

test('a contract that declines what the others approve is suspected, then left, and its orders say so', async () => {
  const { breaker } = w.service.tools;
  tell(FIRST, 40, true);
  await until(async () => (await states()).includes('suspected') || undefined);
  // nobody to compare it with yet
  expect(await states()).not.toContain('half');
  await until(async () => {
    tell(FIRST, 5, true);
    tell(SECOND, 5, false);
    return (await states()).includes('half') || undefined;
  });
  expect((await changes()).at(-1)).toMatchObject({ provider: FIRST, scheme: 'visa', mine: true });
  await until(() => breaker.isPart(candidate(FIRST)) || undefined);
  expect(breaker.stateOf(FIRST)).toBe('closed');
  const orders = await Promise.all(Array.from({ length: 6 }, () => w.shop.pay()));
  const passed = orders.filter((order) => order.at('payin_partner') === SECOND);
  // one in twenty goes there all the same
  expect(passed.length).toBeGreaterThanOrEqual(3);
  const [order] = passed;
  if (!order) throw new Error('most were passed over');
  const read = await w.shop.read(textAt(order, 'order_id'));
  expect(read.at('transactions.0.routing')).toMatchObject({
    skipped: [{ contract: idOf(FIRST), reason: 'suspected' }],
  });
  // another scheme is not meant, nor another account
  const mastercard = await w.shop.pay({ card_number: '5555555555554444' });
  const other = await w.otherShop();
  expect([mastercard.at('payin_partner'), (await other.pay()).at('payin_partner')]).toEqual([FIRST, FIRST]);
});

describe('a person of the account', () => {
  const reason = 'they called: maintenance';
  const path = () => `/api/providers/${idOf(SECOND)}/hold`;
  let owner: Person;
  beforeAll(async () => {
    owner = await firstOwner(w);
    await w.sql(`DELETE FROM payment.decline_counts; DELETE FROM payment.decline_watches`);
    // the second contract is the first choice from here on
    await w.sql(`UPDATE payment.contracts SET priority = 0 WHERE provider = $1`, [SECOND]);
    await until(() => !w.service.tools.breaker.isPart(candidate(FIRST)) || undefined);
    await goesTo(SECOND);
  });
  const goesTo = (provider: string) =>
    until(async () => (await w.shop.pay()).at('payin_partner') === provider || undefined);

  test('holds a contract: its payments go elsewhere, nobody else is touched, and it is shown and kept', async () => {
    const reply = await owner.post(path(), { held: 'open', reason });
    expect([reply.status, reply.at('held'), reply.at('held_until')]).toEqual([200, 'open', null]);
    await goesTo(FIRST);
    const order = await w.shop.pay();
    const read = await w.shop.read(textAt(order, 'order_id'));
    expect(read.at('transactions.0.routing.skipped')).toEqual([{ contract: idOf(SECOND), reason: 'held' }]);
    const other = await w.otherShop();
    await w.sql(`UPDATE payment.contracts SET priority = 0 WHERE provider = $1`, [SECOND]);
    await until(async () => (await other.pay()).at('payin_partner') === SECOND || undefined);
    const shown = await owner.get('/api/providers');
    expect(shown.at('contracts.0')).toMatchObject({
      held: 'open',
      changes: [{ to: 'open', reason, by: 'ada@shop.example', scheme: null }],
    });
    const [audit] = await w.sql(`SELECT action, object FROM payment.audit ORDER BY seq DESC LIMIT 1`);
    expect(audit).toEqual({ action: 'contract held', object: idOf(SECOND) });
    expect((await owner.post(path(), { held: 'free', reason })).at('held')).toBe(null);
    await goesTo(SECOND);
  });

  test('holds it until a moment, at which it ends by itself', async () => {
    const now = w.service.tools.clock.now().getTime();
    const soon = new Date(now + 3_600_000).toISOString();
    expect((await owner.post(path(), { held: 'open', until: soon, reason })).at('held_until')).toBe(soon);
    await goesTo(FIRST);
    await w.shop.api('/sandbox/clock/advance', { body: { seconds: 3700 } });
    await goesTo(SECOND);
    expect((await changes()).at(-1)).toMatchObject({ provider: SECOND, to_state: 'closed' });
    const [row] = await w.sql(`SELECT held, held_until FROM payment.contracts WHERE provider = $1 AND priority = 0`, [
      SECOND,
    ]);
    expect(row).toEqual({ held: null, held_until: null });
    const past = await owner.post(path(), { held: 'open', until: new Date(now - 1000).toISOString(), reason });
    expect([past.status, past.text]).toEqual([400, expect.stringContaining('until')]);
  });

  test('says that it is well: it gets its payments although its provider is left alone', async () => {
    await w.sql(
      `INSERT INTO payment.providers (name, held) VALUES ($1, 'open') ON CONFLICT (name) DO UPDATE SET held = 'open'`,
      [SECOND],
    );
    await goesTo(FIRST);
    expect((await owner.post(path(), { held: 'closed', reason })).status).toBe(200);
    await goesTo(SECOND);
    await w.sql(`UPDATE payment.providers SET held = NULL`);
    expect((await owner.post(path(), { held: 'free', reason })).status).toBe(200);
  });

  test('must have the right to it', async () => {
    const reader = await invited(w, owner, 'reader', 'reader@shop.example');
    const operator = await invited(w, owner, 'operator', 'operator@shop.example');
    expect((await reader.post(path(), { held: 'open', reason })).status).toBe(403);
    expect((await operator.post(path(), { held: 'free', reason })).status).toBe(200);
  });
});
