// Reports from end to end: asked for, made by the worker in three forms, taken out, by a schedule, and gone after their
// days.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import type { TenantRunner } from '../../src/kit/database.ts';
import { xlsx } from '../../src/kit/sheet/xlsx.ts';
import { makeReports } from '../../src/payment/report/make.ts';
import type { Tools } from '../../src/payment/tools.ts';
import { type Person, firstOwner, invited } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { unzipped } from '../unzipped.ts';
import { type World, world } from '../world.ts';

const ZONE = 'Europe/Paris';
const FORMULA = '=HYPERLINK("http://evil.example","x")';

let w: World;
let ada: Person;
let order_id = '';
let today = '';
beforeAll(async () => {
  w = await world();
  ada = await firstOwner(w);
  const fields = {
    operation_type: 'direct_capture',
    amount: '42.50',
    customer_id: FORMULA,
    order_merchant_id: 'cart-1',
  };
  order_id = textAt(await w.shop.pay({}, fields), 'order_id');
  await w.shop.decided(order_id);
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '2.50' } });
  await w.shop.decided(order_id);
  today = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE }).format(w.service.tools.clock.now());
});
afterAll(() => w[Symbol.asyncDispose]());

type Run = {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly rows: number;
  readonly size: number;
};
const runs = async () => ((await ada.get('/api/reports')).at('runs') ?? []) as readonly Run[];
const made = (name: string) =>
  until(async () => (await runs()).find((run) => run.name === name && run.state === 'done'));

async function file(id: string): Promise<Buffer> {
  const answer = await fetch(`${ada.url}/api/reports/${id}/file`, { headers: { cookie: ada.cookie } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const ask = (form: object) =>
  ada.post('/api/reports', {
    kind: 'orders',
    format: 'csv',
    every: 'once',
    zone: ZONE,
    from: today,
    to: today,
    ...form,
  });

test('the same rows come as CSV, JSON lines and XLSX, in the times of their zone, and no cell is a formula', async () => {
  for (const format of ['csv', 'jsonl', 'xlsx']) expect((await ask({ name: format, format })).status).toBe(200);
  const [csv, jsonl, sheet] = await Promise.all(['csv', 'jsonl', 'xlsx'].map(made));
  const text = (await file(csv?.id ?? '')).toString();
  const [head, row] = text.split('\r\n');
  expect(head).toBe(
    'order_id,created_at,order_merchant_id,customer_id,customer_email,amount,currency,status,code,method,last4,provider,captured,refunded,in_doubt,suspicious,dispute,fee_estimated,fee_settled,fee_settled_currency',
  );
  expect(row).toContain(`${order_id},`);
  expect(row).toMatch(/,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00,cart-1,/);
  expect(row).toContain(`"'=HYPERLINK(`);
  const line: unknown = JSON.parse((await file(jsonl?.id ?? '')).toString());
  expect(line).toMatchObject({ order_id, amount: '42.50', refunded: '2.50', customer_id: FORMULA });
  const parts = unzipped(await file(sheet?.id ?? ''));
  expect([...parts.keys()]).toContain('[Content_Types].xml');
  const cells = String(parts.get('xl/worksheets/sheet1.xml'));
  expect(cells).toContain('<is><t xml:space="preserve">=HYPERLINK(');
  expect(cells).not.toContain('<f');
  expect(cells).toContain(order_id);
  const [kept] = await w.sql<{ found: boolean }>(
    `SELECT bool_or(position(convert_to('cart-1', 'UTF8') IN sealed) > 0) AS found FROM payment.report_pieces`,
  );
  expect(kept?.found).toBe(false);
});

test('captures, refunds and disputes are reports of their own', async () => {
  for (const kind of ['captures', 'refunds', 'disputes']) await ask({ name: kind, kind });
  const [captures, refunds, disputes] = await Promise.all(['captures', 'refunds', 'disputes'].map(made));
  expect([captures?.rows, refunds?.rows, disputes?.rows]).toEqual([1, 1, 0]);
  expect((await file(captures?.id ?? '')).toString()).toContain(',successful,955555,42.50,EUR,simulator,');
  expect((await file(refunds?.id ?? '')).toString()).toContain(',successful,966666,2.50,EUR,simulator,');
});

test('a form that cannot be is refused beside its field, and readers have no reports', async () => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ zone: 'Mars/Olympus' }, 'zone'],
    [{ from: '2027-02-30' }, 'from'],
    [{ from: '0050-01-01', to: '0050-01-02' }, 'from'],
    [{ from: '9999-12-31', to: '9999-12-31' }, 'from'],
    [{ to: '2020-01-01' }, 'to'],
    [{ from: '2020-01-01' }, 'to'],
    [{ kind: 'fees' }, 'kind'],
    [{ name: ' ' }, 'name'],
  ];
  for (const [form, field] of wrong) {
    const refused = await ask({ name: 'x', ...form });
    expect([field, refused.status, refused.at('errors.0.field')]).toEqual([field, 400, field]);
  }
  const reader = await invited(w, ada, 'reader');
  expect((await reader.get('/api/reports')).status).toBe(403);
});

