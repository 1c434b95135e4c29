// Messages: signed by the simulator or by the official SDK, proved by our recipe, read, and matched; and the SDK takes
// what we sign.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listeningPort } from '../../src/kit/listening-port.ts';
import type { Notice, SignatureRecipe } from '../../src/provider/notices.ts';
import { stripe } from '../../src/provider/stripe/stripe.ts';
import { signatureOf } from '../../src/simulators/stripe/messages.ts';
import { about, after, factsOf, run } from '../providers/driver.ts';
import { type Played, playStripe } from './played.ts';
import { NOON_MS } from '../providers/asked.ts';

const SECRET = 'whsec_simulated_1';
const NOON_S = NOON_MS / 1000;
const sdk = new Stripe('sk_test_shop');

type Heard = { readonly text: string; readonly signature: string };
const heard: Heard[] = [];
let played: Played;
let receiver: Server;
let status = 200;
/** Each waits for so many messages. */
let waiting: { readonly count: number; readonly done: () => void } | undefined;

beforeAll(async () => {
  played = await playStripe();
  receiver = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      heard.push({ text, signature: String(request.headers['stripe-signature']) });
      response.writeHead(status).end();
      if (waiting && heard.length >= waiting.count) waiting.done();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${listeningPort(receiver)}/events`;
  await played.ask('POST endpoints', { url, secrets: [SECRET] });
  await played.ask('POST messages', { held: true });
});
afterAll(async () => {
  await played.close();
  receiver.close();
});
afterEach(() => {
  heard.length = 0;
});

const noticesOf = ({ text, signature }: Heard): readonly Notice[] =>
  stripe.notices?.open(Buffer.from(text), { 'stripe-signature': signature }) ?? [];

/** As the kit computes it. */
function proves(proof: SignatureRecipe | undefined, secrets: readonly string[], now_ms: number): boolean {
  if (proof?.kind !== 'hmac') return false;
  const { at_ms = 0, tolerance_s = 0 } = proof;
  const signed = secrets.map((secret) => createHmac('sha256', secret).update(proof.over).digest('hex'));
  return Math.abs(now_ms - at_ms) <= tolerance_s * 1000 && proof.given.some((one) => signed.includes(one));
}

const provesFor = (message: Heard, secrets: readonly string[] = [SECRET], now_ms = NOON_MS): boolean => {
  const notices = noticesOf(message);
  return notices.length === 1 && proves(notices[0]?.proof, secrets, now_ms);
};

/** What was told since, in the order it was made. */
async function told(said: object = {}): Promise<Heard[]> {
  await played.ask('POST messages/deliver', said);
  return heard.splice(0);
}
const typeOf = ({ text }: Heard): string => (JSON.parse(text) as { type: string }).type;
const newsOf = (messages: readonly Heard[], type: string): Notice | undefined => {
  const message = messages.find((one) => typeOf(one) === type);
  return message && noticesOf(message)[0];
};

describe('signatures', () => {
  const text = JSON.stringify({ id: 'evt_1', object: 'event', type: 'x', created: NOON_S, data: { object: {} } });
  const bySdk = (timestamp = NOON_S, secret = SECRET): Heard => ({
    text,
    signature: sdk.webhooks.generateTestHeaderString({ payload: text, secret, timestamp }),
  });

  test('what the SDK signs we prove, and what we sign the SDK takes', async () => {
    expect(provesFor(bySdk())).toBe(true);
    await run(played.wire(), factsOf('authorize'));
    const messages = await told();
    expect(messages.length).toBeGreaterThan(2);
    for (const message of messages) {
      expect(provesFor(message)).toBe(true);
      const event = sdk.webhooks.constructEvent(message.text, message.signature, SECRET, 300, undefined, NOON_MS);
      expect(event.type).toBe(typeOf(message));
      expect(() =>
        sdk.webhooks.constructEvent(message.text, message.signature, 'whsec_other', 300, undefined, NOON_MS),
      ).toThrow(/signature/);
    }
  });

  test('one changed byte, another key, v0 alone, or no signature prove nothing', () => {
    const good = bySdk();
    expect(provesFor({ ...good, text: good.text.replace('"x"', '"y"') })).toBe(false);
    expect(provesFor(bySdk(NOON_S, 'whsec_other'))).toBe(false);
    expect(provesFor({ ...good, signature: good.signature.replace('v1=', 'v0=') })).toBe(false);
    for (const signature of ['', 't=', `t=${NOON_S}`, 'v1=', `v1=${'0'.repeat(64)}`, 'nonsense', '=,=,='])
      expect(provesFor({ ...good, signature })).toBe(false);
    const moved = good.signature.replace(String(NOON_S), String(NOON_S + 1));
    expect(provesFor({ ...good, signature: moved })).toBe(false);
  });

  test.each([
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ])('%s seconds from now: %s', (seconds, is_good) => {
    expect(provesFor(bySdk(NOON_S + seconds))).toBe(is_good);
  });

  test('while one key replaces another, either proves it', () => {
    const signature = signatureOf(text, ['whsec_old', 'whsec_new'], NOON_S);
    for (const secrets of [['whsec_old'], ['whsec_new'], ['whsec_none', 'whsec_new']])
      expect(provesFor({ text, signature }, secrets)).toBe(true);
    expect(provesFor({ text, signature }, ['whsec_none'])).toBe(false);
  });
});

describe('what is told', () => {
  test('of an intent: that there is something to look at', async () => {
    const ran = await run(played.wire(), factsOf('authorize'));
    const { match, news } = newsOf(await told(), 'payment_intent.amount_capturable_updated') ?? {};
    expect(news).toEqual({ kind: 'look', says: 'done' });
    const { order_id, operation_id } = ran.facts;
    expect(match).toMatchObject({ kind: 'authorize', ours: { order_id, operation_id }, reference: ran.reference });
  });

  test('of a capture: not as the authorization that its charge repeats', async () => {
    const paid = await run(played.wire(), factsOf('authorize'));
    await run(played.wire(), after(paid, 'capture', { amount_minor: 4000n }));
    const notice = newsOf(await told(), 'charge.captured');
    expect(notice?.news).toEqual({ kind: 'look', says: 'done' });
    expect(notice?.match).toEqual({
      kind: 'capture',
      ours: null,
      reference: null,
      authorization_reference: paid.reference,
      amount_minor: 4000n,
      currency: 'EUR',
    });
  });

  test('of a hold that ended by itself', async () => {
    const paid = await run(played.wire(), factsOf('authorize'));
    await played.ask('POST clock', { advance_s: 7 * 86_400 });
    const ended = (await told()).filter((message) => typeOf(message) === 'charge.expired');
    const ours = ended.map((message) => noticesOf(message)[0]).find((one) => one?.match?.reference === paid.reference);
    expect(ours).toMatchObject({ news: { kind: 'lapsed' }, match: { kind: 'authorize' } });
  });

  test('of a refund: how it ended, as the operation that asked for it, a reversal too', async () => {
    const sold = await run(played.wire('4000000000007726'), factsOf('authorize', { with_capture: true }));
    const refund = await run(played.wire(), after(sold, 'refund', { amount_minor: 50n }));
    expect(newsOf(await told(), 'refund.created')).toMatchObject({
      news: { kind: 'pending', reference: refund.reference },
      match: { kind: 'refund', ours: { operation_id: refund.facts.operation_id }, amount_minor: 50n, currency: 'EUR' },
    });
    await played.ask('POST refunds/status', { refund: refund.reference, status: 'succeeded' });
    const done = await told();
    // it may have failed since this was said: the refund itself tells
    for (const type of ['refund.updated', 'charge.refund.updated'])
      expect(newsOf(done, type)?.news).toEqual({ kind: 'look', says: 'done' });
    await played.ask('POST refunds/status', { refund: refund.reference, status: 'failed' });
    expect(newsOf(await told(), 'refund.updated')?.news).toEqual({
      kind: 'corrected',
      result: 'refund_declined',
      reference: refund.reference,
    });
    const undone = await run(played.wire(), about(sold, 'reversal'));
    expect(undone.outcome).toMatchObject({ kind: 'pending' });
    await told();
    await played.ask('POST refunds/status', { refund: undone.reference, status: 'succeeded' });
    expect(newsOf(await told(), 'refund.updated')).toMatchObject({
      news: { kind: 'look' },
      match: { kind: 'reversal', ours: { operation_id: undone.facts.operation_id } },
    });
  });

  test('of a dispute: that it was opened, and how it ended; a bank’s question takes no money', async () => {
    const sold = await run(played.wire('4000000000000259'), factsOf('authorize', { with_capture: true }));
    const opened = newsOf(await told(), 'charge.dispute.created');
    expect(opened).toMatchObject({
      match: { kind: 'capture', ours: null, authorization_reference: sold.reference },
      news: {
        kind: 'dispute',
        state: 'opened',
        amount_minor: 4250n,
        currency: 'EUR',
        reason: 'fraudulent',
        reason_code: '10.4',
      },
    });
    expect(opened?.news).toMatchObject({ at: expect.stringMatching(/^2026-03-\d\dT12:00:00\.000Z$/) });
    const { disputes } = (await played.ask('GET books')) as { disputes: { id: string }[] };
    for (const state of ['won', 'lost'] as const) {
      await played.ask('POST disputes/status', { dispute: disputes.at(-1)?.id, status: state });
      expect(newsOf(await told(), 'charge.dispute.closed')?.news).toMatchObject({ kind: 'dispute', state });
    }
    await run(played.wire('4000000000001976'), factsOf('authorize', { with_capture: true }));
    expect(newsOf(await told(), 'charge.dispute.created')?.news).toEqual({ kind: 'nothing' });
    const question = ((await played.ask('GET books')) as { disputes: { id: string }[] }).disputes.at(-1)?.id;
    await played.ask('POST disputes/status', { dispute: question, status: 'needs_response' });
    expect(newsOf(await told(), 'charge.dispute.updated')?.news).toMatchObject({ kind: 'dispute', state: 'opened' });
  });

  test('an unknown event is kept, not guessed; a body that is no event belongs to no account', () => {
    const open = (value: unknown) => stripe.notices?.open(Buffer.from(JSON.stringify(value)), {}) ?? [];
    const event = {
      id: 'evt_1',
      object: 'event',
      type: 'radar.early_fraud_warning.created',
      created: 1,
      data: { object: {} },
    };
    expect(open(event)).toMatchObject([{ event_ref: 'evt_1', match: null, news: { kind: 'not_understood' } }]);
    const odd_refund = {
      ...event,
      type: 'refund.updated',
      data: { object: { object: 'refund', id: 're_1', status: 'melted' } },
    };
    expect(open(odd_refund)).toMatchObject([{ news: { kind: 'look' } }]);
    for (const none of [
      {},
      [],
      null,
      'x',
      { ...event, id: '' },
      { ...event, object: 'charge' },
      { ...event, data: 1 },
      { ...event, created: 'now' },
    ])
      expect(open(none)).toEqual([]);
    expect(stripe.notices?.open(Buffer.from([0xff, 0x7b]), {})).toEqual([]);
  });
});

describe('how they are delivered', () => {
  test('doubled and in reverse they are the same events', async () => {
    await run(played.wire(), factsOf('authorize', { with_capture: true }));
    const twice = await told({ reversed: true, times: 2 });
    const ids = twice.map((message) => noticesOf(message)[0]?.event_ref);
    expect(new Set(ids).size * 2).toBe(ids.length);
    expect(typeOf(twice[0] ?? { text: '{}', signature: '' })).toBe('payment_intent.succeeded');
  });

  test('one that is not taken stays, and is told again', async () => {
    await run(played.wire(), factsOf('authorize'));
    status = 503;
    const first = await told();
    status = 200;
    expect((await told()).map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    expect(await told()).toEqual([]);
  });

  test('they come by themselves where they are not held', async () => {
    const come = new Promise<void>((done) => {
      waiting = { count: 3, done };
    });
    await played.ask('POST messages', { held: false });
    await run(played.wire(), factsOf('authorize'));
    await come;
    expect(heard.map(typeOf)).toContain('payment_intent.created');
    await played.ask('POST messages', { held: true });
  });
});
