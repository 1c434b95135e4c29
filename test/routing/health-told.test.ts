// provider.health_changed: accounts are told once when new payments do not go to a contract as usual any more, and once
// when they do again, whatever brought it about; and holds of a whole provider that end by themselves.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DEPLOYMENT, verifyChain } from '../../src/backoffice/audit/audit.ts';
import { hold } from '../../src/commands/routing/health.ts';
import { readWords } from '../../src/commands/arguments.ts';
import { holdContract } from '../../src/payment/routing/hold-store.ts';
import { firstOwner } from '../backoffice/person.ts';
import { type Client, until } from '../client.ts';
import { type Receiver, receiver } from '../notifications/receiver.ts';
import { accountOf } from '../risk/till.ts';
import { type World, world } from '../world.ts';

let w: World;
let account: string;
let contract: string;
let mine: Receiver;
let others: Receiver;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  account = await accountOf(w);
  contract = await contractOf(account);
  [mine, others] = [await receiver(), await receiver()];
  await subscribe(w.shop, mine);
  await subscribe(await w.otherShop(), others);
});
afterAll(async () => {
  await mine[Symbol.asyncDispose]();
  await others[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});

const subscribe = (shop: Client, { url }: Receiver) =>
  shop.api('/notification/endpoint', { body: { url, events: ['provider.health_changed'] } });

async function contractOf(id: string): Promise<string> {
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.contracts WHERE merchant_account_id = decode($1, 'hex') AND provider = 'simulator'`,
    [id],
  );
  return row?.id ?? '';
}

/** The machine of a provider moves, as a process writes it. */
async function becomes(to: string, provider = 'simulator'): Promise<void> {
  await w.sql(
    `WITH before AS (SELECT coalesce((SELECT health FROM payment.providers WHERE name = $1), 'closed') AS was),
     now AS (INSERT INTO payment.providers (name, health) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET health = $2)
     INSERT INTO payment.health_changes (provider, from_state, to_state, reason) SELECT $1, was, $2, 'a test' FROM before`,
    [provider, to],
  );
}

/** What came since the last time, with those that are still on their way. */
async function told(by: Receiver, count: number): Promise<readonly unknown[]> {
  const before = seen.get(by) ?? 0;
  const taken = await by.until((all) => all.length >= before + count);
  seen.set(by, before + count);
  return taken.slice(before).map(({ body }) => body);
}
const seen = new Map<Receiver, number>();
const written = async () =>
  (
    await w.sql<{ n: number }>(`SELECT count(*)::int AS n FROM payment.events WHERE type = 'provider.health_changed'`)
  )[0]?.n;

const holdAs = (words: readonly string[], ...rest: readonly string[]) =>
  hold(
    {
      tools: w.service.tools,
      words: readWords([...words, '--by', 'ada', '--note', 'they called'], {
        usage: '',
        texts: ['by', 'note', 'for', 'tell'],
        flags: [],
      }),
    },
    rest,
  );

beforeEach(async () => {
  await w.sql(`UPDATE payment.providers SET held = NULL, health = 'closed'`);
});

test('a provider that is left makes one event, and one when it is back, for every account with a contract there', async () => {
  await becomes('open');
  const [first] = await told(mine, 1);
  expect(first).toMatchObject({
    event: 'provider.health_changed',
    merchant_account: account,
    provider: 'simulator',
    contract,
    scheme: null,
    takes_payments: false,
    from: 'closed',
    to: 'open',
    reason: 'a test',
  });
  expect(await told(others, 1)).toMatchObject([{ takes_payments: false }]);
  for (const state of ['half', 'spread', 'half', 'spread', 'closed']) await becomes(state);
  expect(await told(mine, 1)).toMatchObject([{ takes_payments: true, from: 'spread', to: 'closed', sequence: 2 }]);
  expect(await told(others, 1)).toMatchObject([{ takes_payments: true }]);
  expect(await written()).toBe(4);
});

test('a hold of a contract makes one for its account alone; what its provider does meanwhile makes no second', async () => {
  const db = w.service.tools.db.tenant(account);
  const holding = { id: contract, until: null, by: 'ada', reason: 'their maintenance' };
  await holdContract(db, { ...holding, held: 'open' });
  expect(await told(mine, 1)).toMatchObject([{ takes_payments: false, reason: 'their maintenance' }]);
  await becomes('half');
  expect(await told(others, 1)).toMatchObject([{ takes_payments: false }]);
  await holdContract(db, { ...holding, held: null });
  // its provider is not well by now
  await becomes('spread');
  await becomes('closed');
  expect(await told(mine, 1)).toMatchObject([{ takes_payments: true, to: 'closed' }]);
  expect(await told(others, 1)).toMatchObject([{ takes_payments: true }]);
});

test('the declines of a contract with one scheme change its state for that scheme alone', async () => {
  const change = (from: string, to: string) =>
    w.sql(
      `INSERT INTO payment.health_changes (provider, contract_id, scheme, from_state, to_state, reason)
       VALUES ('simulator', decode($1, 'hex'), 'visa', $2, $3, 'a test')`,
      [contract, from, to],
    );
  const before = (await written()) ?? 0;
  await change('closed', 'suspected');
  expect(await written()).toBe(before);
  await change('suspected', 'half');
  expect(await told(mine, 1)).toMatchObject([{ scheme: 'visa', takes_payments: false }]);
  await change('half', 'spread');
  await change('spread', 'closed');
  expect(await told(mine, 1)).toMatchObject([{ scheme: 'visa', takes_payments: true }]);
});

test('an account that asks for none of it has nothing written', async () => {
  const before = await written();
  await w.sql(`UPDATE payment.endpoints SET events = '{capture_successful}'`);
  await becomes('open', 'simulator_b');
  await becomes('closed', 'simulator_b');
  expect(await written()).toBe(before);
  await w.sql(`UPDATE payment.endpoints SET events = '{provider.health_changed}'`);
});

test('the operator holds a provider until a moment, at which it ends by itself', async () => {
  const { breaker } = w.service.tools;
  expect(await holdAs(['--for', '2h'], 'simulator', 'open')).toMatch(/^simulator is held open until 20\d\d-/);
  await until(() => breaker.isOpen('simulator') || undefined);
  expect(await told(mine, 1)).toMatchObject([
    { takes_payments: false, reason: 'the operator sends nothing there for now' },
  ]);
  await w.sql(`UPDATE payment.providers SET held_until = payment.now() WHERE name = 'simulator'`);
  await until(() => !breaker.isOpen('simulator') || undefined);
  expect(await told(mine, 1)).toMatchObject([{ takes_payments: true, reason: 'the time it was held for is over' }]);
  const [row] = await w.sql(`SELECT held, held_until FROM payment.providers WHERE name = 'simulator'`);
  expect(row).toEqual({ held: null, held_until: null });
});

test('why the operator holds a provider is in the audit of the deployment, and accounts read what is meant for them', async () => {
  await holdAs(['--tell', 'maintenance tonight'], 'simulator', 'open');
  expect(await told(mine, 1)).toMatchObject([{ reason: 'maintenance tonight' }]);
  await holdAs([], 'simulator', 'free');
  expect(await told(mine, 1)).toMatchObject([{ takes_payments: true, reason: 'the operator lets it go' }]);
  const kept = await w.sql(
    `SELECT actor, object, reason, source, detail FROM payment.audit WHERE action = 'provider held' ORDER BY seq DESC LIMIT 2`,
  );
  const who = { actor: 'ada', object: 'simulator', reason: 'they called', source: 'command line' };
  expect(kept).toEqual([
    { ...who, detail: { held: 'free', until: null, told: 'the operator lets it go' } },
    { ...who, detail: { held: 'open', until: null, told: 'maintenance tonight' } },
  ]);
  expect(await verifyChain(w.service.tools.db, DEPLOYMENT)).toMatchObject({ whole: true });
  // a hold that changes nothing is none
  await holdAs([], 'simulator', 'free');
  expect(await w.sql(`SELECT count(*)::int AS n FROM payment.audit WHERE action = 'provider held'`)).toEqual([
    { n: 3 },
  ]);
  const owner = await firstOwner(w);
  const page = await owner.get('/api/providers');
  expect(page.text).toContain('maintenance tonight');
  expect(page.text).not.toContain('they called');
});

test.each(['soon', '0h', '4w', '-1h'])('a hold for %s is refused', async (time) => {
  await expect(holdAs([`--for=${time}`], 'simulator', 'open')).rejects.toThrow('--for must be a time such as');
});

test('a time belongs to a hold', async () => {
  await expect(holdAs(['--for', '2h'], 'simulator', 'free')).rejects.toThrow('--for belongs to open and closed');
});
