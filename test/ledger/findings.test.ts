// What florin reconcile finds is kept: open until a later file agrees, or a person has said what it is; never dropped.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tellAlarms } from '../../src/backoffice/alarm/alarms.ts';
import type { FindingRow } from '../../src/backoffice/wire/reports.ts';
import { fileBooks } from '../../src/payment/ledger/reconcile/file.ts';
import { keeperOf } from '../../src/payment/ledger/reconcile/keep.ts';
import type { BookLine } from '../../src/payment/ledger/reconcile/line.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { simulatorBooks } from '../../src/payment/ledger/reconcile/simulator.ts';
import { type Person, firstOwner, invited } from '../backoffice/person.ts';
import { textAt } from '../client.ts';
import { command } from '../command.ts';
import { type World, world } from '../world.ts';
import { idOf, settled, tamper } from './till.ts';

let w: World;
let owner: Person;
let lines: readonly BookLine[];
let capture: BookLine;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
  for (let times = 0; times < 3; times++) await w.shop.pay();
  await settled(w);
  // nothing is young any more
  await w.sql(`UPDATE payment.clock SET shift = '1 hour'`);
  const { sandbox } = w.service.tools;
  if (!sandbox) throw new Error('a sandbox has simulated providers');
  const pages: BookLine[] = [];
  for await (const page of simulatorBooks(sandbox).pages()) pages.push(...page);
  lines = pages;
  const found = lines.find(({ kind }) => kind === 'capture');
  if (!found) throw new Error('there is a capture');
  capture = found;
});
afterAll(() => w[Symbol.asyncDispose]());
beforeEach(() => w.sql(`DELETE FROM payment.reconcile_findings`));

type Span = { readonly from?: Date; readonly to?: Date };

/** Runs it over a file with these lines, as the command does; what it has kept and resolved. */
async function run(given: readonly BookLine[], name: string, span: Span = {}) {
  const path = join(w.data_dir, name);
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  writeFileSync(path, given.map((line) => `${JSON.stringify(line, text)}\n`).join(''));
  const { db, providers } = w.service.tools;
  const in_flight = new Map([...providers].map(([at, { can }]) => [at, can.in_flight_s]));
  const asked = { db, source: await fileBooks(path), in_flight };
  const keeper = keeperOf({ ...asked, to: span.to });
  const found = (difference: Parameters<typeof keeper.keep>[0]) =>
    keeper.keep(difference, { became: '', applied: false });
  const done = await reconcile({ ...asked, ...span, found, progress: () => undefined });
  return keeper.end(done.looked);
}

const changed = (change: Partial<BookLine>): readonly BookLine[] =>
  lines.map((line) => (line === capture ? { ...line, ...change } : line));
const without = (): readonly BookLine[] => lines.filter((line) => line !== capture);

async function findings(show = 'all'): Promise<readonly FindingRow[]> {
  const { body } = await owner.get(`/api/findings?show=${show}`);
  return (body as { findings: FindingRow[] }).findings;
}
const stands = async () =>
  (await findings()).map(({ kind, state, source, resolved_by }) => [kind, state, source, resolved_by]);

test('a difference is kept with by how much, of which order and in which file, and shown once however often it is found', async () => {
  for (const name of ['monday.jsonl', 'tuesday.jsonl'])
    expect(await run(changed({ amount_minor: 2400n }), name)).toEqual({ open: 1, resolved: 0 });
  const [finding, ...more] = await findings();
  expect(more).toEqual([]);
  expect(finding).toMatchObject({
    kind: 'amount',
    what: 'capture',
    order_id: capture.order_id,
    ours: '2500',
    theirs: '2400',
    amount_minor: 100,
    currency: 'EUR',
    source: 'tuesday.jsonl',
    state: 'open',
  });
  expect(finding?.order_merchant_id).not.toBeNull();
  const needs = await owner.get('/api/needs');
  expect(needs.at('findings.0')).toMatchObject({ currency: 'EUR', count: 1, amount_minor: 100 });
});

