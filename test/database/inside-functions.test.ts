// The statements inside the functions in PL/pgSQL, of which EXPLAIN says nothing: auto_explain tells their plans while
// they run.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../../bench/plans.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { connectTo } from './numbered.ts';

let w: World;
let client: pg.Client;
let account: string;
let order: string;
beforeAll(async () => {
  w = await world();
  account = `'\\x${w.account}'::bytea`;
  const paid = await w.shop.pay();
  order = `'\\x${textAt(paid, 'order_id')}'::bytea`;
  await w.shop.decided(textAt(paid, 'order_id'));
  client = await connectTo(w.database);
  await client.query(`LOAD 'auto_explain'`);
  for (const [name, value] of [
    ['auto_explain.log_min_duration', '0'],
    ['auto_explain.log_nested_statements', 'on'],
    ['auto_explain.log_level', 'notice'],
    ['auto_explain.log_format', 'json'],
    // on small tables a scan of all is the cheapest way
    ['enable_seqscan', 'off'],
  ])
    await client.query(`SET ${name} = '${value}'`);
});
afterAll(async () => {
  await client.end();
  await w[Symbol.asyncDispose]();
});

/** `within`: the function whose statement it is. */
type Told = { readonly within: string; readonly plan: Plan };

/**
 * Runs statements as the login of a zone, in a transaction that is undone, and gives the plans of those inside
 * functions.
 */
