// What velocity rules count, what they promise when many come at once, and that accounts know nothing of each other.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preparedStatements } from '../../src/kit/database.ts';
import { dryRun } from '../../src/payment/risk/dry-run.ts';
import { hasherOf } from '../../src/payment/risk/subjects.ts';
import { type Reply, textAt, until } from '../client.ts';
import { ANY_ACCOUNT } from '../tidy/data.ts';
import { waitsForOurs } from '../lock-waits.ts';
import { type World, world } from '../world.ts';
import { accountOf, draft, inForce, publish, putOnList } from './till.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const forget = () => w.sql('DELETE FROM payment.risk_sightings');
const rule = (name: string, more: object) => ({ name, kind: 'velocity', subject: 'email', window_s: 3600, ...more });
const by = (customer_email: string) => ({ customer_email });
const DECLINED = { card_number: '4000000000000002' };
const codes = (replies: readonly Reply[]) => replies.map(({ code }) => code);
const refused = (replies: readonly Reply[], code: string) => codes(replies).filter((one) => one === code).length;

test('rules that need only the payment cost no statement, and a velocity rule costs one', async () => {
  await publish(w, [{ name: 'large', kind: 'amount', above: '900', currency: 'EUR' }]);
  expect((await w.shop.pay({}, { amount: 901 })).code).toBe('131088');
  expect((await w.shop.pay()).code).toBe('955555');
  const before = new Set(preparedStatements().keys());
  expect(before.has('assess_risk')).toBe(false);
  await publish(w, [rule('many', { subject: 'all', limit: 1000 })]);
  expect((await w.shop.pay()).code).toBe('955555');
  // what the worker runs meanwhile is of no account
  const fresh = [...preparedStatements()].filter(([name, { text }]) => !before.has(name) && !ANY_ACCOUNT.test(text));
  const names = fresh.map(([name]) => name);
  expect(names.filter((name) => !/key|risk_in_force|risk_version|^analyze_/.test(name))).toEqual(['assess_risk']);
});

test('successes, declines and amounts are counted by how orders ended, attempts by what was let through', async () => {
  await publish(w, [
    rule('attempts', { subject: 'customer', limit: 2 }),
    rule('successes', { measure: 'successes', limit: 1 }),
    rule('declines', { subject: 'phone', measure: 'declines', limit: 2 }),
    rule('amount', { subject: 'name', measure: 'amount', amount: '100', currency: 'EUR' }),
  ]);
  await forget();
  const customer = { customer_id: 'c' };
  const three = [await w.shop.pay(DECLINED, customer), await w.shop.pay({}, customer), await w.shop.pay({}, customer)];
  expect(codes(three)).toEqual(['420188', '955555', '131050']);
  // a decline is no success
  const email = by('ada@shop.example');
  const paid = [await w.shop.pay(DECLINED, email), await w.shop.pay({}, email), await w.shop.pay({}, email)];
  expect(codes(paid)).toEqual(['420188', '955555', '131052']);
  const phone = { customer_phone_number: '0102' };
  const tries = [await w.shop.pay({}, phone), await w.shop.pay(DECLINED, phone), await w.shop.pay(DECLINED, phone)];
  expect(codes([...tries, await w.shop.pay({}, phone)])).toEqual(['955555', '420188', '420188', '131054']);
  const name = (amount: string, currency = 'EUR') => ({ customer_last_name: 'Martin', amount, currency });
  const sums = [
    await w.shop.pay({}, name('60')),
    await w.shop.pay(DECLINED, name('40')),
    await w.shop.pay({}, name('40.01')),
    await w.shop.pay({}, name('4000', 'JPY')),
    await w.shop.pay({}, name('40')),
    await w.shop.pay({}, name('0.01')),
  ];
  expect(codes(sums)).toEqual(['955555', '420188', '131058', '955555', '955555', '131058']);
  expect(textAt(await w.shop.pay({}, name('1')), 'risk_assessment_reason')).toContain(
    '100 EUR of the name in 1 h before this 1 EUR; the limit is 100 EUR',
  );
});

