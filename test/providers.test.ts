// The simulator as a provider, under both of its names: what it writes, byte for byte, and what it reads of its own
// other end. Providers of vendors have suites of their own (test/stripe, test/adyen, test/iso8583). What is read in
// spoilt answers is in providers-read.test.ts.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { luhn } from '../src/core/card.ts';
import { LATE_MS } from '../src/payment/order/engine/walk.ts';
import { STILL_SENT_S } from '../src/provider/capabilities.ts';
import type { Facts, OperationKind } from '../src/provider/contract.ts';
import { providers as openProviders } from '../src/provider/registry.ts';
import { clientOf, numberOf } from './providers/client.ts';
import { TRANSCRIPTS, transcriptOf } from './providers/transcripts.ts';
import {
  type Call,
  type SimulatorProcess,
  type Target,
  ask,
  cardOf,
  factsOf,
  firstCall,
  startProcess,
} from './providers/wire.ts';

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await startProcess();
});
afterAll(() => simulator.stop());
const { books } = clientOf(() => simulator.url);

test('at a bank on a network what was given up is reckoned with for as long as Linux sends it, and as late as it may leave', () => {
  expect(STILL_SENT_S).toBeGreaterThanOrEqual(102 + LATE_MS / 1000);
  const networked = [...openProviders().values()].filter(({ name }) => !name.startsWith('simulator'));
  expect(networked.map(({ name }) => name).toSorted()).toEqual(['adyen', 'iso8583', 'paypal', 'stripe']);
  for (const { can } of networked) expect(can.in_flight_s).toBeGreaterThanOrEqual(STILL_SENT_S + can.answer_deadline_s);
});

const KINDS: readonly OperationKind[] = ['authorize', 'capture', 'refund', 'cancel', 'inquiry', 'reversal'];
const SIMULATOR_PLACES = {
  '/card/number': 'card.number',
  '/card/cvc': 'card.cvc?',
  '/card/expiry_month': 'card.expiry_month',
  '/card/expiry_year': 'card.expiry_year',
  '/card/holder': 'card.holder?',
  '/card/cryptogram': 'card.cryptogram?',
  '/card/eci': 'card.eci?',
};
/** Where each provider may have slots, by JSON pointer: the same as the vault pins for its destination. */
const SLOT_PLACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  simulator: SIMULATOR_PLACES,
  simulator_b: SIMULATOR_PLACES,
};

const providers = [...openProviders().values()].filter(({ table }) => table === 'simulator');
const factsOfAll = () => TRANSCRIPTS.map(({ facts }) => facts);

test('a provider is found by its name, and by no other', () => {
  for (const [name, provider] of openProviders()) expect(provider.name).toBe(name);
  expect(openProviders().get('__proto__')).toBeUndefined();
});

