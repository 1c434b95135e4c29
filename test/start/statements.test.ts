// Every statement of the code, as PostgreSQL sees it: allowed to the role that runs it, and answered from an index.
import { findSealedSamples, putCardDigests, sealEntries } from '../../src/payment/store.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type TenantRunner, openDatabase, preparedStatements } from '../../src/kit/database.ts';
import { countStore } from '../../src/kit/database/counts.ts';
import { openLog } from '../../src/kit/log.ts';
import { seedDemo } from '../../src/payment/merchant/demo.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { analyzePayment } from '../../src/payment/metrics/metrics-store.ts';
import { analyzeVault } from '../../src/vault/metrics/metrics-store.ts';
import { timelineOf } from '../../src/payment/order/timeline/read-timeline.ts';
import { beginClock, readClock } from '../../src/payment/sandbox/clock/store.ts';
import { takeNotificationFault } from '../../src/payment/sandbox/faults/sending.ts';
import { dropLapse, findDaysOf, postponeLapse } from '../../src/payment/order/expiry/expiry-store.ts';
import {
  bringForward,
  isSentSince,
  note,
  noteSend,
  wakeAbandoned,
} from '../../src/payment/order/engine/queue-store.ts';
import { settleFacts } from '../../src/payment/order/engine/record-plan.ts';
import { settle } from '../../src/payment/order/engine/settle-store.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { awaitPayer, nextTrace, noteSent, noteStep, takeFrom } from '../../src/payment/order/engine/step-store.ts';
import { findPages, keepDays, writePages } from '../../src/payment/request-log/store.ts';
import {
  endProviderRun,
  insertProviderRun,
  insertUnseenRun,
  noteLiability,
} from '../../src/payment/order/authentication/provider-run-store.ts';
import { newOperation } from '../../src/payment/order/facts/operation-columns.ts';
import { WELL } from '../../src/core/routing/health.ts';
import { closeProvider, openProvider } from '../../src/payment/routing/health-store.ts';
import { findWhoseContract } from '../../src/payment/merchant/credentials/store.ts';
import {
  endEvent,
  findEvent,
  findOrdersByReference,
  insertEvent,
  listParkedEvents,
  setAside,
  wakeOperation,
} from '../../src/payment/settlement/store.ts';
import { beginShift, readShift } from '../../src/vault/clock/store.ts';
import { putPartner } from '../../src/vault/saved/store.ts';
import { updateForward } from '../../src/vault/forward/store.ts';
import { deleteOld } from '../../src/vault/store.ts';
import { type Ask, asRole, conditionsLostToSecurity, planNodes, roleOf } from '../../bench/plans.ts';
import { authenticates } from '../authentication/payer.ts';
import { CHECKOUT, GOOD_CARD, textAt, until } from '../client.ts';
import { everyBackofficeStatement } from '../backoffice/everything.ts';
import { everyDisputeStatement } from '../disputes/everything.ts';
import { everyPrivacyStatement } from '../privacy/everything.ts';
import { everyMailStatement } from '../mail/everything.ts';
import { everyReportStatement } from '../reports/everything.ts';
import { everyDeclinesStatement } from '../declines/everything.ts';
import { everyLedgerStatement } from '../ledger/everything.ts';
import { everyNotificationStatement } from '../notifications/everything.ts';
import { everySearchStatement } from '../search/everything.ts';
import { everyVaultStatement } from '../vault/everything.ts';
import { hostedCheckout, nonceIn, open, pay, sendForm } from '../hosted-page/payer.ts';
import { everyRetryStatement } from '../retries/everything.ts';
import { everyRiskStatement } from '../risk/everything.ts';
import { everyRouteStatement } from '../routing/everything.ts';
import { populate } from '../search/population.ts';
import { type World, world } from '../world.ts';
import { ROOT } from './child.ts';

let w: World;
beforeAll(async () => {
  w = await world();
  await leaveStatistics();
  await runEverything();
});
afterAll(() => w[Symbol.asyncDispose]());

