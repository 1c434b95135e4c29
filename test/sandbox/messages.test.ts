// The messages of the simulated providers as they really go out, and how the provider file reads them.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { type Message, readMessage } from '../../src/provider/simulator/message.ts';
import { signedText } from '../../src/provider/simulator/proof.ts';
import { clientOf, common, numberOf, payment } from '../providers/client.ts';
import { spoil, spoiling } from '../providers/spoil.ts';
import { type SimulatorProcess, startProcess } from '../providers/wire.ts';
import { controlOf } from './control.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { sizeOf } from '../sizes.ts';

const SPOILT = sizeOf('FLORIN_SPOILT', { usual: 5000, full: 20_000 });

let simulator: SimulatorProcess;
let receiver: Receiver;
beforeAll(async () => {
  simulator = await startProcess();
  receiver = await startReceiver();
});
afterAll(async () => {
  await simulator.stop();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(async () => {
  receiver.messages.splice(0);
  receiver.answer = (response) => response.end('{}');
  await control.set({ receiver: { url: receiver.url, secret: receiver.secret }, callbacks: 'all' });
  await control.subscribe(receiver.secret);
});
const { authorize, post } = clientOf(() => simulator.url);
const { control, arm } = controlOf(() => simulator.url);
const CARD = '4242424242424242';

const bytes = (message: object) => Buffer.from(JSON.stringify(message));
const read = (message: object): Message | undefined => readMessage(bytes(message));

/** One of every kind of message there is. */
async function everything(): Promise<void> {
  const sale = await authorize(CARD, { capture: 'now' });
  await post(`/simulator/captures/${sale.id}/refunds`, common({ amount: 100 }));
  const held = await authorize(CARD);
  await post(`/simulator/payments/${held.id}/captures`, common({ amount: 100 }));
  await post(`/simulator/payments/${held.id}/cancel`, common());
  await authorize('4000000000009995');
  const refused = await authorize(numberOf('521188'));
  await post(`/simulator/payments/${refused.id}/captures`, common({ amount: 100 }));
  await authorize('4000009901000102');
  await authorize('4000009902000051');
  await authorize('4000009902000044', { capture: 'now' });
  const returned = await authorize('4000009903000027', { capture: 'now' });
  await post(`/simulator/captures/${returned.id}/refunds`, common({ amount: 100 }));
  await authorize('4000009906000024', { capture: 'now' });
  await authorize('4000009906000016', { capture: 'now' });
  await control.advance(71 * DAY_S);
}

describe('what is sent', () => {
  test('every kind is read, says what it means, and is signed', async () => {
    await everything();
    const told = new Set(
      receiver.messages.map((message) => {
        const known = read(message);
        if (known === undefined) throw new Error(`not read: ${JSON.stringify(message)}`);
        const { operation, told: what } = known;
        if (what.kind === 'outcome') return `${operation} ${what.outcome.kind}`;
        return `${operation} ${what.kind}${what.kind === 'dispute' ? ` ${what.state}` : ''}`;
      }),
    );
    expect([...told].toSorted()).toEqual(
      [
        'authorize approved',
        'authorize declined',
        'authorize pending',
        'authorize lapsed',
        'capture approved',
        'capture declined',
        'capture corrected',
        'refund approved',
        'refund corrected',
        'cancel approved',
        'dispute dispute opened',
        'dispute dispute won',
        'dispute dispute lost',
      ].toSorted(),
    );
    expect(receiver.forged).toBe(0);
  });

  test('the text that is signed is what the contract file of the provider says', () => {
    const body = bytes({ id: 'é' });
    const ours = createHmac('sha256', 'secret').update(signedText('1700', body)).digest('hex');
    expect(ours).toBe(createHmac('sha256', 'secret').update('1700.').update(body).digest('hex'));
  });

  test('an approval carries what an answer does', async () => {
    const sale = await authorize(CARD, { capture: 'now' });
    await receiver.came(1);
    const [message] = receiver.messages;
    expect(message && read(message)?.told).toEqual({
      kind: 'outcome',
      outcome: {
        kind: 'approved',
        reference: sale.id,
        our_reference: sale.reference,
        amount_minor: 1000n,
        currency: 'EUR',
        authorization_code: expect.stringMatching(/^[A-Z0-9]{6}$/),
        captured: true,
        provider_code: '955555',
        provider_text: 'capture successful',
      },
    });
  });

  test('what is not taken up comes again under the same id; what cannot be reached holds nothing up', async () => {
    let refusals = 1;
    receiver.answer = (response) => {
      response.statusCode = refusals-- > 0 ? 500 : 204;
      response.end();
    };
    await authorize(CARD);
    await receiver.came(2);
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(1);
    await control.set({ receiver: { url: 'http://127.0.0.1:9/nobody', secret: 'x' } });
    expect((await authorize(CARD)).status).toBe('approved');
  });

  test('none, or only what came later, is sent when that is what was told', async () => {
    await control.set({ callbacks: 'none' });
    await authorize('4000009901000110');
    await control.advance(60);
    await control.set({ callbacks: 'later' });
    await authorize(CARD);
    await authorize('4000009901000110');
    await control.advance(60);
    expect(receiver.messages.map(({ kind, status }) => `${kind} ${status}`)).toEqual(['authorize approved']);
  });

  test('callback_never is never told of, and an inquiry knows', async () => {
    const body = payment(CARD);
    await arm({ operation: 'authorize', fault: 'callback_never', seconds: 30 });
    expect((await post('/simulator/payments', body)).said.status).toBe('pending');
    await control.advance(30);
    const found = await clientOf(() => simulator.url).get(`/simulator/payments?reference=${body.reference}`);
    expect(found).toMatchObject({ status: 'approved' });
    // what an earlier test could not deliver may come now
    expect(receiver.about(body.reference)).toEqual([]);
  });
});

describe('what is read', () => {
  test('a message without one of its members, or with one of another type, is none', async () => {
    await authorize(CARD, { capture: 'now' });
    await receiver.came(1);
    const [message = {}] = receiver.messages;
    const needed = Object.keys(message).filter((name) => name !== 'state');
    expect(needed.length).toBeGreaterThan(13);
    for (const name of needed) {
      const { [name]: original, ...rest } = message as Record<string, unknown>;
      expect(read(rest), `without ${name}`).toBeUndefined();
      for (const other of [null, 1.5, {}, 'x'.repeat(256)])
        expect(read({ ...rest, [name]: other }), `${name} is ${JSON.stringify(other)}`).toBeUndefined();
      expect(original).toBeDefined();
    }
  });

  test(`of ${SPOILT} spoilt messages none throws`, async () => {
    await everything();
    const samples = receiver.messages.map(bytes);
    const mutant = fc.tuple(fc.nat(samples.length - 1), fc.array(spoiling(), { minLength: 1, maxLength: 3 }));
    let still = 0;
    fc.assert(
      fc.property(mutant, ([index, spoilings]) => {
        const sample = samples[index];
        if (sample !== undefined && readMessage(spoilings.reduce(spoil, Buffer.from(sample)))) still += 1;
      }),
      { numRuns: SPOILT },
    );
    expect(still).toBeGreaterThan(0);
  });
});