test('a later file that agrees resolves it by itself and says so; the same difference opens it again', async () => {
  await run(changed({ amount_minor: 2400n }), 'monday.jsonl');
  expect(await run(lines, 'tuesday.jsonl')).toEqual({ open: 0, resolved: 1 });
  expect(await stands()).toEqual([['amount', 'resolved', 'monday.jsonl', 'tuesday.jsonl']]);
  expect((await owner.get('/api/needs')).at('findings')).toEqual([]);
  await run(changed({ amount_minor: 2400n }), 'wednesday.jsonl');
  expect(await stands()).toEqual([['amount', 'open', 'wednesday.jsonl', null]]);
});

test('a difference of another kind resolves the one before, and is open itself', async () => {
  await run(changed({ amount_minor: 2400n }), 'monday.jsonl');
  await run(changed({ currency: 'USD' }), 'tuesday.jsonl');
  // the newest first
  expect(await stands()).toEqual([
    ['currency', 'open', 'tuesday.jsonl', null],
    ['amount', 'resolved', 'monday.jsonl', 'tuesday.jsonl'],
  ]);
});

test('a line that was missing at the provider is resolved by a file that has it, and by no file that does not cover it', async () => {
  await run(without(), 'monday.jsonl');
  expect(await stands()).toEqual([['missing there', 'open', 'monday.jsonl', null]]);
  const later = new Date(Date.now() + 86_400_000);
  expect(await run(without(), 'empty-day.jsonl', { from: later })).toEqual({ open: 0, resolved: 0 });
  expect(await run([capture], 'late.jsonl', { from: later })).toEqual({ open: 0, resolved: 1 });
  expect(await stands()).toEqual([['missing there', 'resolved', 'monday.jsonl', 'late.jsonl']]);
});

test('an older file that agrees resolves nothing, nor does one that does not say how old it is; one as new does', async () => {
  const day = (from_now: number) => ({ to: new Date(Date.now() + from_now * 86_400_000) });
  const tuesday = day(2);
  await run(changed({ amount_minor: 2400n }), 'tuesday.jsonl', tuesday);
  expect(await run(lines, 'monday.jsonl', day(1))).toEqual({ open: 0, resolved: 0 });
  expect(await run(lines, 'some-day.jsonl')).toEqual({ open: 0, resolved: 0 });
  // that an older file shows it too makes it no older
  await run(changed({ amount_minor: 2400n }), 'monday.jsonl', day(1));
  expect(await run(lines, 'monday.jsonl', day(1))).toEqual({ open: 0, resolved: 0 });
  expect((await stands()).map(([, state]) => state)).toEqual(['open']);
  expect(await run(lines, 'tuesday-corrected.jsonl', tuesday)).toEqual({ open: 0, resolved: 1 });
});

test('a finding of an operation that was done twice is not resolved by the file of another day that lists it once', async () => {
  await run(changed({ effects: 2 }), 'monday.jsonl');
  const later = new Date(Date.now() + 86_400_000);
  expect(await run([capture], 'other-day.jsonl', { from: later })).toEqual({ open: 0, resolved: 0 });
  expect(await run(lines, 'monday-corrected.jsonl')).toEqual({ open: 0, resolved: 1 });
});

test('a file of other providers, or without a line of it, resolves nothing', async () => {
  await run(changed({ state: 'declined', effects: 0 }), 'monday.jsonl');
  await run([{ ...capture, provider: 'simulator_b', reference: 'a'.repeat(24) }], 'of-others.jsonl');
  expect((await stands()).find(([kind]) => kind === 'state')).toEqual(['state', 'open', 'monday.jsonl', null]);
});

