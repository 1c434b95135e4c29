// The acquirer simulator by itself: what cards, amounts and time do there, and its control interface.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { type Message, pack, unpack } from '../../src/provider/send/iso8583/codec.ts';
import { compose } from '../../src/provider/send/iso8583/composite.ts';
import { DIALECT } from '../../src/provider/send/iso8583/dialect.ts';
import { type Acquirer, openAcquirer } from '../../src/simulators/iso8583/acquirer.ts';
import { requestOf } from '../../src/simulators/iso8583/message.ts';

let at: Acquirer;
beforeAll(async () => {
  at = await openAcquirer({ port: 0, control_port: 0, clock: systemClock() });
});
afterAll(() => at.close());
beforeEach(() => control('DELETE', '/control/faults'));

async function control(method: string, path: string, given?: unknown): Promise<[status: number, said: unknown]> {
  const body = given === undefined ? {} : { body: JSON.stringify(given) };
  const answer = await fetch(`http://127.0.0.1:${at.control_port}${path}`, { method, ...body });
  return [answer.status, await answer.json()];
}

let trace = 0;
type Asked = Readonly<Record<number, string>> & {
  readonly tags?: Readonly<Record<string, string>>;
  readonly type?: string;
};

/** What one message is answered with: codes of fields 39 and 38, and the amount. */
function ask({ tags = {}, type = '0100', ...texts }: Asked): {
  code: string;
  amount: string;
  texts: Map<number, string>;
} {
  const card = type.startsWith('01') || type.startsWith('02') ? { 2: '4242424242424242', 14: '3412' } : {};
  const number = String(++trace).padStart(6, '0');
  const all = { ...card, 3: '000000', 4: '000000004250', 7: '1123165200', 11: number, 37: `26327Q${number}` };
  const given = { ...all, 41: 'TERM01  ', 42: 'SHOP-1         ', 49: '978', ...texts };
  const fields = new Map<number, Uint8Array>(
    Object.entries(given).map(([field, text]) => [Number(field), Buffer.from(text)]),
  );
  const named = Object.entries(tags).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  if (named.length > 0) fields.set(48, compose(48, named, DIALECT));
  // over the codec, as on a line
  const request = requestOf(unpack(pack({ type, fields }, DIALECT), DIALECT));
  const answer: Message = at.world.answer(request);
  const said = requestOf(unpack(pack(answer, DIALECT), DIALECT)).texts;
  return { code: said.get(39) ?? '', amount: said.get(4) ?? '', texts: new Map(said) };
}

const original = (of: number, type = '0100') => `${type}${String(of).padStart(6, '0')}1123165200${'0'.repeat(22)}`;

test('known numbers are answered as merchants know them', () => {
  const codes = {
    '4242424242424242': '00',
    '4000000000000002': '05',
    '4000000000009995': '51',
    '4000000000006975': '61',
    '4000000000009987': '41',
    '4000000000009979': '43',
    '4000000000000069': '54',
    '4000000000000127': 'N7',
    '4000000000000119': '91',
    '4000002760003184': '1A',
    '4242424242424241': '14',
  };
  expect(Object.fromEntries(Object.keys(codes).map((number) => [number, ask({ 2: number }).code]))).toEqual(codes);
  expect(ask({ 2: '4000002760003184', tags: { authentication_value: 'AAAB' } }).code).toBe('00');
  expect(ask({ 14: '2401' }).code).toBe('54');
  expect(ask({ 42: 'UNKNOWN        ' }).code).toBe('03');
});

test('amounts that end in 90 and a code are answered with it; 10 holds a half, 94 holds and says nothing', () => {
  expect(['05', '09', '65', '70', '91', '96'].map((code) => ask({ 4: `0000000190${code}` }).code)).toEqual([
    '05',
    '09',
    '65',
    '70',
    '91',
    '96',
  ]);
  expect(ask({ 4: '000000019010' })).toMatchObject({ code: '10', amount: '000000009505' });
  const before = at.world.books.list().length;
  expect(ask({ 4: '000000019094' }).code).toBe('94');
  expect(at.world.books.list()).toHaveLength(before + 1);
});

