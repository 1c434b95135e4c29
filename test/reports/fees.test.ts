// What payments cost in reports: reckoned by the fees of the day, taken as the provider's own report says, and empty
// where neither is known.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import type { Difference } from '../../src/payment/ledger/reconcile/compare.ts';
import type { ReportedLine } from '../../src/payment/ledger/reconcile/line.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { stateFees } from '../../src/payment/routing/fees.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { command } from '../command.ts';
import { unzipped } from '../unzipped.ts';
import { type World, world } from '../world.ts';

const EARLIER = '2026-01-01';

let w: World;
let ada: Person;
let today = '';
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe' });
  ada = await firstOwner(w);
  today = w.service.tools.clock.now().toISOString().slice(0, 10);
});
afterAll(() => w[Symbol.asyncDispose]());

const state = (contract: string, fees: object, from = EARLIER) =>
  stateFees(w.service.tools, w.account, {
    contract,
    written: parseJson(JSON.stringify(fees)),
    from,
    by: 'ada',
    note: null,
    also: async () => undefined,
  });

type Line = Readonly<Record<string, unknown>>;

/** The rows of a report that is made now. */
async function report(kind: string, name: string): Promise<readonly Line[]> {
  const form = { name, kind, format: 'jsonl', every: 'once', zone: 'UTC', from: today, to: today };
  expect((await ada.post('/api/reports', form)).status).toBe(200);
  const text = (await fileOf(name)).toString();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

type Run = { readonly id: string; readonly name: string; readonly state: string };

async function fileOf(name: string): Promise<Buffer> {
  const done = await until(async () => {
    const runs = ((await ada.get('/api/reports')).at('runs') ?? []) as readonly Run[];
    return runs.find((run) => run.name === name && run.state === 'done');
  });
  const answer = await fetch(`${ada.url}/api/reports/${done.id}/file`, { headers: { cookie: ada.cookie } });
  return Buffer.from(await answer.arrayBuffer());
}

const of = (rows: readonly Line[], order_id: string) => rows.filter((row) => row['order_id'] === order_id);
const feesOf = (row: Line | undefined) => [row?.['fee_estimated'], row?.['fee_settled'], row?.['fee_settled_currency']];
const statusOf = (order_id: string, status: string) =>
  until(async () => ((await w.shop.read(order_id)).at('status') === status ? true : undefined));

const orders: Record<string, string> = {};

test('without fees that were stated, and without a report of the provider, nothing is shown, and no 0', async () => {
  orders['sale'] = textAt(await w.shop.pay({}, { amount: '42.50' }), 'order_id');
  orders['declined'] = textAt(await w.shop.pay({ card_number: '4000000000000002' }), 'order_id');
  const paid = await w.shop.pay({}, { amount: '100.00', operation_type: 'authorize' });
  orders['parts'] = textAt(paid, 'order_id');
  orders['held'] = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  for (const amount of ['30.00', '20.01']) {
    await w.shop.api(`/payment/maintenance/capture/${orders['parts']}`, { body: { amount } });
    await w.shop.decided(orders['parts']);
  }
  for (const kind of ['orders', 'captures']) {
    const rows = await report(kind, `${kind} before`);
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) expect([kind, ...feesOf(row)]).toEqual([kind, null, null, null]);
  }
});

