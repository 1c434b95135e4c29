// Versions of rules: published, compared, tried on past orders, rolled back; and what an account says a high score is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings, readSettings } from '../../src/payment/merchant/change-settings.ts';
import { dryRun } from '../../src/payment/risk/dry-run.ts';
import { listEntries, removeListEntry } from '../../src/payment/risk/lists.ts';
import { publishRules, readRules, rollBack } from '../../src/payment/risk/publish.ts';
import { differences } from '../../src/core/differences.ts';
import { type Reply, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { accountOf, draft, inForce, publish, putOnList } from './till.ts';

let w: World;
let account: string;
beforeAll(async () => {
  w = await world();
  account = await accountOf(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const DRAFT = [
  { name: 'large', kind: 'amount', above: '100', currency: 'EUR' },
  { name: 'mail', kind: 'velocity', subject: 'email', limit: 2, window_s: 86_400 },
  { name: 'paid', kind: 'velocity', subject: 'customer', measure: 'successes', limit: 1, window_s: 86_400 },
  { name: 'declines', kind: 'velocity', subject: 'phone', measure: 'declines', limit: 1, window_s: 86_400 },
  { name: 'odd', kind: 'field', of: 'device_type', values: ['watch'], action: 'mark' },
];

/** A day of payments; the fields of each name what it is about. */
const DAY: readonly (readonly [card: object, fields: object])[] = [
  [{}, { amount: '101' }],
  ...Array.from({ length: 4 }, () => [{}, { customer_email: 'day@shop.example' }] as const),
  [{ card_number: '4000000000000002' }, { customer_id: 'day' }],
  [{}, { customer_id: 'day' }],
  [{}, { customer_id: 'day' }],
  [{ card_number: '4000000000000002' }, { customer_phone_number: '77' }],
  [{}, { customer_phone_number: '77' }],
  [{}, { customer_email: 'bad@shop.example' }],
  [{}, { device_type: 'watch' }],
];

const isRisk = (code: unknown): code is string => typeof code === 'string' && code.startsWith('131');

const play = async (): Promise<readonly Reply[]> => {
  const replies: Reply[] = [];
  for (const [card, fields] of DAY) replies.push(await w.shop.pay(card, fields));
  return replies;
};

test('a dry run says what then happens, and writes nothing', async () => {
  await putOnList(w, { verdict: 'block', kind: 'email', value: 'bad@shop.example', until: new Date(0) });
  // the entry is over, so nothing is refused yet
  const before = await play();
  expect(before.filter((reply) => isRisk(reply.code))).toEqual([]);
  await putOnList(w, { verdict: 'block', kind: 'email', value: 'bad@shop.example' });
  const tables = ['risk_versions', 'risk_sightings', 'orders'];
  const count = async () => {
    const counts: number[] = [];
    for (const table of tables) counts.push((await w.sql(`SELECT 1 FROM payment.${table}`)).length);
    return counts;
  };
  const rows = await count();
  const tried = await dryRun(w.service.tools, account, { rules: draft(DRAFT) });
  expect(await count()).toEqual(rows);
  expect([tried.attempts, tried.complete, tried.refused_then]).toEqual([DAY.length, true, 0]);
  const said = Object.fromEntries(tried.rules.map(({ rule, code, hits, paid }) => [rule, [code, hits, paid]]));
  expect(said).toEqual({
    large: ['131088', 1, 1],
    mail: ['131052', 2, 2],
    paid: ['131050', 1, 1],
    declines: ['131054', 1, 1],
    'block list': ['131010', 1, 1],
  });
  await publish(w, DRAFT);
  const after = await play();
  const codes = after.map(({ code }) => code).filter(isRisk);
  const promised = tried.rules.flatMap(({ code, hits }) => Array.from({ length: hits }, () => code));
  expect(codes.toSorted()).toEqual(promised.toSorted());
  const large = tried.rules.find(({ rule }) => rule === 'large');
  expect(large?.order_ids).toEqual([textAt(before[0] ?? (after[0] as Reply), 'order_id')]);
});

test('every publish is a version; what changed is told, an old one comes back, and two people do not overwrite each other', async () => {
  const { tools } = w.service;
  const [now] = await readRules(tools, account);
  const based_on = now?.version ?? 0;
  const next = draft([
    DRAFT[1],
    DRAFT[0],
    { ...DRAFT[2], limit: 9 },
    { name: 'new', kind: 'field', of: 'device_type', values: ['laptop'] },
  ]);
  expect(differences(draft(DRAFT), next).map(({ name, change }) => [name, change])).toEqual([
    ['declines', 'removed'],
    ['odd', 'removed'],
    ['mail', 'moved'],
    ['large', 'moved'],
    ['paid', 'changed'],
    ['new', 'added'],
  ]);
  const version = await publishRules(tools, account, { rules: next, by: 'ada', note: 'laptops', based_on });
  expect(version).toBe(based_on + 1);
  await expect(publishRules(tools, account, { rules: [], by: 'bob', based_on })).rejects.toThrow('meanwhile');
  const raced = await Promise.allSettled(
    [1, 2, 3, 4].map(() => publishRules(tools, account, { rules: next, by: 'bob', based_on: version })),
  );
  expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const back = await rollBack(tools, account, { to: based_on, by: 'ada' });
  const [top, , third] = await readRules(tools, account);
  expect([back, top?.version, top?.rolled_back_to, top?.rules]).toEqual([
    version + 2,
    version + 2,
    based_on,
    draft(DRAFT),
  ]);
  expect([third?.note, third?.by_name]).toEqual(['laptops', 'ada']);
  await expect(rollBack(tools, account, { to: 999, by: 'ada' })).rejects.toThrow('parameter_invalid');
  await inForce(w);
  expect((await w.shop.pay({}, { amount: '101' })).code).toBe('131088');
  await rollBack(tools, account, { to: 0, by: 'ada' });
  // the lists hold without a rule, and without both nothing is assessed
  for (const { id } of await listEntries(tools, account)) await removeListEntry(tools, account, { id });
  await inForce(w);
  const free = await w.shop.pay({}, { amount: '101' });
  expect([free.code, free.at('risk_assessment_partner')]).toEqual(['955555', '']);
});

test('entries are listed without what is personal, and removed', async () => {
  const { tools } = w.service;
  await putOnList(w, { verdict: 'block', kind: 'email', value: 'bad@shop.example' });
  await putOnList(w, { verdict: 'block', kind: 'ip', value: '203.0.113.0/24', note: 'scripts' });
  const id = await putOnList(w, { verdict: 'block', kind: 'customer', value: 'customer-17' });
  const entries = await listEntries(tools, account);
  expect(entries.map(({ kind, shown }) => [kind, shown])).toEqual([
    ['customer', 'cu…'],
    ['ip', '203.0.113.0/24'],
    ['email', 'b…@shop.example'],
  ]);
  expect(await removeListEntry(tools, account, { id })).toBe(true);
  expect(await removeListEntry(tools, account, { id })).toBe(false);
  for (const { id: rest } of await listEntries(tools, account)) await removeListEntry(tools, account, { id: rest });
  const [row] = await w.sql<{ risk: { lists: unknown } }>(
    `SELECT settings -> 'risk' AS risk FROM payment.merchant_accounts WHERE merchant_account_id = decode($1, 'hex')`,
    [account],
  );
  expect(row?.risk.lists).toEqual([]);
  for (const [kind, value] of [
    ['ip', '203.0.113.7/33'],
    ['ip', 'here'],
    ['bin', '4111'],
    ['card', 'x'],
    ['custom', 'x'],
  ] as const)
    await expect(putOnList(w, { verdict: 'block', kind, value })).rejects.toThrow('parameter_invalid');
});

test('an order is suspicious from the score on that its account had set when it was accepted', async () => {
  const { tools } = w.service;
  const read = async (reply: Reply) => {
    const order = await w.shop.read(textAt(reply, 'order_id'));
    return [reply.at('is_suspicious'), order.at('is_suspicious'), order.at('transactions.0.is_suspicious')];
  };
  const [high, low] = [{ card_number: '4000000000004954' }, { card_number: '4000000000009235' }];
  const [early, other] = [await w.shop.pay(low), await w.shop.pay(high)];
  await changeSettings(tools, account, { risk_score_suspicious: 90 });
  expect((await readSettings(tools, account)).risk_score_suspicious).toBe(90);
  expect(await readSettings(tools, account)).not.toHaveProperty('risk');
  await inForce(w);
  const [late, last] = [await w.shop.pay(low), await w.shop.pay(high)];
  expect(await Promise.all([early, other, late, last].map(read))).toEqual([
    [true, true, true],
    [true, true, true],
    [false, false, false],
    [true, true, true],
  ]);
  const order = await w.shop.read(textAt(last, 'order_id'));
  expect([last.at('risk_assessment_partner'), last.at('risk_assessment_result')]).toEqual(['simulator', 'accepted']);
  const told = (name: string) => order.at(`transactions.0.${name}`);
  expect([told('risk_assessment_score'), told('risk_assessment_partner')]).toEqual([95, 'simulator']);
  expect(textAt(order, 'transactions.0.risk_assessment_date')).toMatch(/Z$/);
  expect(textAt(order, 'risk_assessment_date')).toMatch(/GMT/);
  expect(order.text).toContain('"result_response":"risk score 95 of 100"');
});
