// Contracts that get fewer payments than their rules give them: for what they decline, and by a person's word.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { textAt, until } from '../client.ts';
import { accountOf } from '../risk/till.ts';
import { type World, world } from '../world.ts';

vi.setConfig({ testTimeout: 60_000 });
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

test('what is paid is counted by contract and scheme, a card once an hour; what says nothing of the contract is not', async () => {
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
  }, 30);
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
