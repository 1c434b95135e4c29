// What a sender lets through to a line: the message that its step is named after, with slots where the table has them,
// and nothing that does not fit.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { openLog } from '../../src/kit/log.ts';
import type { Template } from '../../src/provider/contract.ts';
import type { Destination } from '../../src/provider/send/destinations.ts';
import { type DirectCall, openDirect } from '../../src/provider/send/direct.ts';
import { loadTable } from '../../src/provider/send/tables.ts';
import { openTransport } from '../../src/provider/send/transport.ts';
import { type Acquirer, openAcquirer } from '../../src/simulators/iso8583/acquirer.ts';

let acquirer: Acquirer;
let send: (call: Partial<DirectCall>) => Promise<unknown>;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  acquirer = stack.use(await openAcquirer({ port: 0, control_port: 0, clock: systemClock() }));
  send = await senderTo(acquirer.port);
});
afterAll(() => stack.disposeAsync());

async function senderTo(port: number): Promise<typeof send> {
  const line = { host: '127.0.0.1', port };
  const destination: Destination = {
    table: await loadTable('iso8583'),
    hosts: { acquirer: { lines: [line, line], tls: null } },
    reach: 'loopback',
    allow: new Map(),
    deadline_ms: 5000,
    max_body: 8192,
    max_answer: 8192,
  };
  const destinations = new Map([['iso8583', destination]]);
  const log = openLog('silent');
  const transport = openTransport(destinations, { clock: systemClock(), log });
  stack.defer(() => transport.close());
  const direct = openDirect({ destinations, transport, log });
  return (call) => direct({ ...REFUND, ...call });
}

const FIELDS = {
  0: '0200',
  3: '200000',
  4: '000000000100',
  7: '1123181500',
  11: '000001',
  37: '26327S000001',
  49: '978',
};
const SLOTS: Template = [
  ',"32":',
  { slot: 'secret.acquirer_id' },
  ',"41":',
  { slot: 'secret.terminal_id' },
  ',"42":',
  { slot: 'secret.merchant_id' },
  '}',
];
const bodyOf = (change: object = {}, slots = SLOTS): Template => [
  JSON.stringify({ ...FIELDS, ...change }).slice(0, -1),
  ...slots,
];

const CREDENTIALS = { acquirer_id: '123456', terminal_id: 'TERM01', merchant_id: 'SHOP-1' };
const REFUND: DirectCall = {
  destination: 'iso8583',
  step: 'refund',
  values: {},
  body: bodyOf(),
  key: 'a-refund',
  deadline_ms: 5000,
  credentials: CREDENTIALS,
};

const moneyMessages = () => acquirer.world.seen.messages.filter(({ type }) => !type.startsWith('08'));

test('the answer is the JSON of its fields', async () => {
  const said = await send({});
  expect(said).toMatchObject({ outcome: 'answered', status: 200 });
  const { body } = said as { readonly body: Buffer };
  expect(JSON.parse(body.toString())).toMatchObject({ 0: '0210', 11: '000001', 39: '25', 41: 'TERM01  ' });
});

test('a repeat is the same step', async () => {
  expect(await send({ body: bodyOf({ 0: '0201' }) })).toMatchObject({ outcome: 'answered' });
});

test.each([
  ['another type', { body: bodyOf({ 0: '0100' }) }],
  ['another processing code', { body: bodyOf({ 3: '000000' }) }],
  ['no processing code', { body: bodyOf({ 3: undefined }) }],
  ['a field that the dialect does not have', { body: bodyOf({ 129: '1' }) }],
  ['a terminal in clear', { body: bodyOf({ 41: 'TERM01' }, [SLOTS[0] ?? '', SLOTS[1] ?? '', ...SLOTS.slice(4)]) }],
  ['a slot elsewhere', { body: bodyOf({}, [',"33":', ...SLOTS.slice(1)]) }],
  ['a value, where there is no path', { values: { id: 'x' } }],
  ['a step with a card', { step: 'authorize' }],
])('%s is refused, and nothing is sent', async (_, call) => {
  const before = moneyMessages().length;
  expect(await send(call)).toEqual({ outcome: 'not_sent', reason: 'refused' });
  expect(moneyMessages()).toHaveLength(before);
});

test('a credential that is longer than its field is not sent, and that is proved', async () => {
  const before = moneyMessages().length;
  const credentials = { ...CREDENTIALS, terminal_id: 'LONGER-THAN-8' };
  expect(await send({ credentials })).toEqual({ outcome: 'not_sent', reason: 'credentials' });
  expect(moneyMessages()).toHaveLength(before);
});

test('without a line nothing was sent, and that is proved', async () => {
  const gone = await openAcquirer({ port: 0, control_port: 0, clock: systemClock() });
  await gone.close();
  const lost = await senderTo(gone.port);
  expect(await lost({})).toEqual({ outcome: 'not_sent', reason: 'connect' });
});