/**
 * Plans are looked at for tables that nobody has analyzed. PostgreSQL does that by itself after a minute, and for a
 * handful of rows it reads a table whole, rightly: a machine that is slow enough would be told of it.
 */
async function leaveStatistics(): Promise<void> {
  await w.sql(`DO $$
    DECLARE
      each_table regclass;
    BEGIN
      FOR each_table IN
        SELECT oid
        FROM pg_class
        WHERE relnamespace IN ('payment'::regnamespace, 'vault'::regnamespace)
          AND relkind = 'r'
      LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', each_table);
      END LOOP;
    END $$`);
}

/**
 * Runs one of everything: a payment with a checkout, one without, keys that change, the questions and notes of
 * recovery.
 */
async function runEverything(): Promise<void> {
  const { tools, demo } = w.service;
  if (!demo) throw new Error('a sandbox has a demo account');
  const checkout_id = await w.shop.checkout();
  const order = await w.shop.order({ checkout_id, token: await w.shop.token({ checkout_id }) });
  const order_of_checkout = textAt(order, 'order_id');
  await w.shop.decided(order_of_checkout);
  await w.shop.api(`/payment/checkout/${checkout_id}`);
  await w.shop.pay();
  for (let times = 0; times < 2; times++)
    await w.shop.api('/payment/checkout', { body: CHECKOUT, headers: { 'idempotency-key': 'one' } });
  for (let times = 0; times < 2; times++)
    await w.shop.vault('/token', { body: GOOD_CARD, headers: { 'idempotency-key': 'one' } });
  // the sandbox looks at the number of a card that ends like one of its own for risk
  await w.shop.pay({ card_number: '4100000000000019' });
  // the bank gives it a score
  await w.shop.pay({ card_number: '4000000000009235' });
  const saved = await w.shop.token({ token_type: 'recurring' });
  await w.shop.vault('/token', { body: { token: saved, cvc: '123' }, headers: { 'idempotency-key': 'again' } });
  const db = tools.db.tenant(demo.merchant_account_id);
  await changeSettings(tools, demo.merchant_account_id, {});
  const operation_id = tools.chance.id();
  // The second time there is one already, and it is looked at.
  for (let times = 0; times < 2; times++) await tools.vault.tombstone({ operation_id });
  const seen = {
    source: 'inquiry',
    outcome: 'unknown',
    provider_ref: null,
    provider_code: null,
    detail: null,
  } as const;
  const answered = { http_status: 200, answer: '{}' };
  const ids = { operation_id, order_id: tools.chance.id(), transaction_id: tools.chance.id() };
  const sends = { key_round: 0, sent_at: null };
  await note(db, { ...seen, ...answered, ...ids, ...sends, state: 'in_doubt', waits_for: 'call', retry_s: 1 });
  await wakeAbandoned(tools.db);
  // what the worker does beside it may make it wait in a circle: its job does it again
  await until(async () => {
    try {
      await bringForward(tools.db, 3600);
      return true;
    } catch (error) {
      if (/deadlock/.test(String(error))) return undefined;
      throw error;
    }
  });
  await asVault(operation_id);
  await theSteps(db);
  await theWholeSettlement(db, order_of_checkout);
  await theEngine(db);
  await everyVaultStatement(w);
  await everyLedgerStatement(w);
  await everyBackofficeStatement(w);
  await everyDisputeStatement(w);
  await everyMailStatement(w);
  await everyReportStatement(w);
  await everyPrivacyStatement(w);
  await everySearchStatement(db);
  await everyRiskStatement(w);
  await everyRouteStatement(w);
  await everyDeclinesStatement(w);
  await everyRetryStatement(w);
  await theRequestLog(db);
  const counts = countStore(tools.db, 'payment');
  await counts.exchange(operation_id, []);
  await counts.leave(operation_id);
  await analyzePayment(tools.db);
  await theOwnKey();
  for (let times = 0; times < 2; times++)
    await w.shop.api('/sandbox/clock/advance', { body: { seconds: 1 }, headers: { 'idempotency-key': 'one' } });
  await w.shop.api('/sandbox/clock');
  const { shift_ms } = await readClock(tools.db);
  await beginClock(tools.db, shift_ms);
  await timelineOf(db, order_of_checkout);
  const scenario = { operation: 'notification', fault: 'timeout_taken' };
  for (let times = 0; times < 2; times++)
    await w.shop.api('/sandbox/scenario', { body: scenario, headers: { 'idempotency-key': 'one' } });
  const facts = { order_id: null, order_merchant_id: null, amount: null, card_4_digits: null };
  await takeNotificationFault(tools, demo.merchant_account_id, facts);
  await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
  await everyNotificationStatement(w);
  await withCustomer();
  await withPage();
  await withLink();
  await withPayer();
  const other = { private_key: 'private_'.padEnd(32, 'x'), public_key: 'public_'.padEnd(32, 'x') };
  await seedDemo(tools, demo.merchant_account_id, other);
}