describe.each(providers)('$name', (provider) => {
  const call = (facts: Facts): Call => {
    const written = firstCall(provider, facts);
    if (written === undefined) throw new Error(`${provider.name} writes no ${facts.kind}`);
    return written;
  };
  const asked = (facts: Facts, number?: string) =>
    ask(simulator.url, provider, facts, number === undefined ? undefined : cardOf(number));
  const paid = async (given: Partial<Facts> = {}) => {
    const facts = factsOf('authorize', given);
    const outcome = await asked(facts);
    if (outcome.kind !== 'approved') throw new Error(`the payment ended ${outcome.kind}`);
    return { facts, outcome, target_reference: outcome.reference };
  };

  describe('what it says of itself', () => {
    test('every capability is there, and there is a way out of doubt', () => {
      const { can } = provider;
      expect(['none', 'one', 'many']).toContain(can.captures);
      expect(can.answer_deadline_s).toBeGreaterThan(0);
      expect(can.in_flight_s).toBeGreaterThanOrEqual(can.answer_deadline_s);
      expect(can.inquiry.length > 0 || can.reversal !== 'none').toBe(true);
    });

    test('its name is a path value and people can read the other one', () => {
      expect(provider.name).toMatch(/^[a-z0-9_]{1,64}$/);
      expect(provider.display_name).toMatch(/^[A-Z][\w. ]{1,63}$/);
    });
  });

  describe('what it writes', () => {
    test('the same facts are the same bytes, as the transcripts have them', async () => {
      const folder = new URL(`./providers/${provider.name}/`, import.meta.url);
      expect(readdirSync(folder).toSorted()).toEqual(TRANSCRIPTS.map(({ name }) => `${name}.txt`).toSorted());
      for (const { name, facts } of TRANSCRIPTS) {
        const first = transcriptOf(provider, facts);
        expect(transcriptOf(provider, structuredClone(facts))).toBe(first);
        await expect(first).toMatchFileSnapshot(`./providers/${provider.name}/${name}.txt`);
      }
    });

    test('slots stand only where its destination has them, each once, and only in an authorization', () => {
      for (const facts of factsOfAll()) {
        const { body } = call(facts);
        const slots = body.flatMap((part) => (typeof part === 'string' ? [] : [part.slot]));
        if (facts.kind !== 'authorize') expect(slots).toEqual([]);
        if (slots.length === 0) continue;
        const marked = body
          .map((part) => (typeof part === 'string' ? part : JSON.stringify({ slot: part.slot })))
          .join('');
        expect(placesOf(JSON.parse(marked))).toEqual(SLOT_PLACES[provider.name]);
      }
    });

    test('no call holds a card number, and each names its own step and values', () => {
      for (const facts of factsOfAll()) {
        const written = call(facts);
        expect(cardNumbersIn(JSON.stringify(written))).toEqual([]);
        expect(Object.keys(provider.steps)).toContain(written.step);
        for (const value of Object.values(written.values)) expect(value).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }
    });

    test('an operation on something is not written without what it works on', () => {
      for (const kind of KINDS.filter((k) => k !== 'authorize'))
        expect(firstCall(provider, factsOf(kind))).toBeUndefined();
    });

    test.each([
      ['accents, quotes, & and an emoji', 'Größe "é" \\ & <b> 🙂 \u2028 %20 {{card.number}}'],
      ['a newline and a tab', 'line\nline\tend'],
      ['half an emoji', 'a\ud83d'],
      ['64 characters', 'x'.repeat(64)],
      ['255 emojis', '🙂'.repeat(255)],
      ['nothing', ''],
    ])('a merchant’s own id with %s arrives as it was', async (_, order_merchant_id) => {
      const { facts } = await paid({ order_merchant_id });
      expect(await books(`order_id=${facts.order_id}`)).toMatchObject([{ order_merchant_id, state: 'held' }]);
    });

    test.each([
      [1n, 'JPY'],
      [1n, 'EUR'],
      [12_345n, 'KWD'],
      [1_000_000_000_000n, 'EUR'],
    ])('%s minor units of %s arrive and come back exactly', async (amount_minor, currency) => {
      const { facts, outcome } = await paid({ amount_minor, currency });
      expect(outcome).toMatchObject({ amount_minor, currency, our_reference: facts.operation_id });
      expect(await books(`order_id=${facts.order_id}`)).toMatchObject([{ amount: Number(amount_minor), currency }]);
    });
  });

  describe('money, plain', () => {
    const kindOf = async (kind: OperationKind, given: Partial<Facts> & Target) => {
      const outcome = await asked(factsOf(kind, given));
      return outcome.kind === 'declined' ? outcome.result : outcome.kind;
    };

    test('a payment is held, or taken in one step', async () => {
      expect((await paid()).outcome).toMatchObject({ captured: false, provider_code: '944444' });
      expect((await paid({ with_capture: true })).outcome).toMatchObject({ captured: true, provider_code: '955555' });
      expect((await paid()).outcome.authorization_code).toMatch(/^[A-Z0-9]{6}$/);
    });

    test('it is captured until it is used up, refunded by capture, and never above', async () => {
      const { target_reference } = await paid();
      const facts = factsOf('capture', { target_reference, amount_minor: 600n });
      const captured = await asked(facts);
      expect(captured).toMatchObject({ kind: 'approved', amount_minor: 600n, our_reference: facts.operation_id });
      const above = { target_reference, amount_minor: 401n };
      expect(await kindOf('capture', above)).toBe('provider_capture_above_authorization');
      expect(await kindOf('capture', { target_reference, amount_minor: 400n })).toBe('approved');
      expect(await kindOf('capture', { target_reference, amount_minor: 1n })).toBe('provider_capture_already_done');
      if (captured.kind !== 'approved') return;
      const of = { target_reference: captured.reference };
      expect(await kindOf('refund', { ...of, amount_minor: 601n })).toBe('provider_refund_above_captured');
      expect(await kindOf('refund', { ...of, amount_minor: 200n })).toBe('approved');
      expect(await kindOf('refund', { ...of, amount_minor: 400n })).toBe('approved');
      expect(await kindOf('refund', { ...of, amount_minor: 1n })).toBe('provider_refund_already_done');
    });

    test('a payment taken in one step is refunded under its own reference', async () => {
      const { target_reference } = await paid({ with_capture: true });
      expect(await kindOf('refund', { target_reference, amount_minor: 1000n })).toBe('approved');
    });

    test('it is cancelled once, not after a capture, and not captured afterwards', async () => {
      const held = await paid();
      const of = { target_reference: held.target_reference };
      expect(await kindOf('cancel', of)).toBe('approved');
      expect(await kindOf('cancel', of)).toBe('issuer_cancel_already_done');
      expect(await kindOf('capture', of)).toBe('capture_unavailable');
      const taken = await paid({ with_capture: true });
      expect(await kindOf('cancel', { target_reference: taken.target_reference })).toBe('issuer_cancel_after_capture');
    });

    test('an inquiry and a reversal speak of the authorization, by our own reference', async () => {
      const { facts } = await paid({ with_capture: true });
      const about = { target_operation_id: facts.operation_id };
      const found = { kind: 'approved', our_reference: facts.operation_id, captured: true };
      expect(await asked(factsOf('inquiry', about))).toMatchObject(found);
      const reversed = { kind: 'reversed', our_reference: facts.operation_id };
      expect(await asked(factsOf('reversal', about))).toMatchObject(reversed);
      expect(await asked(factsOf('inquiry', about))).toMatchObject({
        kind: 'declined',
        result: 'provider_unreachable',
      });
      expect(await asked(factsOf('inquiry', { target_operation_id: 'nobody' }))).toEqual({ kind: 'not_found' });
    });

    test('where it does not deduplicate, a repeat takes effect twice; where it does, once', async () => {
      const { facts } = await paid();
      await asked(facts);
      const effects = provider.can.key_kept_h > 0 ? 1 : 2;
      expect(await books(`order_id=${facts.order_id}`)).toMatchObject([{ effects, calls: 2 }]);
    });

    test('of a sale that is held and not captured, what is with its capture is told', async () => {
      const sale = (number: string) => asked(factsOf('authorize', { with_capture: true }), number);
      const held = { kind: 'approved', captured: false, provider_code: '944444' };
      const refused = { kind: 'declined', result: 'issuer_capture_declined', provider_code: '521188' };
      expect(await sale(numberOf('521188'))).toMatchObject({ ...held, capture: refused });
      expect(await sale('4000009902000036')).toMatchObject({ ...held, capture: { kind: 'pending' } });
      expect(await sale('4242424242424242')).not.toHaveProperty('capture');
    });

    test('the last capture releases what is left', async () => {
      const { target_reference } = await paid();
      await asked(factsOf('capture', { target_reference, amount_minor: 600n, final: true }));
      expect(await kindOf('capture', { target_reference, amount_minor: 1n })).toBe('capture_unavailable');
    });

    test('the provider’s opinion of the risk is handed on', async () => {
      expect(await asked(factsOf('authorize'), '4000000000004954')).toMatchObject({ kind: 'approved', risk_score: 95 });
    });
  });
});

/** Where the slots of a body stand, as JSON pointers. */
function placesOf(value: unknown, at = ''): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  if ('slot' in value && typeof value.slot === 'string') return { [at]: value.slot };
  return Object.entries(value).reduce((all, [name, item]) => Object.assign(all, placesOf(item, `${at}/${name}`)), {});
}

/** Runs of 14 to 19 digits that pass Luhn, however they are grouped. */
function cardNumbersIn(text: string): string[] {
  const runs = text.match(/\d(?:[ -]?\d){13,18}/g) ?? [];
  return runs.map((run) => run.replace(/\D/g, '')).filter((run) => luhn(Buffer.from(run)));
}