test('a report may be of 400 days, also where their clocks are put back twice', async () => {
  const form = { name: '400 days', kind: 'disputes', zone: 'Europe/Paris', from: '2026-10-01', to: '2027-11-04' };
  expect((await ask({ ...form, to: '2027-11-05' })).say('errors.0.message')).toContain('more than 400 days');
  expect((await ask(form)).status).toBe(200);
  await made('400 days');
});

test('a form with several mistakes is told all of them', async () => {
  const refused = await ask({ name: ' ', zone: 'Mars/Olympus', from: '2027-02-30', to: 'soon' });
  const fields = (refused.at('errors') as readonly { readonly field: string }[]).map(({ field }) => field);
  expect([refused.status, fields]).toEqual([400, ['name', 'zone', 'from', 'to']]);
});

test('at most ten reports that are asked for wait to be made, of each account', async () => {
  await w.sql(
    `INSERT INTO payment.report_runs (
       id, merchant_account_id, name, kind, format, zone, from_at, to_at, requested_by, due_at)
     SELECT decode(lpad(to_hex(n), 24, '0'), 'hex'), merchant_account_id, 'later', kind, format, zone,
       from_at, to_at, requested_by, now() + interval '1 year'
     FROM generate_series(1, 9) n,
       (SELECT * FROM payment.report_runs LIMIT 1) r`,
  );
  expect((await ask({ name: 'tenth', kind: 'disputes' })).status).toBe(200);
  await made('tenth');
  await w.sql(`UPDATE payment.report_runs SET state = 'waiting', due_at = 'infinity' WHERE name = 'tenth'`);
  const refused = await ask({ name: 'eleventh' });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('10 reports are still being made')]);
  await w.sql(`UPDATE payment.report_runs SET state = 'done', due_at = now() WHERE name = 'tenth'`);
  await w.sql(`DELETE FROM payment.report_runs WHERE name = 'later'`);
});

test('at most fifty reports come by a schedule, however many are asked for at one moment', async () => {
  const form = { name: 'planned', kind: 'disputes', every: 'monthly' };
  expect((await ask(form)).status).toBe(200);
  // a schedule whose report is not due: no worker touches it
  await w.sql(
    `INSERT INTO payment.reports (id, merchant_account_id, name, kind, format, every, zone, next_at, created_by)
     SELECT decode(lpad(to_hex(n), 24, '0'), 'hex'), merchant_account_id, name, kind, format, every, zone, next_at,
       created_by
     FROM generate_series(1, 48 - (SELECT count(*)::int FROM payment.reports)) n,
       (SELECT * FROM payment.reports WHERE name = 'planned') r`,
  );
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => ask(form)))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses.filter((status) => status === 409)).toHaveLength(6);
  await w.sql(`DELETE FROM payment.reports WHERE name = 'planned'`);
});

