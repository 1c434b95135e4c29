// Rules that choose the contract, from a draft to the reason in an order's read; tried on what is stored; and an
// account without any.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { findAccount } from '../../src/payment/merchant/account.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { draftRoutes, publishRoutes, rollBackRoutes } from '../../src/payment/routing/publish.ts';
import { tryRoutes } from '../../src/payment/routing/try.ts';
import { preparedStatements } from '../../src/kit/database.ts';
import { type Reply, textAt, until } from '../client.ts';
import { numberOf } from '../providers/client.ts';
import { accountOf, inForce, putOnList } from '../risk/till.ts';
import { keepClosed } from '../provider-hold.ts';
import { type World, world } from '../world.ts';
import { florin } from '../command.ts';

vi.setConfig({ testTimeout: 180_000 });
let w: World;
let account: string;
let ids: readonly string[];
beforeAll(async () => {
  w = await world();
  account = await accountOf(w);
  const rows = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.contracts WHERE merchant_account_id = decode($1, 'hex') ORDER BY priority`,
    [account],
  );
  ids = rows.map(({ id }) => id);
});
afterAll(() => w[Symbol.asyncDispose]());

const draftOf = (document: object) => draftRoutes(w.service.tools, account, parseJson(JSON.stringify(document)));

async function publish(document: object): Promise<number> {
  const { draft } = await draftOf(document);
  const version = await publishRoutes(w.service.tools, account, { draft, by: 'ada' });
  await inForce(w);
  return version;
}

const routing = async (order: Reply, at = 0) =>
  (await w.shop.read(textAt(order, 'order_id'))).at(`transactions.${at}.routing`);

const TECHNICAL = '420240';
const RULES = {
  rules: [
    { name: 'large', when: { currency: ['EUR'], amount_from: '100' }, then: { order: ['simulator_b', 'simulator'] } },
    {
      name: 'no pos',
      when: { merchant_data: { key: 'till', values: ['closed'] } },
      then: { refuse: 'no_route_channel' },
    },
    {
      name: 'split',
      when: { scheme: ['visa'] },
      then: {
        split: [
          ['simulator', 5000],
          ['simulator_b', 5000],
        ],
      },
    },
  ],
};

test('an account without rules keeps nothing, asks nothing more, and goes where it went', async () => {
  // other files of this worker may have sent some
  const before = new Set(preparedStatements().keys());
  const order = await w.shop.pay({}, { amount: '150' });
  expect([order.code, order.at('payin_partner'), await routing(order)]).toEqual(['955555', 'simulator', null]);
  expect([...preparedStatements().keys()].filter((name) => /route_/.test(name) && !before.has(name))).toEqual([]);
  const [row] = await w.sql<{ notes: string }>('SELECT count(route) AS notes FROM payment.transactions');
  expect(row?.notes).toBe('0');
});

test('the first rule that matches decides, says so in the read, and refuses where it is to', async () => {
  expect(await publish(RULES)).toBe(1);
  const large = await w.shop.pay({}, { amount: '150' });
  expect([large.code, large.at('payin_partner')]).toEqual(['955555', 'simulator_b']);
  expect(await routing(large)).toEqual({
    version: 1,
    rule: 'large',
    because: 'rule',
    offered: [ids[1], ids[0]],
    propensity: 1,
    experiment: null,
    skipped: [],
  });
  const data = { merchant_data: [{ key: 'till', type: 'string', value: 'closed' }] };
  const refused = await w.shop.pay({}, data);
  expect([refused.code, refused.at('status')]).toEqual(['151042', 'authorization_declined']);
  expect(await routing(refused)).toMatchObject({ rule: 'no pos', offered: [] });
  const other = await w.shop.pay({ card_number: '5555555555554444' });
  expect(await routing(other)).toMatchObject({ rule: null, because: 'priority', offered: ids });
});

test('a split draws, and what the request names goes first, alone, or only where no rule decides', async () => {
  const partners = new Set<unknown>();
  for (let i = 0; i < 16 && partners.size < 2; i++) {
    const order = await w.shop.pay();
    partners.add(order.at('payin_partner'));
    expect(await routing(order)).toMatchObject({ rule: 'split', propensity: 0.5 });
  }
  expect(partners).toEqual(new Set(['simulator', 'simulator_b']));
  const named = (fields: object = {}) => w.shop.pay({}, { merchant_contract: 'simulator', amount: '150', ...fields });
  expect(await routing(await named())).toMatchObject({ because: 'named', rule: 'large', offered: [ids[0], ids[1]] });
  await changeSettings(w.service.tools, account, { named_contract: 'only' });
  await inForce(w);
  expect(await routing(await named())).toMatchObject({ because: 'named', offered: [ids[0]], propensity: 1 });
  await changeSettings(w.service.tools, account, { named_contract: 'advice' });
  await inForce(w);
  expect(await routing(await named())).toMatchObject({ because: 'rule', offered: [ids[1], ids[0]] });
  await changeSettings(w.service.tools, account, { named_contract: null });
  await inForce(w);
});

test('a retry is chosen for anew, and a fallback is of the choice of its attempt, as often as the rules allow', async () => {
  // what a person pays in the back office is held to the same rules
  expect((await findAccount(w.service.tools, account))?.settings.routing?.version).toBe(1);
  const declined = await w.shop.pay({ card_number: '4000000000009995' }, { amount: '150' });
  const order_id = textAt(declined, 'order_id');
  const again = await w.shop.api(`/payment/order/${order_id}`, {
    method: 'PUT',
    body: { token: await w.shop.token({ card_number: numberOf(TECHNICAL) }), merchant_data: [] },
    headers: { prefer: 'wait=10' },
  });
  expect(again.code).toBe(TECHNICAL);
  const read = await w.shop.read(order_id);
  expect([0, 1, 2].map((at) => read.at(`transactions.${at}.routing.rule`))).toEqual(['large', 'large', 'large']);
  expect([0, 1, 2].map((at) => read.at(`transactions.${at}.payin_partner`))).toEqual([
    'simulator_b',
    'simulator_b',
    'simulator',
  ]);
  // no provider behind the first
  await publish({ ...RULES, cascade: 0 });
  const alone = await w.shop.pay({ card_number: numberOf(TECHNICAL) }, { amount: '150' });
  expect((await w.shop.read(textAt(alone, 'order_id'))).at('transactions.1')).toBe(undefined);
  await rollBackRoutes(w.service.tools, account, { to: 1, by: 'ada' });
  await inForce(w);
});

test('a trial makes every choice of then again, and says what would go elsewhere; a fallback copies the note of its attempt', async () => {
  const { draft } = await draftOf({ rules: [{ name: 'all to b', then: { order: ['simulator_b'] } }] });
  const seen: number[] = [];
  const trial = await tryRoutes(w.service.tools, account, { draft, progress: (orders) => seen.push(orders) });
  const [row] = await w.sql<{ all: number; b: number }>(
    `SELECT count(*)::int AS all, (count(*) FILTER (WHERE provider = 'simulator_b'))::int AS b
     FROM payment.transactions WHERE cascade_of IS NULL`,
  );
  expect([trial.attempts, trial.defects, trial.complete, trial.refused_then]).toEqual([row?.all, 0, true, 1]);
  const to = (name: string) =>
    trial.moves.filter((move) => move.to === name).reduce((sum, { attempts }) => sum + attempts, 0);
  // of the three that name the contract two went there, and all three would now
  expect([to('simulator_b'), to('simulator'), trial.moved]).toEqual([
    (row?.all ?? 0) - (row?.b ?? 0) - 2,
    1,
    (row?.all ?? 0) - (row?.b ?? 0) - 1,
  ]);
  expect(seen.length).toBe(1);
  const same = await tryRoutes(w.service.tools, account, { draft: (await draftOf(RULES)).draft });
  // nothing moves but what was accepted without rules, and what the settings of then named
  expect(same.rules.find(({ rule }) => rule === 'split')?.moved).toBe(0);
});

test('a trial reads on behind orders that risk refused, gives the same by pages of any size, and stops between two', async () => {
  await putOnList(w, { verdict: 'block', kind: 'email', value: 'bot@shop.example' });
  const refused = await w.shop.pay({}, { customer_email: 'bot@shop.example' });
  expect(refused.at('status')).toBe('risk_assessment_declined');
  await w.shop.pay();
  const { draft } = await draftOf({ rules: [{ name: 'all to b', then: { order: ['simulator_b'] } }] });
  const whole = await tryRoutes(w.service.tools, account, { draft });
  expect(await tryRoutes(w.service.tools, account, { draft, page: 1 })).toEqual(whole);
  const stopping = new AbortController();
  const seen: number[] = [];
  const stopped = await tryRoutes(w.service.tools, account, {
    draft,
    page: 2,
    signal: stopping.signal,
    progress: (orders) => {
      if (seen.push(orders) === 2) stopping.abort();
    },
  });
  expect([seen, stopped.attempts, stopped.stopped, stopped.complete]).toEqual([[2, 4], 4, true, false]);
  // what comes next, from where it stopped, is the rest
  const rest = await tryRoutes(w.service.tools, account, { draft, after: stopped.last });
  expect(stopped.attempts + rest.attempts).toBe(whole.attempts);
  const open = await w.sql(
    "SELECT FROM pg_stat_activity WHERE state <> 'idle' AND query LIKE '%cascade_of IS NULL%' AND pid <> pg_backend_pid()",
  );
  expect(open).toEqual([]);
});

test('a draft under which nothing takes what was paid with lately says so', async () => {
  const document = {
    rules: [{ name: 'dollars', when: { currency: ['USD'] }, then: { order: ['simulator'] } }],
    else: 'refuse',
  };
  const said = 'orders of the last 30 days came in EUR with visa, and nothing here takes them';
  // as soon as the worker has followed the orders
  await until(async () => (await draftOf(document)).warnings.some(({ says }) => says === said) || undefined);
});

test('an unrelated publish moves no order, another target draws anew, and a roll back draws as it did', async () => {
  const sinceOf = async (version: number) => {
    const [row] = await w.sql<{ rules: { rules: { name: string; since: number }[] } }>(
      'SELECT rules FROM payment.route_versions WHERE version = $1',
      [version],
    );
    return Object.fromEntries((row?.rules.rules ?? []).map(({ name, since }) => [name, since]));
  };
  const [large, no_pos, split] = RULES.rules;
  expect(await publish({ rules: [no_pos, { ...split, when: {} }, large] })).toBe(4);
  expect(await sinceOf(4)).toEqual({ large: 1, 'no pos': 1, split: 1 });
  const other = {
    ...split,
    then: {
      split: [
        ['simulator', 9000],
        ['simulator_b', 1000],
      ],
    },
  };
  expect(await publish({ rules: [other] })).toBe(5);
  expect(await sinceOf(5)).toEqual({ split: 5 });
  expect(await rollBackRoutes(w.service.tools, account, { to: 1, by: 'bob' })).toBe(6);
  expect(await sinceOf(6)).toEqual({ large: 1, 'no pos': 1, split: 1 });
  const { draft } = await draftOf(RULES);
  await expect(publishRoutes(w.service.tools, account, { draft, by: 'eve', based_on: 3 })).rejects.toThrow('version 6');
});

const command = (...args: readonly string[]) =>
  florin(w, ...args, ...(args[1] === 'health' || args[1] === 'hold' ? [] : ['--account', account]));

test('the command line lists, shows, tries, publishes, takes back, and says why', async () => {
  const order = textAt(await w.shop.pay({}, { amount: '150' }), 'order_id');
  const file = join(w.data_dir, 'rules.json');
  writeFileSync(file, JSON.stringify({ rules: [{ name: 'x', then: { order: ['simulator_x'] } }] }));
  const good = join(w.data_dir, 'good.json');
  writeFileSync(
    good,
    JSON.stringify({ rules: [{ name: 'to b', when: { region: ['zone'] }, then: { order: ['simulator_b'] } }] }),
  );
  const [wrong, tried, shown, why, told] = await Promise.all([
    command('routing', 'publish', file, '--by', 'ada'),
    command('routing', 'try', good),
    command('routing', 'show'),
    command('routing', 'why', order),
    command('order', 'show', order),
  ]);
  expect(wrong).toMatch(/^1\n[\s\S]*rules\[0\]\.then\.order\[0\] is no contract of this account/);
  expect(tried).toMatch(
    /^0\nremoved {2}large\n[\s\S]*warning {2}to b: never matches: region[\s\S]*Of \d+ attempts \d+ would have gone elsewhere/,
  );
  expect(JSON.parse(shown.slice(2))).toMatchObject({ rules: [{ name: 'large', since: 1 }, {}, {}], cascade: 1 });
  for (const text_of of [why, told])
    expect(text_of).toMatch(/^0\n[\s\S]*Rule large of version 6 by bob\n +Then simulator\n?/);
  expect(await command('routing', 'publish', good, '--by', 'ada', '--based-on', '6', '--note', 'a try')).toMatch(
    /^0\nVersion 7 is in force: 1 rules\.\nwarning/,
  );
  expect(await command('routing', 'roll-back', '0', '--by', 'bob')).toMatch(/^0\nVersion 8 is in force/);
  expect(await command('routing', 'caps-data')).toMatch(/^0\nvisa\n {2}never_approve: of 1; 0 in 30 d/);
  expect(await command('routing', 'list')).toMatch(/^0\n[\s\S]*8 +0 [\s\S]*back to 0[\s\S]*7 +1 [\s\S]*a try/);
  await inForce(w);
  // no rule is left: nothing is kept again
  expect(await routing(await w.shop.pay({}, { amount: '150' }))).toBe(null);
  const audit = await w.sql("SELECT action FROM payment.audit WHERE action LIKE 'routing%' ORDER BY seq");
  expect(audit.map(({ action }) => action)).toEqual(['routing rules published', 'routing rules rolled back']);
});

test('a provider that a person holds gets nothing while another takes it, and comes back when it is let go', async () => {
  await publish({ rules: [{ name: 'a first', then: { order: ['simulator', 'simulator_b'] } }] });
  const { breaker } = w.service.tools;
  const held = await command('routing', 'hold', 'simulator', 'open', '--by', 'ada', '--note', 'they called');
  expect(held).toMatch(/^0\nsimulator is held open\./);
  await until(() => breaker.isOpen('simulator') || undefined);
  const order = await w.shop.pay();
  expect([order.code, order.at('payin_partner')]).toEqual(['955555', 'simulator_b']);
  expect(await routing(order)).toMatchObject({ offered: [ids[1]], skipped: [{ contract: ids[0], reason: 'held' }] });
  expect(await command('routing', 'hold', 'simulator', 'free', '--by', 'ada', '--note', 'it is well')).toMatch(/^0\n/);
  await until(() => !breaker.isOpen('simulator') || undefined);
  expect(await routing(await w.shop.pay())).toMatchObject({ offered: ids, skipped: [] });
  expect(await command('routing', 'health')).toMatch(
    /^0\n[\s\S]*simulator +closed +open +they called +ada[\s\S]*open +closed/,
  );
  // the choice beside a held provider comes out again too
  const trial = await tryRoutes(w.service.tools, account, { draft: (await draftOf(RULES)).draft });
  expect(trial.defects).toBe(0);
});

/**
 * However long the payments of the test take: the time after which it is tried again is set to days, and a look has
 * kept that.
 */
async function staysHalf(provider: string): Promise<void> {
  let set_at: string | undefined;
  await until(async () => {
    const [row] = await w.sql<{ long: boolean; looked: string }>(
      `SELECT (watch ->> 'dwell_ms')::float8 > 1e8 AS long, watched_to::text AS looked FROM payment.providers WHERE name = $1`,
      [provider],
    );
    if (row?.long === true && set_at !== undefined && row.looked !== set_at) return true;
    if (row?.long !== true) {
      set_at = row?.looked;
      await w.sql(
        `UPDATE payment.providers SET watch = jsonb_set(watch::jsonb, '{dwell_ms}', '1000000000')::json WHERE name = $1`,
        [provider],
      );
    }
    return undefined;
  });
}

test('a provider that stops answering is left after five calls, and half of what comes back is tried first', async () => {
  const { breaker } = w.service.tools;
  for (let i = 0; i < 5; i++) breaker.saw('simulator', { answered: false, trouble: false, ms: 10 });
  expect(breaker.stateOf('simulator')).toBe('open');
  // it answers the probe of the worker; then it gets one payment in twenty, and the other one the rest
  await until(() => breaker.stateOf('simulator') === 'half' || undefined, 30);
  await staysHalf('simulator');
  const orders = await Promise.all(Array.from({ length: 6 }, () => w.shop.pay()));
  const partners = orders.map((order) => order.at('payin_partner'));
  expect(partners.filter((name) => name === 'simulator_b').length).toBeGreaterThanOrEqual(3);
  const passed = orders[partners.indexOf('simulator_b')];
  if (passed) expect(await routing(passed)).toMatchObject({ skipped: [{ contract: ids[0], reason: 'half' }] });
  // what stands alone goes there all the same, and what is the only one left gets everything
  const there = async () => {
    expect(breaker.stateOf('simulator')).toBe('half');
    const named = await Promise.all(
      Array.from({ length: 6 }, () => w.shop.pay({}, { merchant_contract: 'simulator' })),
    );
    expect(named.map((order) => order.at('payin_partner'))).toEqual(named.map(() => 'simulator'));
  };
  await changeSettings(w.service.tools, account, { named_contract: 'only' });
  await inForce(w);
  await there();
  await changeSettings(w.service.tools, account, { named_contract: null });
  await w.sql(`UPDATE payment.contracts SET enabled = false WHERE provider <> 'simulator'`);
  await inForce(w);
  await there();
  const rows = await w.sql<{ reason: string }>('SELECT reason FROM payment.health_changes ORDER BY id');
  expect(rows.map(({ reason }) => reason).slice(-2)).toEqual([
    'calls in a row went unanswered',
    'it has answered a probe',
  ]);
});

test('without rules a provider that gets a share of the payments alone still takes those that the first could not take', async () => {
  const { breaker } = w.service.tools;
  await w.sql('UPDATE payment.contracts SET enabled = true');
  await publish({ rules: [] });
  await keepClosed(w);
  await until(() => breaker.stateOf('simulator') === 'closed' || undefined);
  for (let i = 0; i < 5; i++) breaker.saw('simulator_b', { answered: false, trouble: false, ms: 10 });
  await until(() => breaker.stateOf('simulator_b') === 'half' || undefined, 30);
  await staysHalf('simulator_b');
  const refused = { card_number: '4000009901000052' };
  const orders = await Promise.all(Array.from({ length: 4 }, () => w.shop.pay(refused)));
  expect(breaker.stateOf('simulator_b')).toBe('half');
  expect(orders.map((order) => [order.code, order.at('payin_partner')])).toEqual(
    orders.map(() => ['955555', 'simulator_b']),
  );
});
