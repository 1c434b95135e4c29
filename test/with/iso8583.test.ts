// Money over lines of ISO 8583, through the public API: after each story our books equal the acquirer's. The messages
// that went are told by their types: 0100 holds, 0200 sells or gives back, 0220 captures, 0400 cancels, 0420 undoes;
// one that ends in 1 is a repeat.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../client.ts';
import { type AtAcquirer, type Books, idOf, openAcquirerWorld } from './acquirer.ts';

let at: AtAcquirer;
beforeAll(async () => {
  at = await openAcquirerWorld();
});
afterAll(() => at[Symbol.asyncDispose]());

const NOTHING: Books = { held: 0, captured: 0, refunded: 0 };
const HELD: Books = { ...NOTHING, held: 2500 };
const SALE = { operation_type: 'direct_capture' };

async function expectBooks(order_id: string, wanted: Books): Promise<void> {
  expect({ ours: await at.ours(order_id), theirs: await at.theirs(order_id) }).toEqual({
    ours: wanted,
    theirs: wanted,
  });
  expect(await at.ledgerIsRight()).toBe(true);
}

/** An order that is held, its authorization answered. */
async function held(): Promise<string> {
  const order_id = idOf(await at.pay());
  await expectBooks(order_id, HELD);
  return order_id;
}

test('an order is held, captured in two parts, the last of which releases the rest, and refunded', async () => {
  const paid = await at.pay();
  expect([paid.code, paid.at('payin_partner'), paid.at('psp_result_code')]).toEqual(['944444', 'iso8583', '00']);
  const order_id = idOf(paid);
  await expectBooks(order_id, HELD);
  const part = await at.maintain('capture', order_id, { amount: '10.00' });
  expect([part.code, part.at('capturable_amount')]).toEqual(['955555', 15]);
  await expectBooks(order_id, { held: 1500, captured: 1000, refunded: 0 });
  const last = await at.maintain('capture', order_id, { amount: '5.00', final: true });
  expect([last.code, last.at('capturable_amount')]).toEqual(['955555', 0]);
  await expectBooks(order_id, { held: 0, captured: 1500, refunded: 0 });
  expect((await at.maintain('refund', order_id, { amount: '4.00' })).code).toBe('966666');
  await expectBooks(order_id, { held: 0, captured: 1500, refunded: 400 });
  expect(await at.messages(order_id)).toEqual(['0100', '0220', '0220', '0200']);
});

test('a sale is one message, and can be refunded', async () => {
  const paid = await at.pay(SALE);
  expect(paid.code).toBe('955555');
  const order_id = idOf(paid);
  expect((await at.maintain('refund', order_id)).code).toBe('966666');
  await expectBooks(order_id, { held: 0, captured: 2500, refunded: 2500 });
  expect(await at.messages(order_id)).toEqual(['0200', '0200']);
});

test('a hold is cancelled', async () => {
  const order_id = await held();
  expect((await at.maintain('cancel', order_id)).code).toBe('977777');
  await expectBooks(order_id, NOTHING);
  expect(await at.messages(order_id)).toEqual(['0100', '0400']);
});

test('a card without money is declined', async () => {
  const declined = await at.pay({}, { card_number: '4000000000009995' });
  expect([declined.code, declined.at('psp_result_code')]).toEqual(['420100', '51']);
  await expectBooks(idOf(declined), NOTHING);
  expect(await at.messages(idOf(declined))).toEqual(['0100']);
});

test('an approval of a part is undone, and nothing stands', async () => {
  const order_id = idOf(await at.pay({ amount: '90.10' }));
  expect((await at.settled(order_id)).at('status')).toBe('authorization_declined');
  await expectBooks(order_id, NOTHING);
  expect(await at.messages(order_id)).toEqual(['0100', '0420']);
});

test('an answer with another amount is undone', async () => {
  await at.control('faults', { kind: 'wrong_amount', type: '0100' });
  const order_id = idOf(await at.pay());
  await at.settled(order_id);
  await expectBooks(order_id, NOTHING);
  expect(await at.messages(order_id)).toEqual(['0100', '0420']);
});

/** The first of them, and whether everything behind it repeats that it is undone. */
async function undoneBy(order_id: string): Promise<readonly unknown[]> {
  const [first, second, ...repeats] = await at.messages(order_id);
  return [first, second, repeats.every((type) => type === '0421')];
}

test.each([
  ['held', {}, '0100'],
  ['sold', SALE, '0200'],
])(
  'what was %s and never answered is undone, by a message that is repeated',
  async (_, fields, type) => {
    await at.control('faults', { kind: 'close_after_commit', type });
    await at.control('faults', { kind: 'close_after_commit', type: '0420', times: 2 });
    const order_id = await at.begin(fields);
    await at.passInFlight(order_id, 'reversed');
    expect((await at.settled(order_id)).at('status')).toBe('authorization_declined');
    await expectBooks(order_id, NOTHING);
    expect(await undoneBy(order_id)).toEqual([type, '0420', true]);
    expect((await at.messages(order_id)).length).toBeGreaterThanOrEqual(4);
  },
  60_000,
);