/** Maintenance, retry, fallback, what providers tell, and what only time or trouble brings. */
async function theEngine(db: TenantRunner): Promise<void> {
  const { tools } = w.service;
  const declined = await w.shop.pay({ card_number: '4000000000000119' });
  const order_id = textAt(declined, 'order_id');
  await w.shop.decided(order_id);
  await w.shop.api(`/payment/order/${order_id}`, { method: 'PUT', body: { token: await w.shop.token() } });
  await w.shop.decided(order_id);
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '1' } });
  await w.shop.api('/payment/order');
  await noteSend(db, {
    order_id,
    operation: { id: order_id, transaction_id: order_id, sent_at: null, key_round: 0 },
  });
  await openProvider(tools.db, { name: 'nobody', watch: WELL, probe_s: 1 });
  await closeProvider(tools.db, { name: 'nobody', watch: WELL, spread_s: 1 });
  await postponeLapse(db, order_id, 1);
  await dropLapse(db, order_id);
  await findDaysOf(db, order_id);
  const event = { contract_id: order_id, event_ref: 'e' };
  const body = Buffer.from('{}');
  await insertEvent(db, { ...event, provider: 'simulator', body, state: 'received', reason: null });
  await findEvent(db, event);
  await endEvent(db, event, { state: 'parked', reason: 'a test', order_id });
  await listParkedEvents(db, 1);
  await setAside(db, event);
  await findOrdersByReference(db, { provider: 'simulator', reference: 'e' });
  await wakeOperation(db, { order_id, operation_id: order_id, lease_s: 20 });
  await findWhoseContract(tools.db, order_id);
}

/**
 * The statements of operations with several calls, and of a payer at the provider: about an order that does not exist.
 */
async function theSteps(db: TenantRunner): Promise<void> {
  const { tools } = w.service;
  const order_id = tools.chance.id();
  const operation = newOperation({
    id: order_id,
    transaction_id: order_id,
    kind: 'authorize',
    amount_minor: 1n,
    created_at: new Date(0).toISOString(),
  });
  const step = { step: 'confirm', kept: {}, money: true, reference: null, lease_s: 1 };
  expect(await noteStep(db, { order_id, operation }, step)).toBe(false);
  expect(await takeFrom(db, { order_id, operation })).toBe(false);
  await isSentSince(db, { order_id, operation });
  await expect(noteSent(db, { order_id, operation_id: order_id, sent_s: 1 })).rejects.toThrow('is there');
  expect(await nextTrace(db)).toMatch(/^\d{6}$/);
  const { merchant_account_id } = db;
  const of = { merchant_account_id, order_id, transaction_id: order_id };
  await tools.db.begin(merchant_account_id, async (tx) => {
    await awaitPayer(tx, { ...of, operation_id: order_id, kept: {}, patience_s: 1 });
    const page = { handle: '00'.repeat(32), partner: 'Stripe', demand: 'ask_3ds', request_id: null } as const;
    await insertProviderRun(tx, { ...of, ...page, id: order_id, url: 'https://provider.example', form: null });
    await endProviderRun(tx, { ...of, state: 'declined', code: null, liability_shifted: false });
    await insertUnseenRun(tx, { ...of, ...page, id: order_id });
  });
  expect(await noteLiability(db, of)).toBe(false);
}

