// What every maintenance answer has in common (contract 2, 8): its members, amounts in and out, bodies, ids, problem
// bodies, and the order as it is read afterwards.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type Reply, textAt } from '../client.ts';
import { findings, resolve } from '../schema.ts';
import { type Kind, type Till, NO_WAIT, UNDECIDED, cardFor, members, openTill } from './till.ts';

let till: Till;
let document: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  till = await openTill();
  document = Object((await till.shop.api('/openapi.json', { key: null })).body);
});
afterAll(() => till[Symbol.asyncDispose]());

const KINDS = ['capture', 'refund', 'cancel'] as const;

/** An order that this can be done with. */
const orderFor = (kind: Kind, fields: object = {}, card?: string) =>
  kind === 'refund' ? till.sell(fields, card) : till.authorize(fields, card);

const COMMON = [
  'result order_id transaction_id status order_amount order_currency order_merchant_id',
  'payment_method_name payin_partner is_authenticated is_authorized request_id operation_merchant_id',
].flatMap((line) => line.split(' '));
/** Contract 8.1 to 8.3, "more members". */
const MORE: Readonly<Record<Kind, readonly string[]>> = {
  capture: [
    'capture_id',
    'capture_date',
    'capture_request_status',
    'captured_amount',
    'capturable_amount',
    'capture_amount_requested',
    'total_capture_amount_requested',
  ],
  refund: [
    'refund_id',
    'capture_id',
    'refund_date',
    'refund_request_status',
    'refunded_amount',
    'refundable_amount',
    'refund_amount_requested',
    'total_refund_amount_requested',
  ],
  cancel: ['cancellation_date', 'cancellation_result'],
};

/** What openapi.json says of this route and status that the answer does not keep to. */
function breaches(reply: Reply, kind: Kind): readonly string[] {
  const operation = `#/paths/~1payment~1maintenance~1${kind}~1{order_id}/post/responses/${reply.status}/content`;
  const [media] = Object.values(resolve(operation, document));
  if (typeof media !== 'object' || media === null || !('schema' in media)) throw new Error(`${kind} has no schema`);
  return findings(reply.body, { ...Object(media.schema) }, document);
}

describe.each(KINDS)('the answer to a %s', (kind) => {
  test('has the members of the contract, and what openapi.json says, done or undecided', async () => {
    const card = kind === 'cancel' ? undefined : UNDECIDED[kind];
    for (const [order_id, headers] of [
      [await orderFor(kind), {}],
      [await orderFor(kind, {}, card), NO_WAIT],
    ] as const) {
      const reply = await till.maintain(kind, order_id, {}, headers);
      expect(Object.keys(Object(reply.body)).toSorted()).toEqual([...COMMON, ...MORE[kind]].toSorted());
      expect(breaches(reply, kind)).toEqual([]);
      const read = await till.shop.read(order_id);
      const same = [
        'order_id',
        'transaction_id',
        'order_amount',
        'order_currency',
        'order_merchant_id',
        'payin_partner',
      ];
      expect(members(reply, ...same)).toEqual(members(read, ...same));
      expect([reply.at('request_id'), reply.at('order_id')]).toEqual([reply.headers.get('x-request-id'), order_id]);
      expect(reply.at('payment_method_name')).toBe('visa');
    }
  });

  test('echoes operation_merchant_id, and "" where there is none', async () => {
    expect((await till.maintain(kind, await orderFor(kind))).at('operation_merchant_id')).toBe('');
    for (const [sent, echoed] of [
      ['ref/é 1', 'ref/é 1'],
      [77, '77'],
      ['x'.repeat(255), 'x'.repeat(255)],
    ]) {
      const order_id = await orderFor(kind);
      const reply = await till.maintain(kind, order_id, { operation_merchant_id: sent });
      expect([reply.status, reply.at('operation_merchant_id')]).toEqual([200, echoed]);
      const kept = operationsOf(await till.shop.read(order_id)).at(-1);
      expect(kept).toMatchObject({ operation_merchant_id: echoed, request_id: reply.at('request_id') });
    }
    const long = await till.maintain(kind, await orderFor(kind), { operation_merchant_id: 'x'.repeat(256) });
    expect([long.status, long.code, long.at('errors.0.field')]).toEqual([400, '111012', 'operation_merchant_id']);
  });

  test('to an order that is not there says so, and no more', async () => {
    const other = await till.w.otherShop();
    const foreign = await other.pay({}, { operation_type: kind === 'refund' ? 'direct_capture' : 'authorize' });
    const unknown = [textAt(foreign, 'order_id'), '0'.repeat(24), 'x', 'F'.repeat(24), 'f'.repeat(25), '%00'];
    const said = new Set<string>();
    for (const order_id of unknown) {
      const reply = await till.maintain(kind, order_id, {});
      expect([order_id, reply.status, reply.code]).toEqual([order_id, 404, '111012']);
      said.add(JSON.stringify({ ...Object(reply.body), instance: '' }));
    }
    expect(said.size).toBe(1);
    const read = await other.read(textAt(foreign, 'order_id'));
    expect(operationsOf(read)).toHaveLength(kind === 'refund' ? 2 : 1);
    const empty = await till.maintain(kind, '', {});
    expect([empty.status, empty.code]).toEqual([404, '404000']);
  });

  test('a refusal is a problem page that says where the order stands', async () => {
    const order_id = await till.authorize({}, '4000000000009995');
    const reply = await till.maintain(kind, order_id, {});
    const { transaction_id } = Object(Object((await till.shop.read(order_id)).body));
    expect(reply.headers.get('content-type')).toContain('application/problem+json');
    expect(members(reply, 'order_id', 'transaction_id', 'order_status', 'status')).toEqual([
      order_id,
      transaction_id,
      'authorization_declined',
      409,
    ]);
    expect([reply.at('instance'), reply.at('errors')]).toEqual([reply.headers.get('x-request-id'), undefined]);
    for (const path of ['type', 'title', 'detail', 'result.description']) expect(textAt(reply, path)).not.toBe('');
    expect(await (await fetch(textAt(reply, 'type'))).text()).toContain('state');
  });

  test('what the provider refuses has the id of the operation, but for a cancel, which has none', async () => {
    const code = { capture: '521288', refund: '621288', cancel: '721288' }[kind];
    const order_id = await orderFor(kind, {}, cardFor(code));
    const reply = await till.maintain(kind, order_id, {});
    const known = ['order_id', 'transaction_id', 'order_status', `${kind}_id`];
    const id = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect(members(reply, ...known)).toEqual([
      order_id,
      id,
      expect.stringMatching(/_declined$/),
      kind === 'cancel' ? undefined : id,
    ]);
    expect(reply.at('result.code')).toBe(code);
  });

  test('a body that is no JSON object is refused, and does nothing', async () => {
    const order_id = await orderFor(kind);
    for (const body of ['[1]', '[{}]', '1', '{', 'null', '{"amount":1,"amount":2}']) {
      const reply = await till.maintain(kind, order_id, body);
      expect([body, reply.status, reply.code]).toEqual([body, 400, '111012']);
    }
    const kinds = operationsOf(await till.shop.read(order_id)).map((o) => o['type']);
    expect(kinds).toEqual(kind === 'refund' ? ['authorization', 'capture'] : ['authorization']);
  });
});