test('a payment that an allow list lets through counts for velocity, also where a rule would have refused it', async () => {
  const rules = [
    { name: 'large', kind: 'amount', above: '20', currency: 'EUR' },
    rule('attempts', { subject: 'phone', limit: 2 }),
  ];
  await publish(w, rules);
  await putOnList(w, { verdict: 'allow', kind: 'email', value: 'known@shop.example' });
  await inForce(w);
  await forget();
  const known = { ...by('known@shop.example'), customer_phone_number: '0303' };
  expect(codes([await w.shop.pay({}, known), await w.shop.pay({}, known)])).toEqual(['955555', '955555']);
  const other = { ...by('other@shop.example'), customer_phone_number: '0303', amount: '5' };
  expect(codes([await w.shop.pay({}, other)])).toEqual(['131054']);
  // a trial of the same rules sees the same
  const run = await dryRun(w.service.tools, await accountOf(w), { rules: draft(rules) });
  expect(run.rules.find((one) => one.rule === 'attempts')?.hits).toBe(1);
  await w.sql('DELETE FROM payment.risk_entries');
});

test('a retry of an order counts again, and its order is one success', async () => {
  await publish(w, [rule('successes', { measure: 'successes', limit: 1 }), rule('attempts', { limit: 3 })]);
  await forget();
  const email = by('retry@shop.example');
  const first = await w.shop.pay(DECLINED, email);
  const path = `/payment/order/${textAt(first, 'order_id')}`;
  const retried = await w.shop.api(path, { method: 'PUT', body: { token: await w.shop.token() } });
  expect(codes([first, retried, await w.shop.pay({}, email)])).toEqual(['420188', '955555', '131052']);
});

test('an order that waits for its payer takes a place among the successes, and its approval by the rules is told', async () => {
  await publish(w, [rule('successes', { measure: 'successes', limit: 1 })]);
  const asked = { ...by('waiting@shop.example'), authentication_indicator: 'ask_3ds', amount: '1500' };
  const waiting = await w.shop.pay({}, asked);
  expect(waiting.at('status')).toBe('authentication_requested');
  expect((await w.shop.pay({}, by('waiting@shop.example'))).code).toBe('131052');
  const read = await w.shop.read(textAt(waiting, 'order_id'));
  const history = [0, 1, 2].map((i) => read.at(`transactions.0.status_history.${i}.status`));
  expect(history).toEqual(['created', 'risk_assessment_approved', 'authentication_requested']);
  expect(read.at('transactions.0.operations.0.type')).toBe('risk_assessment');
});

test('time ends a window: what was counted before it is not any more', async () => {
  await publish(w, [rule('one an hour', { limit: 1 })]);
  const email = by('late@shop.example');
  expect(codes([await w.shop.pay({}, email), await w.shop.pay({}, email)])).toEqual(['955555', '131052']);
  await w.sql(`UPDATE payment.risk_sightings SET at = at - interval '1 hour'`);
  expect(codes([await w.shop.pay({}, email), await w.shop.pay({}, email)])).toEqual(['955555', '131052']);
});

test('twenty at once: no more are let through than the limit says, by attempts, by successes and by amount', async () => {
  await publish(w, [
    rule('five attempts', { limit: 5 }),
    rule('five successes', { subject: 'customer', measure: 'successes', limit: 5 }),
    rule('five times 25', { subject: 'name', measure: 'amount', amount: '125', currency: 'EUR' }),
  ]);
  const storm = async (fields: object) => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => w.shop.token()));
    return Promise.all(tokens.map((token) => w.shop.pay({}, { token, ...fields })));
  };
  expect(refused(await storm(by('storm@shop.example')), '131052')).toBe(15);
  expect(refused(await storm({ customer_id: 'storm' }), '131050')).toBe(15);
  expect(refused(await storm({ customer_last_name: 'Storm' }), '131058')).toBe(15);
  // three subjects at once, in other orders of rules: none waits for another in a ring
  const all = { ...by('ring@shop.example'), customer_id: 'ring', customer_last_name: 'Ring' };
  expect(codes(await storm(all)).filter((code) => code === '955555')).toHaveLength(5);
});