test("an account's reports have a limit, when one is asked for and while it is made; deleting makes room", async () => {
  const filler = 'made before';
  const fill = (size: string) =>
    w.sql(
      `INSERT INTO payment.report_runs (
         id, merchant_account_id, name, kind, format, zone, from_at, to_at, requested_by, state, size)
       SELECT decode(repeat('11', 12), 'hex'), merchant_account_id, $1, kind, format, zone, from_at, to_at,
         requested_by, 'done', $2::bigint
       FROM payment.report_runs LIMIT 1`,
      [filler, size],
    );
  const before = await ada.get('/api/reports');
  const [kept, most] = [before.at('kept_bytes'), before.at('most_kept_bytes')].map(Number) as [number, number];
  expect(kept).toBe((await runs()).reduce((sum, { size }) => sum + size, 0));
  await fill(String(most - kept));
  const refused = await ask({ name: 'one too many' });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('delete some of them')]);
  // room for some of it, by a schedule too
  await w.sql(`UPDATE payment.report_runs SET size = size - 10 WHERE name = $1`, [filler]);
  expect((await ask({ name: 'over the edge' })).status).toBe(200);
  const failed = await until(async () =>
    (await runs()).find(({ name, state }) => name === 'over the edge' && state === 'failed'),
  );
  expect(failed).toMatchObject({ note: expect.stringContaining('delete some of them') as string, size: 0 });
  const [left] = await w.sql<{ left: string }>(
    `SELECT count(*) AS left FROM payment.report_pieces WHERE run_id = decode($1, 'hex')`,
    [failed.id],
  );
  expect(left?.left).toBe('0');

  const old = await made('csv');
  const deleted = await ada.ask('DELETE', `/api/reports/${old.id}/file`);
  expect([deleted.status, deleted.at('kept_bytes')]).toEqual([200, most - 10 - old.size]);
  expect((await ada.get(`/api/reports/${old.id}/file`)).status).toBe(404);
  expect((await ada.ask('DELETE', `/api/reports/${old.id}/file`)).status).toBe(404);
  expect((await ask({ name: 'fits now' })).status).toBe(200);
  await made('fits now');
  await w.sql(`DELETE FROM payment.report_runs WHERE name IN ($1, 'over the edge')`, [filler]);
});

test('a worker that stood still for longer than its lease neither ends nor empties what another one makes', async () => {
  const { tools } = w.service;
  const id = tools.chance.id();
  const merchant_account_id = w.account;
  // due in a hundred years: the service's own worker leaves it alone
  await w.sql(
    `INSERT INTO payment.report_runs (
       id, merchant_account_id, name, kind, format, zone, from_at, to_at, requested_by, due_at)
     VALUES (decode($1, 'hex'), decode($2, 'hex'), 'twice', 'orders', 'csv', 'UTC', payment.now() - interval '1 day',
       payment.now() + interval '1 day', 'ada@shop.example', payment.now() + interval '100 years')`,
    [id, merchant_account_id],
  );
  /** Makes it, and stands still before it looks for the so-manieth time whether the run is still its own. */
  const worker = (at: number) => {
    let looks = 0;
    const [there, onward] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const still = <R extends Pick<TenantRunner, 'run'>>(runner: R): R => ({
      ...runner,
      run: async (...[name, text, parameters]: Parameters<TenantRunner['run']>) => {
        if (name === 'hold_report_run' && ++looks === at) {
          there.resolve(undefined);
          await onward.promise;
        }
        return runner.run(name, text, parameters);
      },
    });
    const claim = async () => {
      await w.sql(`UPDATE payment.report_runs SET tries = tries + 1 WHERE id = decode($1, 'hex')`, [id]);
      return [{ merchant_account_id, id }];
    };
    const run = ((...[name, text, parameters]) =>
      name === 'claim_report_run' ? claim() : tools.db.run(name, text, parameters)) as Tools['db']['run'];
    const db: Tools['db'] = {
      ...tools.db,
      run,
      tenant: (account) => still(tools.db.tenant(account)),
      begin: (account, work) => tools.db.begin(account, (tx) => work(still(tx))),
    };
    const done = makeReports({ ...tools, db }, 0);
    return { done, there: there.promise, goOn: () => onward.resolve(undefined) };
  };
  const stand = async () => (await runs()).find((one) => one.id === id);
  // before it throws away what is there, before it writes, before it says that it is done
  for (const at of [1, 2, 3]) {
    await w.sql(`UPDATE payment.report_runs SET state = 'waiting' WHERE id = decode($1, 'hex')`, [id]);
    const first = worker(at);
    await first.there;
    const second = worker(2);
    await second.there;
    first.goOn();
    await first.done;
    expect(await stand()).toMatchObject({ state: 'waiting' });
    second.goOn();
    await second.done;
    const made_by = await stand();
    expect(made_by).toMatchObject({ state: 'done' });
    const lines = (await file(id)).toString('utf8').trimEnd().split('\r\n');
    expect(lines.length - 1).toBe(made_by?.rows);
    expect((await ada.ask('DELETE', `/api/reports/${id}/file`)).status).toBe(200);
  }
  await w.sql(`DELETE FROM payment.report_runs WHERE name = 'twice'`);
});