/** A settlement that ends other operations too, of an order that has changed meanwhile. */
async function theWholeSettlement(db: TenantRunner, order_id: string): Promise<void> {
  const counters = { authorized: 0n, released: 0n, capturing: 0n, captured: 0n, refunding: 0n, refunded: 0n };
  const order = await findOrder(db, order_id);
  const [operation] = order?.operations ?? [];
  if (!order || !operation) throw new Error('the order has an operation');
  const others = [{ id: operation.id, state: 'declined', code: null, reason: null }] as const;
  const settlement = {
    ...order,
    kind: 'settle',
    state: 'declined',
    code: null,
    reason: null,
    others,
    attempt_dead: true,
    wins: false,
    counters,
    events: [],
    follow: undefined,
    postings: [],
    above: 0n,
    alert: undefined,
    payer: undefined,
  } as const;
  const observation = { source: 'answer', outcome: { kind: 'unknown', why: 'timeout' }, answer: undefined } as const;
  const facts = settleFacts({ order, operation, observation, settlement }, order.id);
  const settled = await settle(db, { ...facts, version: order.version + 1 });
  expect(settled).toBeUndefined();
}

/** Pages are written and found by time and by order; days are made and dropped. */
async function theRequestLog(db: TenantRunner): Promise<void> {
  const { tools } = w.service;
  const { merchant_account_id } = db;
  const order_id = tools.chance.id();
  await keepDays(tools.db, 7);
  const page = {
    id: tools.chance.id(),
    refused: false,
    orders: [order_id],
    facts: Buffer.from('1'),
    bodies: Buffer.from('1'),
  };
  await writePages(tools.db, [{ ...page, merchant_account_id }]);
  const all = { from: null, to: null, before: null, refused: false, room: 1 };
  await findPages(db, { ...all, order_id: null });
  expect(await findPages(db, { ...all, order_id })).toMatchObject([{ id: page.id }]);
}

/** The statements of a first start on a database of an earlier version, which puts things right. */
async function theOwnKey(): Promise<void> {
  const { tools } = w.service;
  const merchant_account_id = w.account;
  await findSealedSamples(tools.db, 1);
  const card_unique_id = tools.chance.uuid();
  await putCardDigests(tools.db, [{ merchant_account_id, card_unique_id, digest: 'ab'.repeat(32) }]);
  const entry = { merchant_account_id, subject: 'ab'.repeat(16), shown: card_unique_id };
  await sealEntries(tools.db, [{ ...entry, sealed: Buffer.alloc(1) }]);
}

/** A hosted page that is opened and left. */
async function withPage(): Promise<void> {
  const { url } = await hostedCheckout(w.shop);
  await sendForm(`${url}/cancel`, { nonce: nonceIn(await open(url)) });
}

/** A payment link that is made, listed, opened, paid and ended. */
async function withLink(): Promise<void> {
  const body = { amount: '5.00', currency: 'EUR', order_merchant_id: 'linked' };
  const made = await w.shop.api('/payment/link', { body });
  const [url, path] = [textAt(made, 'link.url'), `/payment/link/${textAt(made, 'link.link_id')}`];
  for (let times = 0; times < 2; times++) {
    const opened = await sendForm(url, { nonce: nonceIn(await open(url)) });
    if (times === 1) await pay(w.shop, new URL(opened.location ?? '', url).href.replace('?sent', ''));
  }
  await w.shop.api('/payment/link');
  await w.shop.api(`${path}/order`);
  await w.shop.api(path, { body: { status: 'ended' } });
}