test('an order costs percent of what was captured, what is fixed, and each attempt; by the fees of its day', async () => {
  await state('simulator', [{ currency: 'EUR', percent: '1.4', fixed: '0.25', attempt: '0.02' }]);
  const tomorrow = new Date(w.service.tools.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
  await state('simulator', [{ percent: '9' }], tomorrow);
  const rows = await report('orders', 'orders after');
  const estimated = Object.entries(orders).map(([name, id]) => [name, of(rows, id)[0]?.['fee_estimated']]);
  expect(Object.fromEntries(estimated)).toEqual({
    // 42.50 × 1.4 % = 0.595
    sale: '0.87',
    declined: '0.02',
    // 50.01 × 1.4 % = 0.70014
    parts: '0.97',
    held: '0.27',
  });
});

test("the first of several captures carries the fees that fall due once, and the captured amounts sum up to the order's", async () => {
  const rows = await report('captures', 'captures after');
  expect(of(rows, orders['parts'] ?? '').map((row) => row['fee_estimated'])).toEqual(['0.69', '0.28']);
  expect(of(rows, orders['sale'] ?? '').map((row) => row['fee_estimated'])).toEqual(['0.87']);
});

test('a payment that no row tells, and one that is not decided, are empty', async () => {
  const usd = await w.shop.pay({}, { currency: 'USD' });
  const token = await w.shop.token({ card_number: '4000009901000128' });
  const pending = await w.shop.order({
    token,
    operation_type: 'authorize',
    amount: '25.00',
    currency: 'EUR',
    order_merchant_id: 'pending-1',
  });
  const rows = await report('orders', 'orders that are not known');
  for (const reply of [usd, pending]) {
    const [row] = of(rows, textAt(reply, 'order_id'));
    expect([row?.['status'], ...feesOf(row)]).toEqual([reply.at('status'), null, null, null]);
  }
});

test('a fee by the region of the card is the one of its issuer, and of a card that no table knows there is none', async () => {
  const by_region = {
    acquirer_country: 'DE',
    fees: [
      { currency: 'GBP', region: 'domestic', percent: '1' },
      { currency: 'GBP', region: 'intra_eea', funding: 'credit', percent: '2' },
      { currency: 'GBP', percent: '3' },
      { currency: 'EUR', percent: '1.4', fixed: '0.25', attempt: '0.02' },
    ],
  };
  await state('simulator', by_region);
  const numbers = ['5555555555554444', '4242424242424242', '378282246310005', '4539578763621486'];
  const paid: string[] = [];
  for (const card_number of numbers)
    paid.push(
      textAt(
        await w.shop.pay(
          { card_number, cvc: card_number.length === 15 ? '1234' : '123' },
          { amount: '100.00', currency: 'GBP' },
        ),
        'order_id',
      ),
    );
  const rows = await report('orders', 'orders by region');
  expect(paid.map((id) => of(rows, id)[0]?.['fee_estimated'])).toEqual(['1.00', '2.00', '3.00', null]);
});

const AT_STRIPE = { merchant_contract: 'stripe', payment_channel: 'e-commerce' };

async function keep(change: (text: string) => string = (text) => text) {
  const { control_url } = w.service.simulators?.get('stripe') ?? {};
  const text = await (await fetch(`${control_url}/control/settlement`)).text();
  const path = join(w.data_dir, 'balance.csv');
  writeFileSync(path, change(text.startsWith('{') ? (JSON.parse(text) as { report: string }).report : text));
  const words = ['--report', path, '--provider', 'stripe', '--merchant', 'acct_shop', '--account', w.account];
  return command(w, ['reconcile', ...words, '--fees']);
}

test("the provider's own report says what was taken; where it was not read all through, nothing is said", async () => {
  const sale = textAt(await w.shop.pay({}, { ...AT_STRIPE, amount: '20.00' }), 'order_id');
  await statusOf(sale, 'capture_successful');
  const held = textAt(
    await w.shop.pay({}, { ...AT_STRIPE, amount: '100.00', operation_type: 'authorize' }),
    'order_id',
  );
  await w.shop.api(`/payment/maintenance/capture/${held}`, { body: { amount: '10.00' } });
  await statusOf(held, 'capture_successful');
  const plain = await keep((text) => text.replace(',fee,', ',other,'));
  expect([plain.code, plain.out]).toEqual([0, expect.stringContaining('no fees: the report has no columns')]);
  // of the hold two movements: the whole, and what was not captured of it
  const first = await keep();
  expect([first.code, first.out]).toEqual([0, expect.stringContaining('  3 fees kept; 0 were known\n')]);
  const again = await keep();
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('  0 fees kept; 3 were known\n')]);
  const other = await keep((text) => text.replace(',20.00,0.55,', ',20.00,0.56,'));
  expect([other.code, other.out]).toEqual([1, expect.stringContaining('3 were known, 1 of these with another figure')]);

  await state('stripe', [{ currency: 'EUR', percent: '1', fixed: '0.10' }]);
  const rows = await report('orders', 'orders settled');
  expect(feesOf(of(rows, sale)[0])).toEqual(['0.30', '0.55', 'EUR']);
  // 1.75 of the whole, less 1.35
  expect(feesOf(of(rows, held)[0])).toEqual(['0.20', '0.40', 'EUR']);
  const captures = await report('captures', 'captures settled');
  expect(feesOf(of(captures, sale)[0])).toEqual(['0.30', '0.55', 'EUR']);

  await w.shop.api(`/payment/maintenance/refund/${sale}`, { body: { amount: '4.00' } });
  await statusOf(sale, 'refund_successful');
  expect(feesOf(of(await report('orders', 'orders refunded'), sale)[0])).toEqual(['0.30', null, null]);
  expect((await keep()).out).toContain('  1 fees kept; 3 were known');
  expect(feesOf(of(await report('orders', 'refund settled'), sale)[0])).toEqual(['0.30', '0.55', 'EUR']);
  const [refund] = of(await report('refunds', 'refunds'), sale);
  expect(feesOf(refund)).toEqual([undefined, '0.00', 'EUR']);
});