test('an authorization that the acquirer never received is undone too, until it can no longer arrive', async () => {
  await at.control('faults', { kind: 'close_before_commit', type: '0100' });
  const order_id = await at.begin();
  await at.passInFlight(order_id, 'not_found');
  expect((await at.settled(order_id)).at('status')).toBe('authorization_declined');
  await expectBooks(order_id, NOTHING);
  expect(await undoneBy(order_id)).toEqual(['0100', '0420', true]);
});

test.each([
  ['capture', ['0220', '0221'], { held: 0, captured: 2500, refunded: 0 }],
  ['cancel', ['0400', '0401'], NOTHING],
] as const)('a %s whose answer is lost is repeated as what it is, and done once', async (kind, types, books) => {
  const order_id = await held();
  await at.control('faults', { kind: 'close_after_commit', type: types[0] });
  await at.maintain(kind, order_id);
  await at.settled(order_id);
  await expectBooks(order_id, books);
  expect(await at.messages(order_id)).toEqual(['0100', ...types]);
});

test('a refund whose answer is lost is repeated as what it is, and given back once', async () => {
  const order_id = idOf(await at.pay(SALE));
  await at.control('faults', { kind: 'close_after_commit', type: '0200' });
  await at.maintain('refund', order_id, { amount: '10.00' });
  await at.settled(order_id);
  await expectBooks(order_id, { held: 0, captured: 2500, refunded: 1000 });
  expect(await at.messages(order_id)).toEqual(['0200', '0200', '0201']);
});

test.each([
  ['capture', '0220', { held: 0, captured: 2500, refunded: 0 }],
  ['cancel', '0400', NOTHING],
] as const)(
  'a %s that the acquirer says is in progress is sent again until it is answered',
  async (kind, type, books) => {
    const order_id = await held();
    const restore = firstAnswer(kind, '09');
    await at.maintain(kind, order_id, {}, 0);
    await at.settled(order_id);
    restore();
    await expectBooks(order_id, books);
    expect(await at.messages(order_id)).toEqual(['0100', type, type.replace(/0$/, '1')]);
  },
);

/** The next answer to a message of this step is this code, until the function that it gives is called. */
function firstAnswer(step: string, code: string): () => void {
  const { tools } = at.w.service;
  const { direct } = tools;
  let is_first = true;
  const coded: typeof direct = async (call) => {
    const answer = await direct(call);
    if (call.step !== step || !is_first || answer.outcome !== 'answered') return answer;
    is_first = false;
    const said = { ...(JSON.parse(Buffer.from(answer.body).toString()) as object), 39: code };
    return { ...answer, body: Buffer.from(JSON.stringify(said)) };
  };
  Object.assign(tools, { direct: coded });
  return () => void Object.assign(tools, { direct });
}

test('an answer that comes too late changes nothing: its message is undone', async () => {
  await at.control('faults', { kind: 'late_answer', type: '0100', ms: 17_000 });
  const order_id = await at.begin();
  await until(async () => ((await at.seen()).late > 0 ? true : undefined));
  // it came over the same line before the answer to the next message did
  await held();
  await at.passInFlight(order_id, 'reversed');
  expect((await at.settled(order_id)).at('status')).toBe('authorization_declined');
  await expectBooks(order_id, NOTHING);
  expect(await undoneBy(order_id)).toEqual(['0100', '0420', true]);
});

test('a process that dies with an answer in its hands leaves it to the vault: nothing is sent again', async () => {
  const order_id = await at.begin(SALE, 'dies');
  await at.release(order_id);
  expect((await at.settled(order_id)).code).toBe('955555');
  await expectBooks(order_id, { held: 0, captured: 2500, refunded: 0 });
  expect(await at.messages(order_id)).toEqual(['0200']);
});

test('a process that dies before an answer came undoes what it sent', async () => {
  const order_id = await at.begin({}, 'dies');
  await at.w.sql(
    `UPDATE vault.forwards SET state = 'sending', answer_sealed = NULL WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  await at.release(order_id);
  await at.passInFlight(order_id, 'reversed');
  expect((await at.settled(order_id)).at('status')).toBe('authorization_declined');
  await expectBooks(order_id, NOTHING);
  expect(await undoneBy(order_id)).toEqual(['0100', '0420', true]);
});

test('a process that dies with the answer to a capture sends it again as a repeat, and it is captured once', async () => {
  const order_id = await held();
  await at.withoutOutcome(async () => {
    await at.maintain('capture', order_id, {}, 0);
    await until(async () => ((await at.messages(order_id)).includes('0220') ? true : undefined));
  });
  await at.release(order_id);
  await at.settled(order_id);
  await expectBooks(order_id, { held: 0, captured: 2500, refunded: 0 });
  expect(await at.messages(order_id)).toEqual(['0100', '0220', '0221']);
});

test('no digit of a card is outside the vault', async () => {
  await held();
  const kept = await at.w.sql<{ answer: string }>(
    `SELECT answer::text AS answer FROM payment.observations WHERE answer IS NOT NULL`,
  );
  // the acquirer repeats the number in its answer
  expect(kept.some(({ answer }) => answer.includes('0110'))).toBe(true);
  expect(await at.cardsOutside(['4242424242424242', '4000000000009995'])).toEqual([]);
});
