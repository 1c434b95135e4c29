// Which card numbers are taken where (contract 15.1): production refuses every number of the sandbox.
import { expect, test } from 'vitest';
import { SCENARIO_CARDS, WELL_KNOWN_CARDS } from '../../src/core/sandbox/cards.ts';
import { Members } from '../../src/vault/card/byte-fields.ts';
import { readJsonBytes } from '../../src/vault/card/json-bytes.ts';
import { type Rules, readTokenRequest } from '../../src/vault/card/request.ts';

function outcome(card_number: string, numbers: Rules['numbers']): unknown {
  const card = { card_number, card_validity_month: '12', card_validity_year: '34' };
  const { members } = readJsonBytes(Buffer.from(JSON.stringify(card)));
  try {
    const rules = { key: 'private', year: 2026, month: 11, numbers } as const;
    return readTokenRequest(new Members(members), rules).listed ? 'listed' : 'taken';
  } catch (error) {
    if (!(error instanceof Error) || !('refusal' in error)) throw error;
    return error.refusal;
  }
}

const OWN = [...WELL_KNOWN_CARDS, ...SCENARIO_CARDS].flatMap(({ numbers }) => numbers);
// a code number, one of the sandbox's range that means nothing, and one of somebody's card
const [CODE, RANGE, OTHER] = ['4000009994201005', '4000009900000004', '4012888888881881'];

test('production takes none of the sandbox, and all others', () => {
  for (const number of [...OWN, CODE, RANGE])
    expect([number, outcome(number, 'real')]).toEqual([number, 'card_number_invalid']);
  expect(outcome(OTHER, 'real')).toBe('taken');
});

test('a sandbox takes all, and with listed cards only its own alone', () => {
  for (const number of [...OWN, CODE]) {
    expect([number, outcome(number, 'all')]).toEqual([number, 'listed']);
    expect([number, outcome(number, 'listed')]).toEqual([number, 'listed']);
  }
  for (const number of [RANGE, OTHER]) {
    expect([number, outcome(number, 'all')]).toEqual([number, 'taken']);
    expect([number, outcome(number, 'listed')]).toEqual([number, 'card_number_invalid']);
  }
});