test('a person settles it with a note, which is in the audit; it stays settled until a file says something else', async () => {
  await run(changed({ amount_minor: 2400n }), 'monday.jsonl');
  const [finding] = await findings();
  const path = `/api/findings/${finding?.id}/settle`;
  const reader = await invited(w, owner, 'reader', `reader${Date.now()}@shop.example`);
  expect((await reader.post(path, { reason: 'seen in their portal' })).status).toBe(403);
  const { mark } = finding ?? {};
  expect((await owner.post(path, { reason: 'x', mark })).at('errors.0.field')).toBe('reason');
  expect((await owner.post(path, { reason: 'They keep a fee of 1 EUR back', mark })).status).toBe(200);
  expect((await owner.post(path, { reason: 'once more, please', mark })).status).toBe(404);
  expect(await findings('settled')).toMatchObject([{ note: 'They keep a fee of 1 EUR back', by: 'Ada' }]);
  const [audited] = await w.sql(
    `SELECT object, reason, detail ->> 'finding_id' AS finding FROM payment.audit WHERE action = 'finding settled' ORDER BY seq DESC LIMIT 1`,
  );
  expect(audited).toEqual({
    object: capture.order_id,
    reason: 'They keep a fee of 1 EUR back',
    finding: finding?.id,
  });
  await run(changed({ amount_minor: 2400n }), 'tuesday.jsonl');
  expect(await findings('open')).toEqual([]);
  await run(changed({ amount_minor: 2000n }), 'wednesday.jsonl');
  expect(await findings('open')).toMatchObject([
    { theirs: '2000', amount_minor: 500, note: 'They keep a fee of 1 EUR back', by: 'Ada' },
  ]);
});

test('all open findings of a file are settled at once, and none of another', async () => {
  await run(without(), 'wrong-span.jsonl');
  await run([...lines, { ...capture, reference: 'b'.repeat(24) }], 'right.jsonl');
  await run([{ ...capture, amount_minor: 1n }], 'wrong-span.jsonl');
  const open = await findings('open');
  const of_file = open.filter(({ source }) => source === 'wrong-span.jsonl');
  expect(of_file.length).toBeGreaterThan(1);
  expect(of_file[0]?.of_source).toBe(of_file.length);
  const all = { reason: 'it was read without its days', mark: of_file[0]?.of_source_mark, all: true };
  expect((await owner.post(`/api/findings/${of_file[0]?.id}/settle`, all)).status).toBe(200);
  expect((await findings('open')).map(({ source }) => source)).toEqual(['right.jsonl']);
});

test('all of a file are those that were shown: where a run has since found another, none is settled', async () => {
  await run([{ ...capture, amount_minor: 1n }, ...without()], 'july.jsonl');
  const shown = await findings('open');
  expect(shown.length).toBeGreaterThan(0);
  await run([{ ...capture, amount_minor: 1n }, ...without(), { ...capture, reference: 'b'.repeat(24) }], 'july.jsonl');
  const now = await findings('open');
  expect(now.length).toBe(shown.length + 1);
  const settle = (mark: unknown) =>
    owner.post(`/api/findings/${shown[0]?.id}/settle`, { reason: 'they keep their fee back', mark, all: true });
  const refused = await settle(shown[0]?.of_source_mark);
  expect([refused.status, refused.say('detail')]).toEqual([
    409,
    'the open findings of this file have changed: look at them again',
  ]);
  expect(await findings('open')).toEqual(now);
  expect((await settle(now[0]?.of_source_mark)).status).toBe(200);
  expect(await findings('open')).toEqual([]);
});

test('a person settles what they were shown: where a run has since found another difference there, it stays open', async () => {
  await run(changed({ amount_minor: 2400n }), 'monday.jsonl');
  const [shown] = await findings('open');
  await run(changed({ amount_minor: 100n }), 'tuesday.jsonl');
  const settle = (mark: unknown) =>
    owner.post(`/api/findings/${shown?.id}/settle`, { reason: 'they keep a fee of 1 EUR back', mark });
  const refused = await settle(shown?.mark);
  expect([refused.status, refused.say('detail')]).toEqual([409, 'the finding has changed: look at it again']);
  const [now] = await findings('open');
  expect(now).toMatchObject({ id: shown?.id, theirs: '100', amount_minor: 2400 });
  expect((await settle(undefined)).at('errors.0.field')).toBe('mark');
  expect((await settle(now?.mark)).status).toBe(200);
});

