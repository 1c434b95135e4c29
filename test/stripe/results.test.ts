// Our tables of Stripe's words against the list of the data folder, row by row, through the result codes of the
// specification; and the simulator's cards against the list of public test numbers.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RESULTS, findResult } from '../../src/core/results.ts';
import type { CodeRow } from '../../src/provider/code-rows.ts';
import { DECLINES, ERRORS, rowOfAuthorization, rowOfFollowUp } from '../../src/provider/stripe/results.ts';
import { stripe } from '../../src/provider/stripe/stripe.ts';
import { TEST_CARDS, behaviourOf } from '../../src/simulators/stripe/cards.ts';
import { factsOf } from '../providers/driver.ts';

const SHARED = new URL('../../../shared/', import.meta.url);
const is_here = existsSync(new URL('data/providers/mapping', SHARED));
const jsonOf = (path: string): unknown => JSON.parse(readFileSync(new URL(path, SHARED), 'utf8'));

type Line = { code: string; result: string; retry: string | null; unknown?: true };
const tableOf = (name: string) =>
  Object.entries((jsonOf(`data/providers/mapping/${name}.json`) as { map: Record<string, Line> }).map);

describe.skipIf(!is_here)('the tables (skipped without ../shared)', () => {
  const codes = new Map(
    readFileSync(new URL('spec/result-codes.csv', SHARED), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const code = /^"?(\d{6})\b/.exec(line)?.[1];
        return code === undefined ? [] : [[code, line] as const];
      }),
  );

  test.each([
    ['stripe.decline_code', DECLINES],
    ['stripe.error_code', ERRORS],
  ] as const)('%s: the same rows, each with the same result and the same advice', (name, ours) => {
    const theirs = tableOf(name).filter(([, line]) => line.unknown === undefined);
    expect(Object.keys(ours)).toEqual(theirs.map(([word]) => word));
    for (const [word, line] of theirs) {
      const row: CodeRow | undefined = ours[word];
      expect([word, row?.result, row?.retry ?? null]).toEqual([word, findResult(line.code)?.name, line.retry]);
      expect(codes.has(line.code), `${line.code} is in result-codes.csv`).toBe(true);
    }
  });

  test('a way to another provider is only advised where the result allows it', () => {
    for (const { result, retry } of [...Object.values(DECLINES), ...Object.values(ERRORS)]) {
      if (retry !== 'another_route') continue;
      expect(RESULTS.find(({ name }) => name === result)?.fallback_allowed, result).toBe(true);
    }
  });

  test('a row that proves nothing is read as unknown', () => {
    const unknown = tableOf('stripe.error_code').filter(([, line]) => line.unknown === true);
    expect(unknown.map(([word]) => word)).toEqual(['idempotency_key_in_use']);
    const body = bytesOf({ error: { type: 'invalid_request_error', code: 'idempotency_key_in_use' } });
    const kept = { intent: 'pi_1', payment_method: 'pm_1' };
    expect(stripe.read('confirm', { status: 409, body }, factsOf('authorize'), kept)).toMatchObject({
      kind: 'unknown',
    });
  });

  test('the simulator’s cards do what is published of them', () => {
    const { cards } = jsonOf('data/providers/bin/test-cards.json') as {
      cards: { pan: string; schemes: string[]; public_origin: string; luhn_ok: boolean; published_meaning: string }[];
    };
    const stripes = cards.filter((card) => card.public_origin.includes('Stripe') && card.luhn_ok);
    expect(stripes.map(({ pan }) => pan).filter((pan) => !TEST_CARDS.includes(pan))).toEqual([]);
    for (const { pan, schemes, published_meaning: means } of stripes) {
      const { declined, three_ds, brand, networks } = behaviourOf(pan);
      const declines = /declined|error|insufficient/.test(means);
      expect([pan, declined !== undefined], means).toEqual([pan, declines]);
      if (/3DS|authenticate/.test(means) && !/not required/.test(means))
        expect(three_ds, pan).toMatch(/required|failing/);
      expect([pan, brand]).toEqual([pan, schemes[0]]);
      expect([pan, networks?.includes('cartes_bancaires') ?? false]).toEqual([pan, schemes.includes('cb')]);
    }
  });
});

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const kept = { intent: 'pi_1', payment_method: 'pm_1' };
const refusal = (status: number, error: object, kind: 'authorize' | 'capture' | 'refund' | 'cancel', step: string) =>
  stripe.read(step, { status, body: bytesOf({ error }) }, factsOf(kind, { authorization_reference: 'pi_1' }), kept);

test.each(Object.entries(DECLINES))('a card that is declined for %s', (decline_code, row) => {
  const error = { type: 'card_error', code: 'card_declined', decline_code, message: 'No.' };
  // that authentication failed is believed where it took place
  const code = decline_code === 'authentication_not_handled' ? 'payment_intent_authentication_failure' : error.code;
  const told = { kind: 'declined', ...row, provider_code: decline_code, provider_text: 'No.' };
  expect(refusal(402, { ...error, code }, 'authorize', 'confirm')).toMatchObject(told);
});

test.each(Object.entries(ERRORS))('an authorization that is refused for %s', (code, row) => {
  const read = refusal(400, { type: 'invalid_request_error', code, message: 'No.' }, 'authorize', 'confirm');
  // an intent that cannot be confirmed any more may have been confirmed before
  const looks = code === 'payment_intent_unexpected_state';
  expect(read).toMatchObject(looks ? { kind: 'unknown' } : { kind: 'declined', ...row, provider_code: code });
});

test('a code that is not listed is the plain decline, and stays stored as it came; a wrong request of ours says so', () => {
  const card = { type: 'card_error', code: 'card_declined', decline_code: 'new_in_2031' };
  expect(refusal(402, card, 'authorize', 'confirm')).toMatchObject({
    result: 'issuer_declined',
    provider_code: 'new_in_2031',
  });
  expect(refusal(402, { ...card, code: 'new_too' }, 'authorize', 'confirm')).toMatchObject({
    result: 'authorization_declined',
  });
  const built = { type: 'invalid_request_error', code: 'new_in_2031' };
  expect(refusal(400, built, 'authorize', 'confirm')).toMatchObject({ result: 'integration_error' });
});

test('a failed authentication is only reported if the payer was asked', () => {
  expect(rowOfAuthorization('card_declined', 'authentication_not_handled')?.result).toBe('authorization_declined');
});

test.each(['capture', 'refund', 'cancel'] as const)(
  'a refused %s is told by its own phase, whatever the word',
  (kind) => {
    const phase = new Map(RESULTS.map(({ name, phase: of }) => [name, of]));
    for (const word of [...Object.keys(DECLINES), ...Object.keys(ERRORS), 'new_in_2031', '__proto__', 'constructor']) {
      expect([word, phase.get(rowOfFollowUp(kind, word).result)]).toEqual([word, kind]);
      const read = refusal(400, { type: 'invalid_request_error', code: word }, kind, kind);
      expect(read.kind === 'declined' && phase.get(read.result)).toBe(kind);
    }
  },
);