async function plansInside(zone: 'payment' | 'vault', statements: readonly string[]): Promise<readonly Told[]> {
  const told: Told[] = [];
  const listen = ({ message = '', where = '' }: { message?: string | undefined; where?: string | undefined }) => {
    // one with a search path of its own is named without its schema
    const [, name] = /PL\/pgSQL function (?:\w+\.)?(\w+)\(/.exec(where) ?? [];
    const [, json] = /plan:\n(\{.*\})$/s.exec(message) ?? [];
    if (name !== undefined && json !== undefined)
      told.push({ within: `${zone}.${name}`, plan: JSON.parse(json).Plan as Plan });
  };
  client.on('notice', listen);
  await client.query('BEGIN');
  await client.query(`UPDATE payment.order_search_state SET next_tx = 0`);
  await client.query(`INSERT INTO payment.endpoints (id, merchant_account_id, url, events, secret_sealed)
    VALUES ('\\x${'01'.repeat(12)}', ${account}, 'http://127.0.0.1', ARRAY['capture_successful'], '')`);
  await client.query(`SET LOCAL search_path = ''; SET LOCAL ROLE ${zone}_app`);
  await client.query(`SELECT set_config('app.merchant_account_id', encode(${account}, 'hex'), true)`);
  for (const statement of statements) {
    await client.query('SAVEPOINT one');
    // what a trigger refuses has been looked up before
    await client.query(statement).catch((error: { code?: string }) => {
      if (error.code !== '23514') throw error;
    });
    await client.query('ROLLBACK TO one');
  }
  await client.query('ROLLBACK');
  client.off('notice', listen);
  return told;
}

const SUBJECT = `'\\x${'02'.repeat(16)}'::bytea`;
const ID = `'\\x${'01'.repeat(12)}'::bytea`;

const ofPayment = (): readonly string[] => [
  `SELECT payment.assess_risk(${account}, ARRAY[${SUBJECT}], ARRAY[${SUBJECT}], ARRAY['attempts'], ARRAY[60],
     ARRAY[10]::bigint[], ARRAY[true], true, ARRAY[${SUBJECT}], ${order}, ${order}, 100, 'EUR')`,
  `SELECT payment.claim_notifications(ARRAY[${ID}], ARRAY[4], ARRAY[true], interval '1 s', 10, interval '1 s')`,
  `SELECT payment.follow_orders(2147483647)`,
  `SELECT payment.bring_forward(interval '1 hour')`,
  `SELECT payment.forget_found(ARRAY[${order}], 'c', ARRAY['c@shop.example'])`,
  `SELECT payment.forget_customer_told(${order})`,
  `SELECT payment.put_card_digests(ARRAY[${account}], ARRAY[gen_random_uuid()], ARRAY[sha256('')])`,
  `INSERT INTO payment.events (subject_id, seq, merchant_account_id, type)
   VALUES (${order}, 1000, ${account}, 'capture_successful')`,
  `INSERT INTO payment.health_changes (provider, from_state, to_state, reason) VALUES ('simulator', 'closed', 'open', 'a')`,
  `INSERT INTO payment.audit (merchant_account_id, actor, action, object, result, source, detail)
   VALUES (${account}, 'a', 'a', 'a', 'done', 'a', '{}')`,
  `UPDATE payment.operations SET state = 'declined'
   WHERE order_id = ${order} AND kind = 'authorize' AND merchant_account_id = ${account}`,
  `UPDATE payment.clock SET shift = shift - interval '1 s'`,
  // as if the order that was paid had been authenticated for
  `INSERT INTO payment.authentications (id, order_id, transaction_id, merchant_account_id, order_merchant_id, demand, handle, partner, created_at, due_at)
     SELECT id, order_id, transaction_id, merchant_account_id, 'a', 'ask_3ds', sha256(''), 'a', created_at, due_at
     FROM payment.operations WHERE order_id = ${order} AND kind = 'authorize' AND merchant_account_id = ${account};
   UPDATE payment.authentications SET state = 'successful', settled_at = created_at
     WHERE order_id = ${order} AND merchant_account_id = ${account}`,
];
const OF_VAULT = [
  `INSERT INTO vault.audit (actor, action, object, result, source, detail) VALUES ('a', 'a', 'a', 'done', 'a', '{}')`,
  `UPDATE vault.clock SET shift = shift - interval '1 s'`,
];

/** The first row of many, or an index of the few rows that an earlier version left. */
const FEW = [
  /^payment\.never_back reads all of merchant_accounts_pkey$/,
  /^vault\.never_back reads all of api_keys_\w+$/,
  /^vault\.chain reads all of audit_pkey$/,
  /^payment\.put_card_digests reads all of \w+_old_cards$/,
  // once, after the clock was set back: what is open, and every endpoint
  /^payment\.bring_forward reads all of (?:contradictions_of_account|provider_events_open|endpoints)$/,
];
/** They ask no table of ours, or a default part alone, in which nothing stays. */
const WITHOUT = [
  'payment.refuse',
  'vault.refuse',
  'vault.drop_cvc_slot',
  'payment.analyze_grown',
  'vault.analyze_grown',
  'payment.keep_months',
  'payment.keep_request_log',
  'payment.make_part',
];

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function wholeReads({ within, plan }: Told): readonly string[] {
  return nodesOf(plan)
    .filter(
      (node) =>
        node['Node Type'] === 'Seq Scan' ||
        (/^(?:Bitmap )?Index (?:Only )?Scan/.test(node['Node Type']) && node['Index Cond'] === undefined),
    )
    .map((node) => node['Index Name'] ?? node['Relation Name'] ?? '')
    .filter((name) => !/^(?:clock|order_search_state)(?:_pkey)?$/.test(name))
    .map((name) => `${within} reads all of ${name}`);
}

test('find their rows by an index, and each function is among those that were run', async () => {
  const told = [...(await plansInside('payment', ofPayment())), ...(await plansInside('vault', OF_VAULT))];
  const { rows } = await client.query<{ name: string }>(
    `SELECT p.oid::regproc::text AS name FROM pg_proc p
     WHERE p.pronamespace IN ('payment'::regnamespace, 'vault'::regnamespace)
       AND p.prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql')`,
  );
  const seen = [...new Set(told.map(({ within }) => within)), ...WITHOUT];
  expect(seen.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  expect(told.flatMap(wholeReads).filter((one) => !FEW.some((few) => few.test(one)))).toEqual([]);
});

test('a statement inside a function that reads a whole table is found', async () => {
  await client.query(`CREATE FUNCTION payment.reads_all() RETURNS bigint LANGUAGE plpgsql AS $$
    BEGIN RETURN (SELECT count(*) FROM payment.jobs WHERE at IS NULL); END $$`);
  const told = await plansInside('payment', ['SELECT payment.reads_all()']);
  await client.query('DROP FUNCTION payment.reads_all()');
  expect(told.flatMap(wholeReads)).toEqual([expect.stringMatching(/^payment\.reads_all reads all of jobs/)]);
});