describe('amounts', () => {
  test.each([
    ['JPY', '425', 425, ['25', 100, '300.00'], [25, 100, 300]],
    ['EUR', '42.50', 42.5, ['0.01', 10, '32.490'], [0.01, 10, 32.49]],
    ['KWD', '4.250', 4.25, ['0.001', 1.249, '3'], [0.001, 1.249, 3]],
  ] as const)('%s goes in as number or text and comes out exact', async (currency, amount, whole, parts, numbers) => {
    const order_id = await till.authorize({ amount, currency });
    for (const [i, part] of parts.entries()) {
      const captured = await till.maintain('capture', order_id, { amount: part });
      expect(members(captured, 'capture_amount_requested', 'order_amount', 'order_currency')).toEqual([
        numbers[i],
        whole,
        currency,
      ]);
    }
    for (const [i, part] of parts.toReversed().entries()) {
      const refunded = await till.maintain('refund', order_id, { amount: part });
      expect([refunded.code, refunded.at('refund_amount_requested')]).toEqual(['966666', numbers.toReversed()[i]]);
    }
    const read = await till.shop.read(order_id);
    expect(members(read, 'capture_total_amount', 'refund_total_amount')).toEqual([whole, whole]);
  });

  test.each(['-1', -1, '0', 0, '0.00', '1e1', 'NaN', 'Infinity', '1,5', ' 1', '01', '1.', '.5', true, {}])(
    '%j is none',
    async (amount) => {
      for (const kind of ['capture', 'refund'] as const) {
        const reply = await till.maintain(kind, await some(kind), { amount });
        expect([reply.status, reply.code, reply.at('errors.0.field')]).toEqual([400, '111012', 'amount']);
      }
    },
  );

  test.each([
    ['1e1', 400],
    ['-0', 400],
    ['1e400', 400],
    ['0.001', 400],
    ['9007199254740993', 400],
    ['10000000000.01', 400],
    ['10000000000.00', 422],
    ['1000000', 422],
  ])('the number %s is answered %i, whatever a double would make of it', async (amount, status) => {
    for (const kind of ['capture', 'refund'] as const) {
      const reply = await till.maintain(kind, await some(kind), `{"amount":${amount}}`);
      expect([amount, reply.status, reply.at('errors.0.field')]).toEqual([amount, status, 'amount']);
    }
  });

  test.each([
    ['JPY', '1.5'],
    ['EUR', '1.001'],
    ['KWD', '1.0001'],
  ])('more decimals than %s has are refused', async (currency, amount) => {
    const order_id = await till.sell({ amount: 400, currency });
    const reply = await till.maintain('refund', order_id, { amount });
    expect([reply.status, reply.code, reply.at('errors.0.field')]).toEqual([400, '111012', 'amount']);
    expect(JSON.stringify(reply.body)).not.toContain(amount);
  });

  const made = new Map<Kind, string>();
  async function some(kind: Kind): Promise<string> {
    const order_id = made.get(kind) ?? (await orderFor(kind));
    made.set(kind, order_id);
    return order_id;
  }
});