/** Payers who are asked: one comes to the bank and back, one is left behind by a cancel. */
async function withPayer(): Promise<void> {
  await w.shop.pay({}, { authentication_indicator: 'ask_3ds' });
  const asks = () => w.shop.pay({ card_number: '4000002760003184' }, { authentication_indicator: 'ask_3ds' });
  await authenticates(await asks());
  const order_id = textAt(await asks(), 'order_id');
  await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { method: 'POST' });
}

/** A card that is saved, used and removed, and what a later payment of a subscription asks. */
async function withCustomer(): Promise<void> {
  const customer_id = 'customer';
  await w.shop.checkout({ customer_id });
  const token = await w.shop.token({ token_type: 'recurring' });
  await w.shop.pay({}, { token, customer_id, token_type: 'recurring' });
  const body = {
    type: 'api',
    operation_type: 'authorize',
    amount: '2.00',
    currency: 'EUR',
    order_merchant_id: 'again',
  };
  const recurring = { payment_channel: 'recurring', token_type: 'recurring' };
  const checkout = await w.shop.api('/payment/checkout', { body: { ...body, ...recurring } });
  const checkout_id = textAt(checkout, 'checkout.checkout_id');
  const first = await w.shop.order({ checkout_id, token: await w.shop.token({ token_type: 'recurring' }) });
  await w.shop.decided(textAt(first, 'order_id'));
  const subscription_id = textAt(checkout, 'checkout.subscription_id');
  await w.shop.pay({}, { token, subscription_id, payment_channel: 'recurring' });
  await w.shop.api(`/payment/information/${customer_id}`);
  await w.shop.api('/payment/information/id', { method: 'DELETE', body: { customer_id } });
}

/** The vault's writes if there is no connection to a provider, and its deletions in time. */
async function asVault(operation_id: string): Promise<void> {
  const { socket_dir, user } = inject('server');
  const at = { socket_dir, user, database: w.database };
  const vault = openDatabase({ at, role: 'vault_app', name: 'test', max: 1, log: openLog('silent') });
  await updateForward(vault, { operation_id, state: 'not_sent', http_status: null, answer_sealed: null });
  await deleteOld(vault);
  const counts = countStore(vault, 'vault');
  await counts.exchange(operation_id, []);
  await counts.leave(operation_id);
  await analyzeVault(vault);
  await beginShift(vault, await readShift(vault));
  const merchant_account_id = w.account;
  await putPartner(vault, merchant_account_id, 'stripe');
  const psp_token = { token_kind: 'psp_token', psp_token: 'pm_1', partner: 'stripe', payment_method_name: 'visa' };
  await w.shop.vault('/token', { body: psp_token, key: w.keys.private_key });
  await vault.close();
}

type Statement = { readonly name: string; readonly text: string; readonly role: string };

/** All on one connection. */
const ask: Ask = <R extends pg.QueryResultRow>(text: string) => w.sql<R>(text);

function statements(): readonly Statement[] {
  return [...preparedStatements()].map(([name, { text }]) => ({ name, text, role: roleOf(text) }));
}

test('every statement of the code is run here', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const named = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, 'src', file), 'utf8');
    const alone = text.matchAll(/\.(?:run|batch|batchRead)(?:<[^()]*>)?\(\s*'([a-z_]+)'/g);
    // the same of both zones
    const of_zones = text.matchAll(/\.run(?:<[^()]*>)?\(\s*`\$\{schema\}_([a-z_]+)`/g);
    const of_rows = text.matchAll(/\b[a-z]+Statement\(\s*'([a-z_]+)'/g);
    return [
      ...[...alone].map(([, name = '']) => name),
      ...[...of_zones].flatMap(([, name = '']) => [`payment_${name}`, `vault_${name}`]),
      ...[...of_rows].flatMap(([, name = '']) => [name, `${name}_together`]),
    ];
  });
  expect(new Set(named).size, 'two statements of one name').toBe(named.length);
  expect([...preparedStatements().keys()].toSorted()).toEqual(named.toSorted());
});

