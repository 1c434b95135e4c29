// The sandbox's card numbers, as the contract lists them (15.2, 15.3).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { luhn, schemesOf } from '../../src/core/card.ts';
import {
  SCENARIO_CARDS,
  WELL_KNOWN_CARDS,
  mayBeRisky,
  sandboxCard,
  sandboxRisk,
} from '../../src/core/sandbox/cards.ts';

const contract = new URL('../../docs/contract.md', import.meta.url);
const ALL = [...WELL_KNOWN_CARDS, ...SCENARIO_CARDS].flatMap(({ numbers }) => numbers);
const whose = (number: string) => sandboxCard(Buffer.from(number));

test('every number is one of a card we take, and stands once', () => {
  expect(new Set(ALL).size).toBe(ALL.length);
  for (const number of ALL)
    expect([number, luhn(Buffer.from(number)), whose(number)]).toEqual([number, true, 'listed']);
  for (const number of ALL) expect([number, schemesOf(Buffer.from(number)).length > 0]).toEqual([number, true]);
});

test('risk decides on its own numbers and on no other', () => {
  const risk = (number: string) => {
    const ends = { first6: number.slice(0, 6), last4: number.slice(-4) };
    return [mayBeRisky(ends), sandboxRisk(Buffer.from(number))];
  };
  expect(risk('4100000000000019')).toEqual([true, 'risk_refused']);
  expect(risk('4000009991310106')).toEqual([true, 'risk_listed']);
  // its ends alone are those of a risk number
  expect(risk('4000005000040106')).toEqual([true, undefined]);
  expect(ALL.filter((number) => sandboxRisk(Buffer.from(number)) !== undefined)).toEqual(['4100000000000019']);
});

describe('the contract', () => {
  const text = readFileSync(contract, 'utf8');
  const section = (from: string, to: string) => text.slice(text.indexOf(from), text.indexOf(to));
  const numbersIn = (part: string) => new Set(part.match(/(?<![\d.])\d{14,19}(?![\d.])/g));

  test('lists the same well-known numbers', () => {
    const listed = numbersIn(section('### 15.2', '### 15.3'));
    listed.delete('4242424242424241');
    expect(new Set(WELL_KNOWN_CARDS.flatMap(({ numbers }) => numbers))).toEqual(listed);
  });

  test('lists the same scenario numbers, and its examples of code numbers are taken', () => {
    const part = section('### 15.3', '**Code numbers**');
    expect(new Set(SCENARIO_CARDS.flatMap(({ numbers }) => numbers))).toEqual(numbersIn(part));
    const examples = numbersIn(section('**Code numbers**', '### 15.4'));
    expect(examples.size).toBeGreaterThan(5);
    for (const number of examples) expect([number, whose(number)]).toEqual([number, 'listed']);
  });
});

test.each([
  ['4111111111111111', 'listed'],
  ['4242424242424267', 'unlisted'],
  ['4012888888881881', 'unlisted'],
  ['4000009900000004', 'own_range'],
  // 421080 is pending: no order ends so
  ['4000009994210803', 'own_range'],
  ['4000009999999993', 'own_range'],
  ['40000099942010051', 'unlisted'],
])('%s is %s', (number, is) => expect(whose(number)).toBe(is));