test('a finding is mailed once a day to people who asked for alarms, until it is resolved', async () => {
  const mails = () => w.sql(`SELECT 1 FROM payment.mails WHERE kind = 'alarm'`);
  await owner.post('/api/me/alarms', { alarm_mails: true });
  await run(lines, 'monday.jsonl');
  await tellAlarms(w.service.tools);
  expect(await mails()).toEqual([]);
  await run(without(), 'tuesday.jsonl');
  for (let times = 0; times < 2; times++) await tellAlarms(w.service.tools);
  expect(await mails()).toHaveLength(1);
  const box = await owner.get('/api/sandbox/mails');
  expect(box.at('mails.0.subject')).toBe("Demo shop: 1 difference from a provider's books is open");
  expect(box.say('mails.0.link.url')).toBe(`${w.service.addresses.backoffice_url}/findings`);
});

test('a line of an account that is not here is kept, too, and nobody of another account sees it', async () => {
  await run([...lines, { ...capture, merchant_account_id: 'f'.repeat(24) }], 'monday.jsonl');
  expect(await findings()).toEqual([]);
  const kept = await w.sql(`SELECT kind FROM payment.reconcile_findings`);
  expect(kept).toEqual([{ kind: 'missing here' }]);
});

test('the operator sees what names an account that is not here, no account does, and it is settled with a reason', async () => {
  const stray = { ...capture, merchant_account_id: 'e'.repeat(24), reference: 'd'.repeat(24) };
  await run([stray, ...changed({ amount_minor: 2400n })], 'strays.jsonl');
  expect((await findings()).map(({ kind }) => kind)).toEqual(['amount']);
  const listed = (await command(w, ['review'])).out;
  expect(listed).toMatch(/missing here +capture .*d{24} +25\.00 EUR .*strays\.jsonl/);
  expect(listed).toContain('1 open. No page of the back office shows them.');
  const own = (await findings())[0]?.id ?? '';
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.reconcile_findings WHERE kind = 'missing here'`,
  );
  const ending = (id: string, ...more: readonly string[]) => command(w, ['review', 'settle-finding', id, ...more]);
  const words = ['--reason', 'a line of our other installation', '--by', 'anna'];
  expect((await ending(row?.id ?? '')).err).toContain('--reason');
  // what an account can see is for its own people
  for (const id of [own, 'x'])
    expect(await ending(id, ...words)).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no open finding'),
    });
  expect((await ending(row?.id ?? '', ...words)).out).toContain('The finding is settled: missing here, order');
  expect((await ending(row?.id ?? '', ...words)).code).toBe(1);
  expect((await command(w, ['review'])).out).not.toContain('strays.jsonl');
  const kept = await w.sql(
    `SELECT reason, actor FROM payment.audit WHERE merchant_account_id = decode($1, 'hex') AND action = 'finding settled'`,
    ['0'.repeat(24)],
  );
  expect(kept).toEqual([{ reason: 'a line of our other installation', actor: 'anna' }]);
});

test('the command keeps what it prints and says where it is shown; --look keeps nothing, --apply what it made of it', async () => {
  const order_id = textAt(await w.shop.pay(), 'order_id');
  await settled(w);
  await w.sql(`UPDATE payment.clock SET shift = shift + interval '1 hour'`);
  const id = await idOf(w, order_id, 'capture');
  const amount = (minor: number) =>
    tamper(w, `UPDATE payment.operations SET amount_minor = ${minor} WHERE id = decode($1, 'hex')`, [id]);
  await amount(2400);
  expect((await command(w, ['reconcile', '--look'])).code).toBe(1);
  expect(await findings()).toEqual([]);
  expect((await command(w, ['reconcile', '--look', '--apply'])).err).toContain('leave out --apply');
  const told = await command(w, ['reconcile', '--apply']);
  expect(told.out).toContain('Kept: 1 open, 0 resolved by these books. The back office shows them');
  expect(await findings('open')).toMatchObject([
    { kind: 'amount', order_id, became: 'parked: a difference of money is never applied' },
  ]);
  await amount(2500);
  const agreed = await command(w, ['reconcile']);
  expect([agreed.code, agreed.out]).toEqual([0, expect.stringContaining('Kept: 0 open, 1 resolved by these books.')]);
  expect(await findings('resolved')).toMatchObject([{ resolved_by: 'books of the simulated providers' }]);
});

test('a difference that --apply has ended is resolved at once, by the file that showed it', async () => {
  const { db, providers } = w.service.tools;
  const path = join(w.data_dir, 'applied.jsonl');
  writeFileSync(path, `${JSON.stringify({ ...capture, amount_minor: 2400 })}\n`);
  const keeper = keeperOf({ db, source: await fileBooks(path), in_flight: new Map() });
  const asked = { db, source: await fileBooks(path), in_flight: new Map([...providers.keys()].map((at) => [at, 0])) };
  const after = { became: 'applied: successful', applied: true };
  const done = await reconcile({ ...asked, found: (one) => keeper.keep(one, after), progress: () => undefined });
  expect((await keeper.end(done.looked)).open).toBe(0);
  expect((await findings()).find(({ kind }) => kind === 'amount')).toMatchObject({
    state: 'resolved',
    resolved_by: 'applied.jsonl',
    became: 'applied: successful',
  });
});

test('a mistake in a list of findings is named with its place', async () => {
  const refused = await owner.get('/api/findings?show=some&cursor=x');
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('show');
  expect(refused.text).toContain('cursor');
});

test('a line with more than any operation can have is refused with its file, and the pages go on', async () => {
  for (const [change, says] of [
    [{ amount_minor: 1_000_000_000_001n }, 'amount_minor must be a whole number from 0 to 1000000000000'],
    [{ amount_minor: 2500n, effects: 1001 }, 'effects must be a whole number from 0 to 1000'],
  ] as const)
    await expect(run(changed(change), 'huge.jsonl')).rejects.toThrow(says);
  const most = { amount_minor: 1_000_000_000_000n, effects: 1000 };
  await run(changed(most), 'large.jsonl');
  const shown = (await findings('open')).filter(({ reference }) => reference === capture.reference);
  expect(shown.map(({ kind }) => kind).toSorted()).toEqual(['amount', 'double effect']);
  expect((await owner.get('/api/needs')).status).toBe(200);
});

test('that a refund was sent back is resolved by no line that it was made, which any older file has', async () => {
  expect(
    (await w.shop.api(`/payment/maintenance/refund/${capture.order_id}`, { body: { amount: '5.00' } })).status,
  ).toBe(200);
  await settled(w);
  await w.sql(`UPDATE payment.clock SET shift = shift + interval '1 hour'`);
  const { sandbox } = w.service.tools;
  const made: BookLine[] = [];
  for await (const page of sandbox ? simulatorBooks(sandbox).pages() : []) made.push(...page);
  const refund = made.find(({ kind }) => kind === 'refund');
  if (!refund) throw new Error('there is a refund');
  const sent_back = [...made, { ...refund, state: 'undone' as const }];
  expect(await run(sent_back, 'monday.jsonl')).toEqual({ open: 1, resolved: 0 });
  expect(await run(made, 'sunday.jsonl')).toEqual({ open: 0, resolved: 0 });
  expect(await stands()).toEqual([['state', 'open', 'monday.jsonl', null]]);
  await tamper(
    w,
    `UPDATE payment.operations SET state = 'declined', reason = 'corrected by the provider' WHERE id = decode($1, 'hex')`,
    [refund.reference],
  );
  expect(await run(sent_back, 'monday.jsonl')).toEqual({ open: 0, resolved: 1 });
});

/** As if no file had been read. */
async function forgetLines(): Promise<void> {
  await w.sql(`ALTER TABLE payment.settled_lines DISABLE TRIGGER keep`);
  await w.sql(`DELETE FROM payment.settled_lines`);
  await w.sql(`ALTER TABLE payment.settled_lines ENABLE TRIGGER keep`);
}

test('what another line of a later file settles once more is found, in whatever order the files are read again', async () => {
  // of days on which nothing else was made: nothing is missed in them
  const days = { from: new Date(Date.now() + 86_400_000) };
  const [first, second, third] = ['line-1', 'line-2', 'line-3'].map((provider_ref) => ({ ...capture, provider_ref }));
  if (!first || !second || !third) throw new Error('there are three');
  await forgetLines();
  const read = async (given: readonly BookLine[], name: string) => (await run(given, name, days)).open;
  expect(await read([first], 'monday.jsonl')).toBe(0);
  // sent again under the same name, and in the file of the month: it is the same line
  expect(await read([first], 'monday.jsonl')).toBe(0);
  expect(await read([first], 'november.jsonl')).toBe(0);
  expect(await read([second], 'tuesday.jsonl')).toBe(1);
  const open = await findings('open');
  expect(open).toMatchObject([
    { kind: 'double effect', what: 'capture', ours: 'once', theirs: 'lines line-1, line-2', amount_minor: 2500 },
  ]);
  // a file that has it once proves nothing while another file has it, too
  expect(await run([first], 'monday.jsonl', days)).toEqual({ open: 1, resolved: 0 });
  expect(await read([first, second], 'november.jsonl')).toBe(1);
  const [finding] = await findings('open');
  expect(finding?.id).toBe(open[0]?.id);
  const said = { reason: 'they gave it back on Friday', mark: finding?.mark };
  expect((await owner.post(`/api/findings/${finding?.id}/settle`, said)).status).toBe(200);
  expect(await read([second], 'tuesday.jsonl')).toBe(0);
  expect(await read([third], 'wednesday.jsonl')).toBe(1);
});

test('a line without a name of its own is told from no other file, and twice in one file is twice', async () => {
  const days = { from: new Date(Date.now() + 86_400_000) };
  const nameless = { ...capture, provider_ref: null };
  const before = await run([nameless], 'monday.jsonl', days);
  expect([before, await run([nameless], 'tuesday.jsonl', days)]).toEqual([
    { open: 0, resolved: 0 },
    { open: 0, resolved: 0 },
  ]);
  expect(await run([nameless, nameless], 'wednesday.jsonl', days)).toEqual({ open: 1, resolved: 0 });
  expect(await findings('open')).toMatchObject([{ kind: 'double effect', theirs: 'two lines' }]);
});

test('a reversal that came back is found; another one behind it may follow, and two that stand are one too many, in one file or in two', async () => {
  const order_id = textAt(await w.shop.pay({ card_number: '4000009901000086' }), 'order_id');
  await settled(w);
  await w.sql(`UPDATE payment.clock SET shift = shift + interval '1 hour'`);
  const days = { from: new Date(Date.now() + 86_400_000) };
  const theirs: BookLine[] = [];
  for await (const page of simulatorBooks(w.service.tools.sandbox ?? fail()).pages()) theirs.push(...page);
  const of_ours = theirs.find((line) => line.kind === 'reversal' && line.order_id === order_id);
  if (!of_ours?.provider_ref) throw new Error('there is a reversal');
  const another = { ...of_ours, provider_ref: 'line-2' };
  const back = { ...of_ours, state: 'undone' as const };
  const told = async (given: readonly BookLine[], name: string) => {
    await run(given, name, days);
    const found = (await findings('open')).map(({ kind, what, ours, theirs: said }) => [kind, what, ours, said]);
    await w.sql(`DELETE FROM payment.reconcile_findings`);
    return found;
  };
  const came_back = [['state', 'reversal', 'successful', 'undone']];
  const once_more = [
    ['double effect', 'reversal', 'once', `lines ${['line-2', of_ours.provider_ref].toSorted().join(', ')}`],
  ];
  expect(await told([of_ours, back], 'monday.jsonl')).toEqual(came_back);
  expect(await told([back], 'tuesday.jsonl')).toEqual(came_back);
  await forgetLines();
  expect(await told([of_ours], 'monday.jsonl')).toEqual([]);
  expect(await told([another], 'tuesday.jsonl')).toEqual(once_more);
  await forgetLines();
  expect(await told([of_ours, another], 'november.jsonl')).toEqual(once_more);
  await forgetLines();
  // ours is the one behind the one that came back, whichever file is sent again
  expect(await told([another, { ...another, state: 'undone' }, of_ours], 'november.jsonl')).toEqual([]);
  for (const one of [another, of_ours]) expect(await told([one], 'monday.jsonl')).toEqual([]);
});

const fail = (): never => {
  throw new Error('a sandbox has simulated providers');
};