test('an attempt waits for one of the same subject that is being counted, and then sees it', async () => {
  await publish(w, [rule('one', { limit: 1 })]);
  const { tools } = w.service;
  const account = await accountOf(w);
  const subject = hasherOf(tools.secret_key, account)('email', 'wait@shop.example');
  const ids = [tools.chance.id(), tools.chance.id()];
  const token = await w.shop.token();
  await w.sql('BEGIN');
  await w.sql(
    `SELECT * FROM payment.assess_risk(decode($1, 'hex'), '{}', ARRAY[decode($2, 'hex')], '{attempts}', '{3600}', '{1}', '{t}', true, ARRAY[decode($2, 'hex')],
       decode($3, 'hex'), decode($4, 'hex'), 1, 'EUR')`,
    [account, subject, ...ids],
  );
  const paying = w.shop.pay({}, { token, ...by('wait@shop.example') });
  const waits = async () => ((await waitsForOurs(w)) > 0 ? 'it waits' : undefined);
  const first = await Promise.race([until(waits), paying.then(({ code }) => code)]);
  expect(first).toBe('it waits');
  // it gives up before its caller does, and nothing was accepted
  const busy = await paying;
  expect([busy.status, busy.code, busy.headers.get('retry-after')]).toEqual([503, '111013', '2']);
  const again = w.shop.pay({}, { token, ...by('wait@shop.example') });
  expect(await Promise.race([until(waits), again.then(({ code }) => code)])).toBe('it waits');
  await w.sql('COMMIT');
  expect((await again).code).toBe('131052');
});

test('a payment that was counted and never became an order is forgotten after a minute', async () => {
  await publish(w, [rule('one', { limit: 1 })]);
  const email = by('lost@shop.example');
  expect((await w.shop.pay({}, email)).code).toBe('955555');
  const lost = `UPDATE payment.risk_sightings SET transaction_id = substr(sha256(transaction_id), 1, 12), at = at - $1::interval`;
  await w.sql(lost, ['30 seconds']);
  expect((await w.shop.pay({}, email)).code).toBe('131052');
  await w.sql(lost, ['31 seconds']);
  expect((await w.shop.pay({}, email)).code).toBe('955555');
});

test('an account knows nothing of another one: neither rules, nor lists, nor counts', async () => {
  const other = await w.otherShop();
  const email = by('both@shop.example');
  await publish(w, [rule('one', { limit: 1 })]);
  await publish(w, [rule('one', { limit: 1 })], other);
  expect((await w.shop.pay({}, email)).code).toBe('955555');
  expect((await other.pay({}, email)).code).toBe('955555');
  expect((await other.pay({}, email)).code).toBe('131052');
  await putOnList(w, { verdict: 'block', kind: 'email', value: 'blocked@shop.example' }, other);
  await inForce(w, other);
  expect((await other.pay({}, by('blocked@shop.example'))).code).toBe('131010');
  expect((await w.shop.pay({}, by('blocked@shop.example'))).code).toBe('955555');
  const rows = await w.sql<{
    subject: string;
  }>(`SELECT DISTINCT encode(subject, 'hex') AS subject FROM payment.risk_sightings s
    WHERE EXISTS (SELECT 1 FROM payment.risk_sightings o WHERE o.subject = s.subject AND o.merchant_account_id <> s.merchant_account_id)`);
  expect(rows).toEqual([]);
  const kept = await w.sql<{ text: string }>(`SELECT row_to_json(e)::text AS text FROM payment.risk_entries e`);
  expect(JSON.stringify(kept)).not.toContain('blocked@');
  const account = await accountOf(w, w.shop);
  await w.sql('BEGIN');
  await w.sql('SET LOCAL ROLE payment_app');
  await w.sql(`SELECT set_config('app.merchant_account_id', $1, true)`, [account]);
  for (const table of ['risk_versions', 'risk_entries', 'risk_sightings'])
    expect(
      await w.sql(`SELECT 1 FROM payment.${table} WHERE merchant_account_id <> decode($1, 'hex')`, [account]),
    ).toEqual([]);
  await w.sql('ROLLBACK');
});