test('a fee that the provider gave back is a number below zero in every form, and no text', async () => {
  const [row] = await w.sql<{ id: string }>(
    `INSERT INTO payment.settled_fees (merchant_account_id, operation_id, entry, order_id, provider, fee_minor, currency)
     SELECT merchant_account_id, operation_id, 'txn_given_back', order_id, provider, -35, currency
     FROM payment.settled_fees WHERE fee_minor = 0
     RETURNING encode(operation_id, 'hex') AS id`,
  );
  const id = row?.id ?? '';
  const [line] = (await report('refunds', 'given back')).filter((one) => one['operation_id'] === id);
  expect(feesOf(line)).toEqual([undefined, '-0.35', 'EUR']);
  for (const format of ['csv', 'xlsx']) {
    const form = {
      name: `back ${format}`,
      kind: 'refunds',
      format,
      every: 'once',
      zone: 'UTC',
      from: today,
      to: today,
    };
    await ada.post('/api/reports', form);
  }
  const lines = (await fileOf('back csv')).toString().split('\r\n');
  expect(lines.find((one) => one.startsWith(id))?.endsWith(',-0.35,EUR')).toBe(true);
  const sheet = String(unzipped(await fileOf('back xlsx')).get('xl/worksheets/sheet1.xml'));
  expect(sheet).toContain('>-0.35<');
});

test('a fee that was kept is never changed, and a fee without a report of the provider is refused', async () => {
  await expect(w.sql('UPDATE payment.settled_fees SET fee_minor = 0')).rejects.toThrow('settled_fees');
  const refused = await command(w, ['reconcile', '--fees']);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--fees belongs to --report')]);
});

test('CSV and Excel have the same columns, last', async () => {
  for (const format of ['csv', 'xlsx']) {
    const form = { name: format, kind: 'orders', format, every: 'once', zone: 'UTC', from: today, to: today };
    await ada.post('/api/reports', form);
  }
  const [head = '', ...rows] = (await fileOf('csv')).toString().split('\r\n');
  expect(head.endsWith(',dispute,fee_estimated,fee_settled,fee_settled_currency')).toBe(true);
  expect(rows.find((row) => row.startsWith(orders['sale'] ?? ''))?.endsWith(',0.87,,')).toBe(true);
  const sheet = String(unzipped(await fileOf('xlsx')).get('xl/worksheets/sheet1.xml'));
  expect(sheet).toContain('fee_estimated');
  expect(sheet).toContain('0.87');
});

test('a movement that one report has twice with two fees is named, and the one that was read first stays', async () => {
  const order_id = textAt(await w.shop.pay({}, { ...AT_STRIPE, amount: '30.00' }), 'order_id');
  await statusOf(order_id, 'capture_successful');
  const twice = await keep((text) =>
    text
      .split('\n')
      .flatMap((row) => (row.includes(order_id) ? [row, row.replace(',30.00,0.70,', ',30.00,0.71,')] : [row]))
      .join('\n'),
  );
  expect([twice.code, twice.out]).toEqual([1, expect.stringContaining('1 of these with another figure')]);
  expect(feesOf(of(await report('orders', 'orders twice'), order_id)[0])).toEqual(['0.40', '0.70', 'EUR']);
});

test('a movement that another line of a later report settles once more is a difference, and its fee is part of what was taken', async () => {
  const order_id = textAt(await w.shop.pay({}, { ...AT_STRIPE, amount: '31.00' }), 'order_id');
  await statusOf(order_id, 'capture_successful');
  const seen = await keep();
  expect([seen.code, seen.out]).toEqual([0, expect.stringContaining('The books agree.')]);
  const again = await keep((text) =>
    text
      .split('\n')
      .map((row) => (row.includes(order_id) ? row.replace(/\btxn_\w+/, 'txn_of_the_next_day') : row))
      .join('\n'),
  );
  expect([again.code, again.out]).toEqual([1, expect.stringMatching(/double effect +1\n/)]);
  expect(again.out).toContain('  1 fees kept;');
  expect(feesOf(of(await report('orders', 'orders again'), order_id)[0])).toEqual(['0.41', '1.42', 'EUR']);
  // the first one sent again adds nothing, and the difference is still there
  const first = await keep();
  expect([first.code, first.out]).toEqual([1, expect.stringContaining('  0 fees kept;')]);
  expect(first.out).toMatch(/double effect +1\n/);
});