test('a schedule makes each day once, and what was made is gone after thirty days', async () => {
  const { from, to, ...form } = {
    name: 'nightly',
    kind: 'orders',
    format: 'csv',
    every: 'daily',
    zone: 'UTC',
    from: 0,
    to: 0,
  };
  const planned = await ada.post('/api/reports', form);
  const id = planned.say('reports.0.id');
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 3 * DAY_S } });
  const nights = () =>
    until(async () => {
      const all = (await runs()).filter(({ name, state }) => name === 'nightly' && state !== 'waiting');
      return all.length >= 3 ? all : undefined;
    });
  const first = await nights();
  expect(first.map(({ rows }) => rows).toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
  const spans = await w.sql<{ n: string; spans: string }>(
    `SELECT count(*) AS n, count(DISTINCT from_at) AS spans FROM payment.report_runs WHERE name = 'nightly'`,
  );
  expect(spans[0]?.n).toBe(spans[0]?.spans);
  expect((await ada.ask('DELETE', `/api/reports/${id}`)).at('reports')).toEqual([]);
  await w.sql(`UPDATE payment.report_runs SET created_at = created_at - interval '31 days'`);
  const { forgetReports } = await import('../../src/payment/report/store.ts');
  const before = new Date(w.service.tools.clock.now().getTime() - 30 * DAY_S * 1000);
  await forgetReports(w.service.tools.db, 1000, before);
  expect(new Set((await runs()).map(({ state }) => state))).toEqual(new Set(['gone']));
  const [left] = await w.sql<{ left: string }>(`SELECT count(*) AS left FROM payment.report_pieces`);
  expect(left?.left).toBe('0');
  const gone = (await runs())[0]?.id;
  expect((await ada.get(`/api/reports/${gone}/file`)).status).toBe(404);
});

test('a schedule whose worker was away makes every day that was missed, each once', async () => {
  const form = { name: 'missed', kind: 'orders', format: 'csv', every: 'daily', zone: ZONE };
  const id = (await ada.post('/api/reports', form)).say('reports.0.id');
  await w.sql(`UPDATE payment.reports SET next_at = next_at - interval '4 days' WHERE id = decode($1, 'hex')`, [id]);
  const spans = () =>
    w.sql<{ from_at: Date; to_at: Date }>(
      `SELECT from_at, to_at FROM payment.report_runs WHERE name = 'missed' ORDER BY from_at`,
    );
  const caughtUp = async () => {
    const now = w.service.tools.clock.now();
    const [next] = await w.sql<{ next_at: Date }>(`SELECT next_at FROM payment.reports WHERE id = decode($1, 'hex')`, [
      id,
    ]);
    return next !== undefined && next.next_at > now ? spans() : undefined;
  };
  const all = await until(caughtUp);
  expect(all).toHaveLength(4);
  for (const [i, { from_at }] of all.entries()) if (i > 0) expect(from_at).toEqual(all[i - 1]?.to_at);
  await ada.ask('DELETE', `/api/reports/${id}`);
});

test('every report that is kept is in the list, however many were made since, and can be deleted', async () => {
  await w.sql(
    `INSERT INTO payment.report_runs (
       id, merchant_account_id, name, kind, format, zone, from_at, to_at, requested_by, state, made_at)
     SELECT
       decode(lpad(to_hex(extract(epoch FROM payment.now())::bigint - 86400 + n), 8, '0') || repeat('0', 16), 'hex'),
       m.merchant_account_id, 'many ' || n, 'orders', 'csv', 'UTC', payment.now(), payment.now(), 'ada@shop.example',
       'done', payment.now()
     FROM generate_series(1, 120) n, (SELECT * FROM payment.members LIMIT 1) m`,
  );
  const oldest = (await runs()).find(({ name }) => name === 'many 1');
  expect(oldest?.state).toBe('done');
  expect((await ada.ask('DELETE', `/api/reports/${oldest?.id}/file`)).status).toBe(200);
  await w.sql(`DELETE FROM payment.report_runs WHERE name LIKE 'many %'`);
});