test('every problem of the fields at once, and what is not known is named', async () => {
  const order_id = await till.sell();
  const reply = await till.maintain('refund', order_id, {
    amount: 'x',
    capture_id: 'y',
    refund_reason: 'z',
    colour: 1,
  });
  const errors: Json = reply.at('errors') ?? null;
  expect([...Object(errors)].map((error) => Object(error).field)).toEqual(['amount', 'capture_id', 'refund_reason']);
  expect(reply.headers.get('x-ignored-fields')).toBe('colour');
  const done = await till.maintain('refund', order_id, { amount: 1, b: { c: 1 }, final: true });
  expect([done.status, done.headers.get('x-ignored-fields')]).toEqual([200, 'b, final']);
});

test.each([
  ['capture', { final: 'perhaps' }, 'final'],
  ['refund', { refund_reason: 'z', capture_id: 'y' }, 'refund_reason'],
] as const)('decimals that are too many are named beside what else is wrong with a %s', async (kind, fields, field) => {
  const order_id = await orderFor(kind, { currency: 'JPY', amount: 5000 });
  const asked = (id: string) => till.maintain(kind, id, { amount: '11.5', ...fields });
  const [reply, unknown] = [await asked(order_id), await asked('0'.repeat(24))];
  const named = ({ status, body }: Reply) => [status, Object(body).errors.map((one: unknown) => Object(one).field)];
  expect(named(reply)).toEqual([400, [...Object.keys(fields), 'amount']]);
  expect(reply.text).toContain('more decimals than the currency allows');
  expect(named(unknown)).toEqual([400, Object.keys(fields)]);
  expect(Object.keys(fields)).toContain(field);
});

test('the order shows how it got there: flags, captures, refunds, operations, history', async () => {
  const order_id = await till.authorize();
  const first = await till.maintain('capture', order_id, { amount: 10, operation_merchant_id: 'c1' });
  const last = await till.maintain('capture', order_id, { amount: '20.5', final: true });
  const back = await till.maintain('refund', order_id, { amount: 4, refund_reason: 'duplicate' });
  const read = await till.shop.read(order_id);
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(read.body).toMatchObject({
    result: { code: '966666' },
    status: 'refund_successful',
    is_captured: true,
    is_refunded: true,
    capture_amount: 20.5,
    capture_total_amount: 30.5,
    refund_total_amount: 4,
    refund_result: 'success',
  });
  expect(read.at('transactions.0')).toMatchObject({
    is_capturable: false,
    is_refundable: true,
    is_cancellable: false,
    captured_amount: 30.5,
    capturable_amount: 0,
    refunded_amount: 4,
    refundable_amount: 26.5,
    refund_reason: 'duplicate',
    captures: [
      { capture_id: first.at('capture_id'), amount: 10, refunded_amount: 4, state: 'successful', date },
      { capture_id: last.at('capture_id'), amount: 20.5, refunded_amount: 0, state: 'successful', date },
    ],
    refunds: [
      {
        refund_id: back.at('refund_id'),
        capture_id: first.at('capture_id'),
        amount: 4,
        state: 'successful',
        date,
        refund_reason: 'duplicate',
      },
    ],
  });
  const history = [...Object(read.at('transactions.0.status_history'))].map(
    (step) => `${Object(step).status} ${Object(step).code}`,
  );
  expect(history).toEqual([
    'created 421080',
    'authorization_requested 421080',
    'authorization_successful 944444',
    'capture_requested 521080',
    'capture_successful 955555',
    'capture_requested 521080',
    'capture_successful 955555',
    'refund_requested 621080',
    'refund_successful 966666',
  ]);
  expect(
    operationsOf(read).map((o) => `${String(o['type'])} ${String(o['amount'])} ${String(o['result_status'])}`),
  ).toEqual([
    'authorization 42.5 success',
    'capture 10 success',
    'capture 20.5 success',
    'cancellation 12 success',
    'refund 4 success',
  ]);
});

function operationsOf(read: Reply): readonly Readonly<Record<string, unknown>>[] {
  return [...Object(read.at('transactions.0.operations'))].map((operation) => Object(operation));
}
