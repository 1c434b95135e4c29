// The refusals of the database itself, whatever the code above it does: zones, merchant accounts, history, states.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATION_KINDS, OPERATION_STATES, ORDER_STATUSES, type OperationState } from '../../src/core/states.ts';
import { textAt, until } from '../client.ts';
import { publish, putOnList } from '../risk/till.ts';
import { type World, world } from '../world.ts';

let w: World;
let order_id: string;
beforeAll(async () => {
  w = await world();
  for (const shop of [w.shop, await w.otherShop()]) {
    const checkout_id = await shop.checkout();
    const reply = await shop.order({ checkout_id, token: await shop.token({ checkout_id }) });
    await shop.decided(textAt(reply, 'order_id'));
    await shop.pay();
    const keyed = { operation_type: 'authorize', amount: 1, currency: 'EUR', order_merchant_id: 'keyed' };
    await shop.order({ ...keyed, token: await shop.token() }, { 'idempotency-key': 'a-key' });
    order_id = textAt(reply, 'order_id');
    const customer = {
      customer_id: 'c',
      customer_last_name: 'Miller',
      token_type: 'recurring',
      token: await shop.token({ token_type: 'recurring' }),
    };
    await shop.pay({}, customer);
    await shop.api('/payment/information/c');
    await shop.pay({}, customer);
    await putOnList(w, { verdict: 'block', kind: 'customer', value: 'x' }, shop);
    await publish(w, [{ name: 'all', kind: 'velocity', subject: 'all', limit: 9, window_s: 60 }], shop);
    await shop.pay();
    await shop.api('/sandbox/scenario', { body: { operation: 'notification', fault: 'timeout_taken' } });
  }
  await w.sql(
    `INSERT INTO payment.rulings (merchant_account_id, order_id, operation_id, ruling, reason, by_name)
     SELECT merchant_account_id, order_id, id, 'done', 'a test', 'anna' FROM payment.operations`,
  );
  await w.sql(
    `INSERT INTO payment.card_removals SELECT merchant_account_id, sha256(merchant_account_id), now(), 0, now() + interval '1 day' FROM payment.merchant_accounts`,
  );
  await w.sql(
    `INSERT INTO payment.lapses SELECT merchant_account_id, merchant_account_id, now() + interval '1 day' FROM payment.merchant_accounts;
     INSERT INTO payment.provider_events (provider, contract_id, event_ref, merchant_account_id, order_id, body)
     SELECT 'p', merchant_account_id, encode(merchant_account_id, 'hex'), merchant_account_id, merchant_account_id, '{}' FROM payment.merchant_accounts;
     INSERT INTO payment.late_checkouts SELECT merchant_account_id, merchant_account_id FROM payment.merchant_accounts;
     INSERT INTO payment.network_references (merchant_account_id, subscription_id, reference, order_id)
     SELECT merchant_account_id, merchant_account_id, 'A', merchant_account_id FROM payment.merchant_accounts`,
  );
  await w.sql(
    `INSERT INTO payment.people (id, email, name, password) SELECT merchant_account_id, encode(merchant_account_id, 'hex') || '@x', 'a', 'b' FROM payment.merchant_accounts;
     INSERT INTO payment.members SELECT merchant_account_id, merchant_account_id, 'reader' FROM payment.merchant_accounts;
     INSERT INTO payment.invitations (id, merchant_account_id, digest, email, role, invited_by, expires_at)
     SELECT merchant_account_id, merchant_account_id, sha256(merchant_account_id), 'a@x', 'reader', 'a test', now() FROM payment.merchant_accounts;
     INSERT INTO payment.saved_views (id, merchant_account_id, person_id, name, filters) SELECT merchant_account_id, merchant_account_id, merchant_account_id, 'a', '{}' FROM payment.merchant_accounts;
     INSERT INTO payment.audit (merchant_account_id, actor, action, object, result, source, detail) SELECT merchant_account_id, 'a', 'b', 'c', 'done', 'd', '{}' FROM payment.merchant_accounts;
     INSERT INTO payment.authentications (id, order_id, transaction_id, merchant_account_id, order_merchant_id, demand, handle, partner, created_at, due_at)
     SELECT merchant_account_id, merchant_account_id, merchant_account_id, merchant_account_id, 'a', 'ask_3ds', sha256(merchant_account_id), 'p', now(), now() + interval '1 day' FROM payment.merchant_accounts;
     INSERT INTO payment.endpoints (id, merchant_account_id, url, events, state, secret_sealed)
     SELECT merchant_account_id, merchant_account_id, 'https://shop.example', '{}', 'off', '' FROM payment.merchant_accounts;
     INSERT INTO payment.notifications (id, merchant_account_id, endpoint_id, subject_id, event, sequence, facts, state, created_at, next_at, due_at)
     SELECT merchant_account_id, merchant_account_id, merchant_account_id, merchant_account_id, 'test', 1, '{}', 'parked', now(), now(), now() FROM payment.merchant_accounts;
     INSERT INTO payment.disputes (id, merchant_account_id, order_id, operation_id, provider, state, amount_minor, currency, reason, reason_code, opened_at)
     SELECT merchant_account_id, merchant_account_id, merchant_account_id, merchant_account_id, 'p', 'opened', 1, 'EUR', '', '', now() FROM payment.merchant_accounts;
     INSERT INTO payment.contradictions (id, merchant_account_id, order_id, operation_id, transaction_id, provider, kind, held, said, amount_minor, currency, opened_at, due_at)
     SELECT merchant_account_id, merchant_account_id, merchant_account_id, merchant_account_id, merchant_account_id, 'p', 'capture', 'declined', 'approved', 1, 'EUR', now(), now() + interval '1 day'
     FROM payment.merchant_accounts;
     INSERT INTO payment.refund_requests (id, merchant_account_id, order_id, form, amount_minor, currency, reason, requested_by, requested_email)
     SELECT merchant_account_id, merchant_account_id, merchant_account_id, '{}', 1, 'EUR', 'a', merchant_account_id, 'a@x' FROM payment.merchant_accounts;
     INSERT INTO payment.dispute_evidence (dispute_id, merchant_account_id, texts_sealed, updated_by)
     SELECT merchant_account_id, merchant_account_id, '', 'a' FROM payment.merchant_accounts;
     INSERT INTO payment.dispute_files (id, merchant_account_id, dispute_id, field, name, type, size, sha256, added_by)
     SELECT merchant_account_id, merchant_account_id, merchant_account_id, 'receipt', 'a', 'image/png', 1, '', 'a' FROM payment.merchant_accounts;
     INSERT INTO payment.dispute_answers (id, merchant_account_id, dispute_id, kind, state, requested_by, reason)
     SELECT merchant_account_id, merchant_account_id, merchant_account_id, 'submit', 'refused', 'a', 'a' FROM payment.merchant_accounts;
     INSERT INTO payment.reports (id, merchant_account_id, name, kind, format, every, zone, next_at, created_by)
     SELECT merchant_account_id, merchant_account_id, 'a', 'orders', 'csv', 'daily', 'UTC', now() + interval '1 day', 'a' FROM payment.merchant_accounts;
     INSERT INTO payment.report_runs (id, merchant_account_id, name, kind, format, zone, from_at, to_at, state, requested_by)
     SELECT merchant_account_id, merchant_account_id, 'a', 'orders', 'csv', 'UTC', now(), now(), 'gone', 'a' FROM payment.merchant_accounts;
     INSERT INTO payment.report_pieces (merchant_account_id, run_id, n, sealed)
     SELECT merchant_account_id, merchant_account_id, 0, '' FROM payment.merchant_accounts;
     INSERT INTO payment.declines (merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme, amount_minor, currency, open)
     SELECT merchant_account_id, sha256(merchant_account_id), now(), merchant_account_id, 'a', 'p', 'VISA', 1, 'EUR', false FROM payment.merchant_accounts;
     INSERT INTO payment.retries (merchant_account_id, order_id, policy, state, until, began_at, ending, ended_at)
     SELECT merchant_account_id, merchant_account_id, 'default', 'ended', now(), now(), 'stopped', now() FROM payment.merchant_accounts;
     INSERT INTO payment.order_notes (id, merchant_account_id, order_id, person_id, by_name, text, created_at)
     SELECT merchant_account_id, merchant_account_id, merchant_account_id, merchant_account_id, 'anna', 'a note', now() FROM payment.merchant_accounts;
     INSERT INTO payment.payment_links (id, merchant_account_id, handle, many, currency, amount_minor, body, created_at)
     SELECT merchant_account_id, merchant_account_id, sha256(merchant_account_id), false, 'EUR', 1, '{}', now() FROM payment.merchant_accounts;
     INSERT INTO payment.sign_on (merchant_account_id, issuer, client_id, secret_sealed, passwords)
     SELECT merchant_account_id, 'https://company.example', 'a', '', true FROM payment.merchant_accounts;
     INSERT INTO payment.sign_on_domains SELECT encode(merchant_account_id, 'hex') || '.example', merchant_account_id FROM payment.merchant_accounts;
     INSERT INTO payment.sign_on_people (merchant_account_id, issuer, subject, person_id)
     SELECT merchant_account_id, 'https://company.example', 'a', merchant_account_id FROM payment.merchant_accounts;
     INSERT INTO payment.route_versions (merchant_account_id, version, rules, by_name)
     SELECT merchant_account_id, 1, '[]', 'anna' FROM payment.merchant_accounts;
     INSERT INTO payment.contract_fees (merchant_account_id, contract_id, version, valid_from, fees, by_name)
     SELECT merchant_account_id, id, 1, now(), '[]', 'anna' FROM payment.contracts;
     INSERT INTO payment.settled_fees (merchant_account_id, operation_id, entry, order_id, provider, fee_minor, currency)
     SELECT merchant_account_id, merchant_account_id, 'txn_1', merchant_account_id, 'p', 1, 'EUR' FROM payment.merchant_accounts;
     INSERT INTO payment.settled_lines (merchant_account_id, order_id, provider, what, reference, sent_back, provider_ref, entry, source)
     SELECT merchant_account_id, merchant_account_id, 'p', 'capture', merchant_account_id, false, 'ch_1', '', 'a.csv' FROM payment.merchant_accounts;
     INSERT INTO payment.reconcile_findings (id, merchant_account_id, provider, kind, what, reference, order_id, ours, theirs, amount_minor, currency, source, became, state)
     SELECT merchant_account_id, merchant_account_id, 'p', 'amount', 'capture', merchant_account_id, merchant_account_id, '1', '2', 1, 'EUR', 'a.csv', '', 'open' FROM payment.merchant_accounts;
     INSERT INTO payment.mails (id, merchant_account_id, kind, about_id, address, sealed, state, until)
     SELECT merchant_account_id, merchant_account_id, 'report', merchant_account_id, 'a@x', '', 'sent', now() FROM payment.merchant_accounts;
     INSERT INTO payment.route_weights (merchant_account_id, version, weights)
     SELECT merchant_account_id, 1, '{}' FROM payment.merchant_accounts;
     INSERT INTO payment.route_counts (merchant_account_id, hour, rule, since, cell, contract_id, controlled, tried, approved, amount_minor)
     SELECT merchant_account_id, 1, 'a', 1, 'b', merchant_account_id, false, 2, 1, 3 FROM payment.merchant_accounts;
     INSERT INTO payment.experiments (merchant_account_id, number, version_a, version_b, share, subject, method, ends_at, started_by, reason)
     SELECT merchant_account_id, 1, 1, 2, 5000, 'order', 'fixed', now() + interval '1 day', 'anna', 'a try' FROM payment.merchant_accounts;
     INSERT INTO payment.experiment_counts (merchant_account_id, number, arm, hour, decided, approved)
     SELECT merchant_account_id, 1, 'a', 1, 2, 1 FROM payment.merchant_accounts;
     INSERT INTO payment.roles (id, merchant_account_id, name, rights)
     SELECT merchant_account_id, merchant_account_id, 'a role', '{read}' FROM payment.merchant_accounts;
     INSERT INTO payment.erasures (id, merchant_account_id, state, requested_by)
     SELECT merchant_account_id, merchant_account_id, 'done', 'a' FROM payment.merchant_accounts`,
  );
  // the worker follows orders for the search behind them
  await until(async () => {
    const [row] = await w.sql<{ n: number }>(
      'SELECT count(DISTINCT merchant_account_id)::int AS n FROM payment.order_classes',
    );
    return row?.n === 2 || undefined;
  });
  // and both are in the request log, a moment behind their answers
  await until(async () => {
    const [row] = await w.sql<{ n: number }>(
      'SELECT count(DISTINCT merchant_account_id)::int AS n FROM payment.request_log',
    );
    return row?.n === 2 || undefined;
  });
});
afterAll(() => w[Symbol.asyncDispose]());