test('every statement can be prepared by the role that runs it', async () => {
  for (const { name, text, role } of statements())
    await asRole(ask, { role }, () =>
      w.sql(`PREPARE ${name} AS ${text}`).then(() => w.sql(`DEALLOCATE ${name}`)),
    ).catch((error: unknown) => {
      throw new Error(`${name} as ${role}: ${String(error)}`);
    });
});

/**
 * Tables with one row, or one for each provider, process or month, or one for a payment that is under way when its time
 * ends.
 */
const SMALL = new Set([
  'clock',
  'archives',
  'processes',
  'secret_key',
  'providers',
  'order_search_state',
  'late_checkouts',
  'late_checkouts_pkey',
]);
/** Tables with one row or a few for each merchant: jobs of the whole deployment read them whole. */
const OF_MERCHANTS = [
  'lapsing reads all of merchant_accounts',
  'lapsing reads all of contracts',
  'authorization_days reads all of contracts',
  'next_authorization reads all of merchant_accounts_pkey',
  'next_authorization reads all of contracts',
  // what waits is the whole of the index of what waits
  'queue_figures reads all of notifications',
  'wake_abandoned reads all of operations_due',
  // those that are open are few, and have an index of their own
  'whose_operation reads all of contradictions',
  // an operator's command, over what is open of every account
  'settle_stray_finding reads all of reconcile_findings',
  'stray_findings reads all of reconcile_findings',
  // asked when a merchant brings keys, and ends at the second account that has people
  'accounts_with_people reads all of merchant_accounts',
  'accounts_with_people reads all of members_by_role',
  'accounts_with_people reads all of invitations_by_account',
  // only accounts that learn are in it
  'learning_accounts reads all of accounts_that_learn',
];

/** On empty tables a scan of all is the cheapest way. */
const NO_SCANS = 'SET LOCAL enable_seqscan = off';

/** The parts of a statement that read a whole table: without an index, or all of one. */
async function wholeReads({ name, text, role }: Statement): Promise<readonly string[]> {
  const nodes = await planNodes(ask, { text, role, first: [NO_SCANS, 'SET LOCAL search_path = payment, pg_temp'] });
  expect(nodes.length).toBeGreaterThan(0);
  const whole = nodes.filter(
    (node) =>
      node['Node Type'] === 'Seq Scan' ||
      (/^(?:Bitmap )?Index (?:Only )?Scan/.test(node['Node Type']) && node['Index Cond'] === undefined),
  );
  return whole
    .map((node) => node['Relation Name'] ?? node['Index Name'] ?? '')
    .filter((relation) => !SMALL.has(relation))
    .map((relation) => `${name} reads all of ${relation}`);
}

test('every statement finds its rows by an index', async () => {
  const found: string[] = [];
  for (const statement of statements()) found.push(...(await wholeReads(statement)));
  expect(found).toEqual([]);
});

/** Statements that look through a stretch of time, for an id of which nothing else is known, or for what was seen. */
const BY_RANGE = [
  'find_last_sights by observations',
  'find_named_orders by transactions_by_id',
  'find_observations by observations',
  'find_unfollowed by events_by_tx',
  'list_bookings_of_span by ledger_entries_by_time',
];

test('a row whose order is known is found by its key, not in a range of pages', async () => {
  const ranges = new Set(
    (
      await w.sql<{ name: string }>(
        `SELECT c.relname AS name FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE a.amname = 'brin'`,
      )
    ).map(({ name }) => name),
  );
  expect(ranges.size).toBeGreaterThan(0);
  const found = new Set<string>();
  for (const { name, text, role } of statements()) {
    const first = [NO_SCANS, 'SET LOCAL search_path = payment, pg_temp'];
    for (const node of await planNodes(ask, { text, role, first }))
      if (ranges.has(node['Index Name'] ?? ''))
        found.add(`${name} by ${node['Index Name']?.replace(/^observations_.*/, 'observations')}`);
  }
  expect([...found].toSorted()).toEqual(BY_RANGE);
});