test('a long workbook is written without holding it: memory stays, whatever the rows', async () => {
  const row = ['66bf18d25d1c9a0e47b2f317', FORMULA, 'Zoë & <Co>\u0000', null, true, 12.5];
  async function* rows() {
    for (let i = 0; i < 200; i++) yield Array.from({ length: 1000 }, () => row);
  }
  let size = 0;
  let most = 0;
  const before = process.memoryUsage().arrayBuffers;
  for await (const piece of xlsx(rows())) {
    size += piece.length;
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  expect(size).toBeGreaterThan(100_000);
  expect(most).toBeLessThan(150_000_000);
});

test('a text that looks like an escape of the workbook is read as it is', async () => {
  async function* rows() {
    yield [['INV_x0041_1', 'INVA1', '_x_']];
  }
  const pieces: Buffer[] = [];
  for await (const piece of xlsx(rows())) pieces.push(piece);
  const sheet = String(unzipped(Buffer.concat(pieces)).get('xl/worksheets/sheet1.xml'));
  // ECMA-376, 22.9.2.19: _x0041_ is the letter A, and _x005F_ the sign that an escape begins with
  const texts = [...sheet.matchAll(/<t [^>]*>([^<]*)<\/t>/g)].map(([, text = '']) =>
    text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
  expect(texts).toEqual(['INV_x0041_1', 'INVA1', '_x_']);
});

const named = async (name: string) => (await runs()).find((run) => run.name === name);

test('a disk that is full for longer than five tries ends no report: it is made once there is room', async () => {
  await w.sql(`
    CREATE FUNCTION payment.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON payment.report_pieces FOR EACH ROW EXECUTE FUNCTION payment.full_disk()`);
  expect((await ask({ name: 'no room' })).status).toBe(200);
  const again = `UPDATE payment.report_runs SET due_at = payment.now() WHERE name = 'no room' AND tries < 6`;
  await until(async () => {
    await w.sql(again);
    const [run] = await w.sql<{ tries: number }>(`SELECT tries::int FROM payment.report_runs WHERE name = 'no room'`);
    return run?.tries === 6 || undefined;
  });
  await w.sql('DROP TRIGGER full_disk ON payment.report_pieces');
  // the sixth try has ended when it is put off again
  await until(async () => {
    const [run] = await w.sql<{ note: string }>(
      `UPDATE payment.report_runs SET due_at = payment.now() WHERE name = 'no room' AND state = 'waiting' RETURNING note`,
    );
    return run === undefined || undefined;
  });
  expect(await named('no room')).toMatchObject({ state: 'done' });
});

test('a connection that is lost in each of more than five tries ends no report', async () => {
  const { tools } = w.service;
  const id = tools.chance.id();
  const merchant_account_id = w.account;
  // due in a hundred years: the service's own worker leaves it alone
  await w.sql(
    `INSERT INTO payment.report_runs (
       id, merchant_account_id, name, kind, format, zone, from_at, to_at, requested_by, due_at, tries)
     VALUES (decode($1, 'hex'), decode($2, 'hex'), 'cut', 'orders', 'csv', 'UTC', payment.now() - interval '1 day',
       payment.now(), 'ada@shop.example', payment.now() + interval '100 years', 6)`,
    [id, merchant_account_id],
  );
  const claimed = (async (...[name, text, parameters]) =>
    name === 'claim_report_run'
      ? [{ merchant_account_id, id }]
      : tools.db.run(name, text, parameters)) as Tools['db']['run'];
  const cut = (runner: ReturnType<Tools['db']['tenant']>): typeof runner => ({
    ...runner,
    run: async (name, text, parameters) => {
      if (name === 'sum_kept_reports') throw new Error('Connection terminated unexpectedly');
      return runner.run(name, text, parameters);
    },
  });
  const db: Tools['db'] = { ...tools.db, run: claimed, tenant: (account) => cut(tools.db.tenant(account)) };
  await makeReports({ ...tools, db }, 0);
  expect(await named('cut')).toMatchObject({ state: 'waiting' });
  await w.sql(`DELETE FROM payment.report_runs WHERE name = 'cut'`);
});

test('a schedule in a time zone that this Node does not know holds up no report of others', async () => {
  await w.sql(
    `INSERT INTO payment.reports (id, merchant_account_id, name, kind, format, every, zone, next_at, created_by)
     VALUES (decode($1, 'hex'), decode($2, 'hex'), 'nowhere', 'orders', 'csv', 'daily', 'Nowhere/None', payment.now() - interval '1 hour', 'ada@shop.example')`,
    [w.service.tools.chance.id(), w.account],
  );
  expect((await ask({ name: 'behind it' })).status).toBe(200);
  expect(await made('behind it')).toMatchObject({ state: 'done' });
});