/** Runs a statement as a role, undone in any case; the SQL state it was refused with, or 'done'. */
async function triedAs(role: string, statement: string): Promise<string> {
  await w.sql('BEGIN');
  try {
    await w.sql(`SET LOCAL ROLE ${role}`);
    await w.sql(statement);
    return 'done';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    await w.sql('ROLLBACK');
  }
}

const FORBIDDEN = '42501';
const REFUSED = '23514';

async function tablesOf(schema: string): Promise<readonly { name: string; column: string }[]> {
  return w.sql<{ name: string; column: string }>(
    `SELECT c.oid::regclass::text AS name, quote_ident(a.attname) AS "column" FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 1
     WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1`,
    [schema],
  );
}

describe('the two zones', () => {
  test.each([
    ['payment_app', 'vault'],
    ['vault_app', 'payment'],
    ['payment_queue', 'vault'],
  ])('%s is refused every table of schema %s', async (role, schema) => {
    const tables = await tablesOf(schema);
    expect(tables.length).toBeGreaterThan(5);
    for (const { name, column } of tables) {
      const statements = [
        `SELECT FROM ${name}`,
        `INSERT INTO ${name} DEFAULT VALUES`,
        `UPDATE ${name} SET ${column} = ${column}`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
      ];
      for (const statement of statements) expect([statement, await triedAs(role, statement)]).toContain(FORBIDDEN);
    }
    const granted = await w.sql(
      `SELECT c.oid::regclass FROM pg_class c WHERE relnamespace = $2::regnamespace AND relkind IN ('r', 'v', 'S')
       AND (has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE') OR relkind <> 'S' AND has_any_column_privilege($1, c.oid, 'SELECT, INSERT, UPDATE'))`,
      [role, schema],
    );
    expect(granted, 'not even where the schema is opened').toEqual([]);
    const callable = await w.sql(
      `SELECT p.oid::regprocedure FROM pg_proc p WHERE pronamespace = $2::regnamespace AND prosecdef AND has_function_privilege($1, p.oid, 'EXECUTE')`,
      [role, schema],
    );
    expect(callable, 'no way round through a function').toEqual([]);
  });

  test.each(['payment_app', 'vault_app'])(
    '%s owns nothing, is nobody else, and has no way past the policies',
    async (role) => {
      const [row] = await w.sql(
        `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
         (SELECT count(*)::int FROM pg_auth_members m WHERE m.member = r.oid) AS member_of,
         (SELECT count(*)::int FROM pg_shdepend d WHERE d.refobjid = r.oid AND d.deptype = 'o') AS owns,
         has_database_privilege(rolname, current_database(), 'CREATE') AS may_create,
         has_schema_privilege(rolname, 'payment', 'CREATE') OR has_schema_privilege(rolname, 'vault', 'CREATE') AS may_add
       FROM pg_roles r WHERE rolname = $1`,
        [role],
      );
      expect(row).toEqual({
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        member_of: 0,
        owns: 0,
        may_create: false,
        may_add: false,
      });
    },
  );
});