test('row-level security keeps no statement from asking its index', async () => {
  const found: string[] = [];
  for (const { name, text, role } of statements()) {
    const lost = await conditionsLostToSecurity(ask, { text, role, first: [NO_SCANS] });
    found.push(...lost.map((condition) => `${name}: ${condition}`));
  }
  expect(found).toEqual([]);
});

test('every statement names the account of each row it reads, so that its plan is not that of the account that came first', async () => {
  const found: string[] = [];
  for (const { name, text, role } of statements()) {
    const nodes = await planNodes(ask, { text, role, first: [NO_SCANS] });
    const guessed = nodes.filter((node) => /current_setting/.test(`${node['Index Cond']} ${node.Filter}`));
    found.push(...guessed.map((node) => `${name}: ${node.Alias}`));
  }
  expect(found).toEqual([]);
});

test('an order is read without the rules by which it was routed: taken apart for each read, forty cost twice the rest', () => {
  const reads = statements().filter(({ text }) => text.includes('payment.orders o') && text.includes('route_versions'));
  expect(reads.map(({ name }) => name)).toContain('find_order');
  expect(reads.filter(({ text }) => /\bv\.rules\b/.test(text)).map(({ name }) => name)).toEqual([]);
});

test('the functions that look across merchant accounts find their rows by an index', async () => {
  const functions = await w.sql<{ name: string; text: string; names: string[] | null }>(
    `SELECT proname AS name, prosrc AS text, proargnames[1:pronargs] AS names FROM pg_proc
     WHERE pronamespace = 'payment'::regnamespace AND prosecdef AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql')`,
  );
  expect(functions.map(({ name }) => name)).toContain('claim_operations');
  for (const { name, text, names } of functions) {
    const numbered = (names ?? []).reduce(
      (body, word, n) => body.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), `$${n + 1}`),
      text,
    );
    const whole = await wholeReads({ name, text: numbered, role: 'payment_queue' });
    expect(whole.filter((one) => !OF_MERCHANTS.includes(one))).toEqual([]);
  }
});

/** Two orders of three are of one account; each of the others has about one. Left as it is: nothing comes after it. */
async function oneLargeAccount(): Promise<void> {
  const merchant_account_id = w.account;
  const to_s = Date.now() / 1000;
  await populate(w.sql, { merchant_account_id, orders: 3000, from_s: to_s - 1e6, to_s });
  // what was written is not changed, but for a test
  await w.sql('SET session_replication_role = replica');
  for (const table of GROWN)
    await w.sql(
      `UPDATE payment.${table}
       SET merchant_account_id = decode(left(md5(ctid::text), 24), 'hex')
       WHERE hashtext(ctid::text) % 3 = 0`,
    );
  // imported orders have no token: those that are paid here are the first
  await w.sql('UPDATE payment.transactions SET token_type = NULL, token_hash = NULL');
  await w.sql('SET session_replication_role = origin');
  await w.sql('VACUUM (ANALYZE)');
}

/** Tables that have rows of every payment. */
const GROWN = ['checkouts', 'events', 'operations', 'orders', 'transactions'];

test('no statement reads all that an account has, where one account is large among many small ones', async () => {
  await oneLargeAccount();
  const found: string[] = [];
  for (const { name, text, role } of statements()) {
    const nodes = await planNodes(ask, { text, role, first: [NO_SCANS] });
    const whole = nodes.filter(
      (node) =>
        GROWN.includes(node['Relation Name'] ?? '') &&
        /merchant_account_id/.test(node['Index Cond'] ?? '') &&
        !/ AND /.test(node['Index Cond'] ?? ''),
    );
    found.push(...whole.map((node) => `${name} reads ${node['Index Name']}`));
  }
  expect(found).toEqual([]);
});