test('a balance is used up by holds, and comes back when they end', async () => {
  const number = '5555555555554444';
  await control('POST', '/control/cards', { number, balance: '10000', limit: '8000' });
  expect(ask({ 2: number, 4: '000000008001' }).code).toBe('61');
  expect(ask({ 2: number, 4: '000000008000' }).code).toBe('00');
  const held = trace;
  expect(ask({ 2: number, 4: '000000002001' }).code).toBe('51');
  expect(ask({ type: '0400', 90: original(held) }).code).toBe('00');
  expect(ask({ type: '0400', 90: original(held) }).code).toBe('12');
  expect(ask({ 2: number, 4: '000000001001' }).code).toBe('00');
  expect(at.world.books.accountOf(number).balance).toBe(8999n);
});

test('a hold that is captured in part releases the rest with its last capture', () => {
  const number = '6011111111111117';
  const before = at.world.books.accountOf(number).balance;
  ask({ 2: number });
  const held = trace;
  expect(ask({ type: '0220', 4: '000000001000', 90: original(held) }).code).toBe('00');
  expect(ask({ type: '0220', 4: '000000003251', 90: original(held) }).code).toBe('13');
  expect(ask({ type: '0220', 4: '000000001000', 90: original(held), tags: { last_capture: 'Y' } }).code).toBe('00');
  expect(ask({ type: '0220', 4: '000000000001', 90: original(held) }).code).toBe('13');
  expect(ask({ type: '0420', 90: original(held) }).code).toBe('12');
  expect(at.world.books.accountOf(number).balance).toBe(before - 2000n);
  const reference = `26327Q${String(held).padStart(6, '0')}`;
  expect(ask({ type: '0200', 3: '200000', 4: '000000002001', 37: reference }).code).toBe('13');
  expect(ask({ type: '0200', 3: '200000', 4: '000000002000', 37: reference }).code).toBe('00');
  expect(at.world.books.accountOf(number).balance).toBe(before);
});

test('the acquirer answers 25 to an unknown message, by number, terminal and merchant', () => {
  ask({});
  const of = original(trace);
  expect(ask({ type: '0420', 90: original(999_999) }).code).toBe('25');
  expect(ask({ type: '0420', 90: of, 41: 'TERM02  ' }).code).toBe('25');
  expect(ask({ type: '0220', 90: of, 42: 'SHOP-2         ' }).code).toBe('25');
  expect(ask({ type: '0200', 3: '200000', 37: 'unknown     ' }).code).toBe('25');
  expect(ask({ type: '0420', 90: of }).code).toBe('00');
  expect(ask({ type: '0420', 90: of }).code).toBe('00');
});

test('a hold lapses after seven days of its clock', async () => {
  ask({});
  const held = trace;
  await control('POST', '/control/clock', { advance_ms: 7 * 86_400_000 });
  expect(ask({ type: '0220', 90: original(held) }).code).toBe('12');
  expect(at.world.books.list().find(({ trace: of }) => Number(of) === held)?.state).toBe('expired');
});

test('a window of 91 ends by itself, and touches no follow-up', async () => {
  ask({});
  const held = trace;
  await control('POST', '/control/outage', { ms: 60_000 });
  expect(ask({}).code).toBe('91');
  expect(ask({ type: '0220', 90: original(held) }).code).toBe('00');
  await control('POST', '/control/clock', { advance_ms: 60_000 });
  expect(ask({}).code).toBe('00');
});

test('the control interface takes what it knows, and shows books without numbers of cards', async () => {
  expect(await control('POST', '/control/faults', { kind: 'drop_answer', type: '0420', times: 2 })).toEqual([
    200,
    { taken: true },
  ]);
  const refused = [
    await control('POST', '/control/faults', { kind: 'other' }),
    await control('POST', '/control/faults', { kind: 'ignore', type: 'x' }),
    await control('POST', '/control/faults', { kind: 'ignore', times: '1' }),
    await control('POST', '/control/cards', { number: '4242424242424242', balance: '-1' }),
    await control('POST', '/control/clock', { advance_ms: -1 }),
    await control('POST', '/control/outage', {}),
    await control('GET', '/control/other'),
  ];
  expect(refused.map(([status]) => status)).toEqual([400, 400, 400, 400, 400, 400, 404]);
  expect(await control('POST', '/control/lines/drop')).toEqual([200, { taken: true }]);
  const [, books] = await control('GET', '/control/books');
  expect(books).toHaveProperty('entries');
  expect(JSON.stringify(books)).not.toMatch(/\d{14}/);
  expect(await control('GET', '/control/seen')).toMatchObject([200, { before_sign_on: 0 }]);
});