/** A report of the simulated provider: lines of one order, each with what was taken for it. */
async function keepLines(order_id: string, lines: readonly Pick<ReportedLine, 'kind' | 'reference' | 'fees'>[]) {
  const said = {
    provider: 'simulator',
    merchant_account_id: w.account,
    order_id,
    amount_minor: 2500n,
    currency: 'EUR',
  };
  const whole = lines.map((one) => ({ ...said, state: 'done', effects: 1, provider_ref: null, ...one }) as const);
  const found: Difference[] = [];
  const { fees } = await reconcile({
    db: w.service.tools.db,
    source: {
      name: 'a report',
      providers: new Set(['simulator']),
      kinds: new Set(['capture', 'refund']),
      pages: async function* () {
        yield whole;
      },
    },
    in_flight: new Map(),
    account: w.account,
    keep_fees: true,
    found: async (difference) => void found.push(difference),
    progress: () => undefined,
  });
  return { fees, found: found.filter((one) => one.order_id === order_id) };
}

const fee = (entry: string, fee_minor: bigint) => [{ entry, fee_minor, currency: 'EUR' }];

test.each(['refund', 'reversal'] as const)(
  'what was taken for a sale that was undone is part of what the order cost, where its %s is a line of its own',
  async (kind) => {
    // answered with another amount, and so undone; then paid with another card
    const undone = await w.shop.pay({ card_number: '4000009901000086' }, { authentication_indicator: 'no_3ds' });
    const order_id = textAt(undone, 'order_id');
    await statusOf(order_id, 'authorization_declined');
    const body = { token: await w.shop.token() };
    await w.shop.api(`/payment/order/${order_id}`, { method: 'PUT', body });
    await statusOf(order_id, 'capture_successful');
    const rows = await w.sql<{ kind: string; state: string; id: string }>(
      `SELECT kind, state, encode(id, 'hex') AS id FROM payment.operations WHERE order_id = decode($1, 'hex')`,
      [order_id],
    );
    const idOf = (wanted: string) => rows.find((row) => `${row.kind} ${row.state}` === wanted)?.id ?? '';
    const [first, sale] = [idOf('authorize declined'), idOf('authorize successful')];
    const lines = [
      { kind: 'capture', reference: first, fees: fee('charge', 55n) },
      // books have a reversal under what it reverses, or as a refund of its own
      { kind, reference: kind === 'reversal' ? first : idOf('reversal successful'), fees: fee('back', 5n) },
      { kind: 'capture', reference: sale, fees: fee('paid', 30n) },
    ] as const;
    expect(await keepLines(order_id, lines)).toEqual({ fees: { kept: 3, known: 0, differ: 0 }, found: [] });
    expect((await keepLines(order_id, lines)).fees).toEqual({ kept: 0, known: 3, differ: 0 });
    const [row] = of(await report('orders', `undone ${kind}`), order_id);
    expect([row?.['fee_settled'], row?.['fee_settled_currency']]).toEqual(['0.90', 'EUR']);
    const captures = of(await report('captures', `captures beside an undone ${kind}`), order_id);
    expect(captures.map((one) => one['fee_settled'])).toEqual(['0.30']);
  },
);

test('what was taken for a refund that failed later is part of what the order cost, as it is in the list of refunds', async () => {
  const card = { card_number: '4000000000005126' };
  const order_id = textAt(await w.shop.pay(card, { ...AT_STRIPE, amount: '60.00' }), 'order_id');
  await statusOf(order_id, 'capture_successful');
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '6.00' } });
  await statusOf(order_id, 'refund_successful');
  const { control_url } = w.service.simulators?.get('stripe') ?? {};
  const books = await (await fetch(`${control_url}/control/books`)).json();
  const refund = (books as { refunds: { id: string; amount: number }[] }).refunds.find(({ amount }) => amount === 600);
  await fetch(`${control_url}/control/refunds/status`, {
    method: 'POST',
    body: JSON.stringify({ refund: refund?.id, status: 'failed' }),
  });
  await statusOf(order_id, 'refund_declined');
  await keep((text) => text.replace(',-6.00,0.00,-6.00,refund,', ',-6.00,0.20,-6.20,refund,'));
  const [listed] = of(await report('refunds', 'refunds that failed'), order_id);
  expect(feesOf(listed)).toEqual([undefined, '0.20', 'EUR']);
  const [order] = of(await report('orders', 'orders of failed refunds'), order_id);
  expect(order?.['fee_settled']).toBe('1.35');
});
