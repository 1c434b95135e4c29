// What a provider tells on its own (POST /provider/{provider}/{contract}/events): believed only with its signature over
// the very bytes, only about what that provider was asked, and once.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { addressOf, secretOf as secretIn, signed } from './mail.ts';

let w: World;
beforeAll(async () => {
  w = await world();
  secrets = { simulator: await secretIn(w), simulator_b: await secretIn(w, 'simulator_b') };
});
let secrets: Readonly<Record<string, string>>;
afterAll(() => w[Symbol.asyncDispose]());

/** An authorization that the bank will not decide for a day. */
async function undecided(operation_type = 'authorize'): Promise<string> {
  const fields = {
    operation_type,
    amount: '25.00',
    currency: 'EUR',
    order_merchant_id: `told-${++count}`,
  };
  const token = await w.shop.token({ card_number: '4000009901000110' });
  const reply = await w.shop.order({ ...fields, token }, { prefer: 'wait=1' });
  expect(reply.at('status')).toBe('authorization_requested');
  return textAt(reply, 'order_id');
}
let count = 0;

const state = async (order_id: string) => {
  const read = await w.shop.read(order_id);
  return [read.at('status'), read.code];
};

type Telling = { readonly order_id: string; readonly body?: object };

async function approval({ order_id, body = {} }: Telling): Promise<string> {
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'authorize'`,
    [order_id],
  );
  return JSON.stringify({
    id: `evt_${++count}`,
    provider: 'simulator',
    reference: row?.id,
    order_id,
    kind: 'authorize',
    status: 'approved',
    amount: 2500,
    currency: 'EUR',
    code: '944444',
    text: 'authorization successful',
    provider_ref: 'pay_1',
    authorization_code: 'A1B2C3',
    captured: false,
    state: 'held',
    at: new Date().toISOString(),
    ...body,
  });
}

const secretOf = (provider: string) => secrets[provider] ?? '';
const stamp = (seconds = 0) => String(w.service.tools.clock.now().getTime() + 1000 * seconds);
const sign = (body: string, { secret = secretOf('simulator'), timestamp = stamp() } = {}) =>
  signed(body, secret, timestamp);

const tell = async (body: string, headers: Readonly<Record<string, string>>, provider = 'simulator') =>
  fetch(await addressOf(w, provider), {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

const events = () =>
  w.sql<{ state: string; reason: string | null }>(
    `SELECT state, reason FROM payment.provider_events WHERE provider LIKE 'simulator%' ORDER BY received_at DESC`,
  );

test.each([
  ['of long ago', () => '1'],
  ['301 s old', () => stamp(-301)],
  // far enough: it is looked at a moment later
  ['360 s ahead', () => stamp(360)],
  ['in seconds', () => stamp().slice(0, -3)],
  ['empty', () => ''],
  ['no number', () => `${stamp()}x`],
  ['below zero', () => `-${stamp()}`],
])(
  'a message that is rightly signed and whose timestamp is %s is refused, kept nowhere, and changes nothing',
  async (_, at) => {
    const order_id = await undecided();
    const body = await approval({ order_id });
    const before = (await events()).length;
    expect((await tell(body, sign(body, { timestamp: at() }))).status).toBe(403);
    expect((await events()).length).toBe(before);
    expect(await state(order_id)).toEqual(['authorization_requested', '421080']);
  },
);

test.each([-240, 290])('a message is taken whose clock is %i s from ours', async (seconds) => {
  const body = await approval({ order_id: await undecided() });
  expect((await tell(body, sign(body, { timestamp: stamp(seconds) }))).status).toBe(200);
});

test('each simulated provider has a secret of its own: the one does not speak for the other', async () => {
  expect(secretOf('simulator')).not.toBe(secretOf('simulator_b'));
  const body = await approval({ order_id: await undecided() });
  expect((await tell(body, sign(body, { secret: secretOf('simulator_b') }))).status).toBe(403);
  expect((await tell(body, sign(body), 'simulator_b')).status).toBe(403);
});

test('a message whose signature does not hold is refused, kept nowhere, and changes nothing', async () => {
  const order_id = await undecided();
  const body = await approval({ order_id });
  const good = sign(body);
  const before = (await events()).length;
  const signature = good['x-simulator-signature'] ?? '';
  const forged: readonly (readonly [string, Record<string, string>])[] = [
    [body, {}],
    [body, { ...good, 'x-simulator-signature': '' }],
    [body, { ...good, 'x-simulator-signature': signature.slice(2) }],
    [body, { ...good, 'x-simulator-signature': signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }],
    [body, { ...good, 'x-simulator-timestamp': stamp(1) }],
    [body, sign(body, { secret: '' })],
    [body, sign(body, { secret: `${secretOf('simulator')}0` })],
    [
      body,
      {
        'x-simulator-timestamp': stamp(),
        'x-simulator-signature': createHmac('sha256', secretOf('simulator')).update(body).digest('hex'),
      },
    ],
    [body.replace('2500', '2501'), good],
    [`${body} `, good],
  ];
  for (const [bytes, headers] of forged) expect([headers, (await tell(bytes, headers)).status]).toEqual([headers, 403]);
  const address = await addressOf(w);
  for (const other of [
    address.replace('/simulator/', '/nobody/'),
    address.replace('/simulator/', '/simulator_b/'),
    address.replace(/[0-9a-f]{24}/, '0'.repeat(24)),
    address.replace(/[0-9a-f]{24}/, 'x'),
  ])
    expect([other, (await fetch(other, { method: 'POST', body, headers: good })).status]).toEqual([other, 404]);
  expect((await events()).length).toBe(before);
  expect(await state(order_id)).toEqual(['authorization_requested', '421080']);
});

test("the message of one provider proves nothing about another's operation, nor about an operation of another kind", async () => {
  expect(secretOf('simulator_b')).not.toBe('');
  const order_id = await undecided();
  const foreign = await approval({ order_id, body: { provider: 'simulator_b' } });
  expect((await tell(foreign, sign(foreign, { secret: secretOf('simulator_b') }), 'simulator_b')).status).toBe(200);
  const lapsed = await approval({ order_id, body: { provider: 'simulator_b', status: 'lapsed' } });
  expect((await tell(lapsed, sign(lapsed, { secret: secretOf('simulator_b') }), 'simulator_b')).status).toBe(200);
  const other_kind = await approval({ order_id, body: { kind: 'refund', status: 'declined', code: '621288' } });
  expect((await tell(other_kind, sign(other_kind))).status).toBe(200);
  const parked = { state: 'parked', reason: 'no such operation' };
  await until(async () => (await events()).slice(0, 3).every(({ state: now }) => now === 'parked') || undefined);
  expect((await events()).slice(0, 3)).toEqual([parked, parked, parked]);
  expect(await state(order_id)).toEqual(['authorization_requested', '421080']);
});

test('the message of the capture of a sale that overtakes the sale waits for it, and is no alarm', async () => {
  const order_id = await undecided('direct_capture');
  const early = await approval({
    order_id,
    body: { kind: 'capture', code: '955555', captured: true, state: 'captured' },
  });
  expect((await tell(early, sign(early))).status).toBe(200);
  const waiting = { state: 'received', reason: null };
  expect((await events())[0]).toEqual(waiting);
  const sale = await approval({ order_id, body: { code: '955555', captured: true, state: 'captured' } });
  expect((await tell(sale, sign(sale))).status).toBe(200);
  await until(async () => ((await state(order_id))[0] === 'capture_successful' ? true : undefined));
  // a message that waits is looked at again half a minute later
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 60 } });
  const ended = await until(async () => {
    const [, first] = await events();
    return first?.state === 'received' ? undefined : first;
  });
  expect(ended).toEqual({ state: 'applied', reason: null });
});

test('the true one is believed, once; another amount is not', async () => {
  const order_id = await undecided();
  const body = await approval({ order_id });
  for (let times = 0; times < 3; times++) expect((await tell(body, sign(body))).status).toBe(200);
  await until(async () => ((await state(order_id))[1] === '944444' ? true : undefined));
  const seen = await w.sql(
    `SELECT 1 FROM payment.observations v JOIN payment.operations o ON o.id = v.operation_id
     WHERE o.order_id = decode($1, 'hex') AND v.source = 'webhook'`,
    [order_id],
  );
  expect(seen.length).toBe(1);
  const less = await undecided();
  const wrong = await approval({ order_id: less, body: { amount: 2400 } });
  expect((await tell(wrong, sign(wrong))).status).toBe(200);
  await until(async () => ((await events())[0]?.state === 'applied' ? true : undefined));
  expect((await state(less))[1]).not.toBe('944444');
});