describe('merchant accounts', () => {
  type Count = { n: number };
  let tables: readonly string[];
  beforeAll(async () => {
    const rows = await w.sql<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relnamespace = 'payment'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'merchant_account_id'
         -- a part of a table is reached through it alone
         AND NOT c.relispartition ORDER BY 1`,
    );
    tables = rows.map(({ name }) => name);
  });

  /** Rows of a table as the service sees them, with this merchant account set. */
  async function seen(table: string, account?: string): Promise<number> {
    await w.sql('BEGIN');
    await w.sql('SET LOCAL ROLE payment_app');
    if (account !== undefined) await w.sql(`SELECT set_config('app.merchant_account_id', $1, true)`, [account]);
    const [row] = await w.sql<Count>(`SELECT count(*)::int AS n FROM ${table}`);
    await w.sql('ROLLBACK');
    return row?.n ?? -1;
  }

  test('every table that names one has row-level security, enabled and forced', async () => {
    expect(tables.length).toBeGreaterThan(10);
    const open = await w.sql(
      `SELECT c.oid::regclass FROM pg_class c WHERE c.oid = ANY ($1::regclass[]) AND NOT (relrowsecurity AND relforcerowsecurity)`,
      [tables],
    );
    expect(open).toEqual([]);
  });

  test('without one set, no row of any table is seen although there are some', async () => {
    for (const table of tables) {
      const [row] = await w.sql<Count>(`SELECT count(*)::int AS n FROM ${table}`);
      expect([table, (row?.n ?? 0) > 0, await seen(table)]).toEqual([table, true, 0]);
      expect([table, await seen(table, '')]).toEqual([table, 0]);
    }
  });

  test('with one set, exactly the rows of that one are seen', async () => {
    const accounts = await w.sql<{ id: string }>(
      `SELECT encode(merchant_account_id, 'hex') AS id FROM payment.merchant_accounts`,
    );
    expect(accounts).toHaveLength(2);
    for (const table of tables)
      for (const { id } of accounts) {
        const [own] = await w.sql<Count>(
          `SELECT count(*)::int AS n FROM ${table} WHERE merchant_account_id = decode($1, 'hex')`,
          [id],
        );
        expect([table, own?.n === 0, await seen(table, id)]).toEqual([table, false, own?.n]);
      }
  });

  test('a row of another one can neither be written nor changed', async () => {
    const [mine, other] = await w.sql<{ id: string }>(
      `SELECT encode(merchant_account_id, 'hex') AS id FROM payment.merchant_accounts ORDER BY 1`,
    );
    const set = `SET LOCAL app.merchant_account_id = '${mine?.id ?? ''}';`;
    const insert = (id = '') =>
      `${set} INSERT INTO payment.idempotency_keys (merchant_account_id, route, key, object_id, fingerprint)
       VALUES (decode('${id}', 'hex'), 'r', 'k', decode('${id}', 'hex'), sha256('x'))`;
    expect(await triedAs('payment_app', insert(mine?.id))).toBe('done');
    expect(await triedAs('payment_app', insert(other?.id))).toBe(FORBIDDEN);
    const take = `${set} UPDATE payment.orders SET merchant_account_id = decode('${mine?.id ?? ''}', 'hex')`;
    expect(await triedAs('payment_app', take)).toBe(FORBIDDEN);
  });
});

describe('history', () => {
  test.each(['ledger_entries', 'observations', 'audit'])(
    '%s cannot be changed, deleted or emptied by anybody',
    async (table) => {
      for (const [role, refusal] of [
        ['payment_app', FORBIDDEN],
        ['payment_queue', FORBIDDEN],
        ['florin_owner', REFUSED],
        ['CURRENT_USER', REFUSED],
      ] as const)
        for (const verb of [
          `UPDATE payment.${table} SET at = at`,
          `DELETE FROM payment.${table}`,
          `TRUNCATE payment.${table}`,
        ]) {
          const statement = role === 'CURRENT_USER' ? `RESET ROLE; ${verb}` : verb;
          expect([role, verb, await triedAs(role === 'CURRENT_USER' ? 'NONE' : role, statement)]).toEqual([
            role,
            verb,
            refusal,
          ]);
        }
    },
  );

  test('the version of an order only rises: by one, or by two where a commit brings two statuses', async () => {
    const to = (version: string) =>
      `UPDATE payment.orders SET version = ${version} WHERE id = decode('${order_id}', 'hex')`;
    for (const version of ['version + 1', 'version + 2']) expect(await triedAs('NONE', to(version))).toBe('done');
    for (const version of ['version', 'version - 1']) expect(await triedAs('NONE', to(version))).toBe(REFUSED);
  });
});

describe('states', () => {
  test('an order has a status of the table, and is live exactly when that one is', async () => {
    const rows = [...Object.entries(ORDER_STATUSES), ['paid', { live: true }], ['', { live: false }]] as const;
    for (const [status, row] of rows)
      for (const live of [true, false]) {
        const statement = `UPDATE payment.orders SET version = version + 1, status = '${status}', live = ${live} WHERE id = decode('${order_id}', 'hex')`;
        const legal = Object.hasOwn(ORDER_STATUSES, status) && row.live === live;
        expect([status, live, await triedAs('NONE', statement)]).toEqual([status, live, legal ? 'done' : REFUSED]);
      }
  });

  test('an operation goes forward only: every pair of states for every kind', async () => {
    const states = Object.keys(OPERATION_STATES);
    await w.sql('CREATE TEMP TABLE verdicts (kind text, was text, becomes text, done boolean)');
    await w.sql(tryAll(order_id, states));
    const verdicts = await w.sql<{ kind: string; was: OperationState; becomes: OperationState; done: boolean }>(
      'SELECT * FROM verdicts',
    );
    expect(verdicts).toHaveLength(7 * 7 * 5);
    for (const { done, ...pair } of verdicts) expect({ ...pair, done }).toEqual({ ...pair, done: isLegal(pair) });
    expect(verdicts.filter(({ done }) => done).length).toBeGreaterThan(50);
  });
});

/** Moves of an operation, written down again. Only an authorization is ever reversed. */
const FORWARD: Readonly<Record<OperationState, readonly OperationState[]>> = {
  requested: ['successful', 'declined', 'not_sent', 'in_doubt', 'review', 'reversing'],
  in_doubt: ['successful', 'declined', 'not_sent', 'review', 'reversing'],
  reversing: ['declined', 'review'],
  review: ['successful', 'declined', 'not_sent', 'reversing'],
  successful: [],
  declined: [],
  not_sent: [],
};

function isLegal({ kind, was, becomes }: { kind: string; was: OperationState; becomes: OperationState }): boolean {
  if (kind !== 'authorize' && [was, becomes].includes('reversing')) return false;
  // A provider may correct what it said.
  const corrected = was === 'successful' && becomes === 'declined' && ['capture', 'refund'].includes(kind);
  return was === becomes || corrected || FORWARD[was].includes(becomes);
}

/** Puts an operation of each kind into each state, moves it into each other one, and takes it back. */
function tryAll(id: string, states: readonly string[]): string {
  const list = (names: readonly string[]) => `ARRAY['${names.join("','")}']`;
  return `DO $$ DECLARE kind text; was text; becomes text; ok boolean; x payment.operations; BEGIN
    SELECT * INTO x FROM payment.operations o WHERE o.order_id = decode('${id}', 'hex') AND o.kind = 'authorize';
    FOREACH kind IN ARRAY ${list(OPERATION_KINDS)} LOOP FOREACH was IN ARRAY ${list(states)} LOOP FOREACH becomes IN ARRAY ${list(states)} LOOP
      BEGIN
        DELETE FROM payment.operations o WHERE o.order_id = x.order_id;
        x.kind := kind; x.state := was; x.with_capture := false; x.target_id := x.transaction_id;
        x.id := CASE kind WHEN 'authorize' THEN x.transaction_id ELSE set_byte(x.transaction_id, 11, 255 - get_byte(x.transaction_id, 11)) END;
        INSERT INTO payment.operations SELECT x.*;
        UPDATE payment.operations SET state = becomes WHERE id = x.id;
        RAISE EXCEPTION USING ERRCODE = 'ZZ001';
      EXCEPTION WHEN check_violation THEN ok := false; WHEN SQLSTATE 'ZZ001' THEN ok := true; END;
      INSERT INTO verdicts VALUES (kind, was, becomes, ok);
    END LOOP; END LOOP; END LOOP; END $$`;
}
