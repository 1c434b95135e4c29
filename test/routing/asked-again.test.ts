// Rules that ask how the payer's authentication ended: asked once more when it has, before anything is sent; kept, so
// that the choice is made again; and an account whose rules ask for nothing of it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { draftRoutes, publishRoutes, rollBackRoutes } from '../../src/payment/routing/publish.ts';
import { tryRoutes } from '../../src/payment/routing/try.ts';
import { actAt, redirectOf, toBank } from '../authentication/payer.ts';
import { type Reply, textAt, until } from '../client.ts';
import { accountOf, inForce } from '../risk/till.ts';
import { type World, world } from '../world.ts';

let w: World;
let account: string;
beforeAll(async () => {
  w = await world();
  account = await accountOf(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const RULES = {
  rules: [
    { name: 'attempted', when: { three_ds: ['attempted'] }, then: { order: ['simulator_b'] } },
    { name: 'not proved', when: { three_ds: ['none'], amount_from: '50', currency: ['EUR'] }, then: { refuse: 'no_route_channel' } }, // prettier-ignore
    { name: 'theirs', when: { liability: ['shifted'], eci: ['05'] }, then: { order: ['simulator_b', 'simulator'] } },
    { name: 'not known', when: { missing: ['three_ds'] }, then: { order: ['simulator'] } },
  ],
};
const CHALLENGE = { card_number: '4000002760003184' };
const ATTEMPTED = { card_number: '4000009907000031' };
const NOT_ENROLLED = { card_number: '4000009907000015' };
const ASK = { authentication_indicator: 'ask_3ds' };

const draftOf = async (document: object) =>
  (await draftRoutes(w.service.tools, account, parseJson(JSON.stringify(document)))).draft;
async function publish(document: object): Promise<void> {
  await publishRoutes(w.service.tools, account, { draft: await draftOf(document), by: 'ada' });
  await inForce(w);
}
beforeEach(() => publish(RULES));

const read = async (reply: Reply) => (await w.shop.read(textAt(reply, 'order_id'))).at('transactions.0');
const byRule = (rule: string, payin_partner: string) => ({ payin_partner, routing: { rule, because: 'rule' } });

test('a payer whom the bank knows by itself is paid where the rule of the proof says', async () => {
  const reply = await w.shop.pay({}, ASK);
  expect([reply.code, reply.at('payin_partner'), reply.at('is_authenticated')]).toEqual([
    '955555',
    'simulator_b',
    true,
  ]);
  expect(await read(reply)).toMatchObject(byRule('theirs', 'simulator_b'));
  const attempted = await w.shop.pay(ATTEMPTED, ASK);
  expect(await read(attempted)).toMatchObject(byRule('attempted', 'simulator_b'));
});

test('and one who acted at the bank, with the proof in the authorization', async () => {
  const reply = await w.shop.pay(CHALLENGE, ASK);
  expect(await read(reply)).toMatchObject(byRule('not known', 'simulator'));
  await actAt(await toBank(redirectOf(reply)), { code: '1234' });
  const done = await until(async () => {
    const now = await w.shop.read(textAt(reply, 'order_id'));
    return now.at('status') === 'capture_successful' ? now : undefined;
  });
  expect(done.at('transactions.0')).toMatchObject(byRule('theirs', 'simulator_b'));
  // the issuer that always wants to see the payer has seen the proof
  expect([done.at('is_authenticated'), (done.at('transactions') as readonly object[]).length]).toEqual([true, 1]);
});

test('an attempt that a rule then refuses is never sent, and says so', async () => {
  const reply = await w.shop.pay(NOT_ENROLLED, { ...ASK, amount: '60.00' });
  expect([reply.code, reply.at('status'), reply.at('payin_partner')]).toEqual(['151042', 'authorization_declined', '']);
  expect(await read(reply)).toMatchObject({ routing: { rule: 'not proved', offered: [] } });
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(reply, 'order_id')}`);
  expect(books.at('entries')).toEqual([]);
  // below it goes on as it would have
  const small = await w.shop.pay(NOT_ENROLLED, ASK);
  expect([small.code, small.at('payin_partner')]).toEqual(['955555', 'simulator']);
});

test('without an authentication to come it is known at once that there is none', async () => {
  const reply = await w.shop.pay({}, { amount: '60.00' });
  expect([reply.code, reply.at('status')]).toEqual(['151042', 'authorization_declined']);
});

test('every choice comes out again, and a draft is played with how authentications ended', async () => {
  await w.shop.pay({}, ASK);
  const draft = await draftOf({
    rules: [{ name: 'proved', when: { three_ds: ['authenticated'] }, then: { order: ['simulator'] } }],
  });
  const trial = await tryRoutes(w.service.tools, account, { draft });
  expect([trial.defects, trial.tried_again]).toEqual([0, 0]);
  expect(trial.rules.find(({ rule }) => rule === 'proved')?.attempts).toBeGreaterThanOrEqual(3);
});

test('if limits hold for payers too, a contract whose limit is reached does not get the payment', async () => {
  await changeSettings(w.service.tools, account, { caps_payer: 'hold' });
  const before = await until(async () => {
    const reply = await w.shop.pay({ card_number: '4111111111111111' }, ASK);
    return reply.at('payin_partner') === 'simulator_b' ? reply : undefined;
  });
  await w.sql(
    `INSERT INTO payment.declines (merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme, amount_minor, currency, open)
     SELECT t.merchant_account_id, t.card_digest, payment.now() - make_interval(mins => n::int), substr(sha256(n::text::bytea), 1, 12),
       encode(t.contract_id, 'hex'), 'p', 'visa', 2500, 'EUR', false
     FROM payment.transactions t, generate_series(1, 18) n WHERE t.order_id = decode($1, 'hex')`,
    [textAt(before, 'order_id')],
  );
  const reply = await w.shop.pay({ card_number: '4111111111111111' }, ASK);
  expect([reply.code, reply.at('payin_partner')]).toEqual(['955555', 'simulator']);
  await changeSettings(w.service.tools, account, { caps_payer: 'count' });
});

test('rules that ask for nothing of it are asked once', async () => {
  await publish({ rules: [{ name: 'first', then: { order: ['simulator', 'simulator_b'] } }] });
  const reply = await w.shop.pay({}, ASK);
  expect(await read(reply)).toMatchObject(byRule('first', 'simulator'));
  const [row] = await w.sql<{ f: unknown }>(
    `SELECT route -> 'f' AS f FROM payment.transactions WHERE order_id = decode($1, 'hex')`,
    [textAt(reply, 'order_id')],
  );
  expect(row?.f).toBe(null);
  await rollBackRoutes(w.service.tools, account, { to: 0, by: 'ada' });
});
