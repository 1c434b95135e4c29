// Which card numbers are taken where (contract 15.1): production refuses every number of the sandbox.
import { expect, test } from 'vitest';
import { SCENARIO_CARDS, WELL_KNOWN_CARDS } from '../../src/core/sandbox/cards.ts';
import { Members } from '../../src/vault/card/byte-fields.ts';
import { numbersTaken } from '../../src/vault/card/numbers.ts';
import { readJsonBytes } from '../../src/vault/card/json-bytes.ts';
import { type Rules, readTokenRequest } from '../../src/vault/card/request.ts';
import { readCard } from '../../src/vault/import/card.ts';
import { LineProblem } from '../../src/vault/import/fields.ts';
import { readPspTokenRequest } from '../../src/vault/saved/psp-token-request.ts';

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

const outcomeOfFile = (number: string, numbers: Rules['numbers']) => {
  const fields = { card_number: number, card_validity_month: '12', card_validity_year: '34' };
  try {
    readCard(new Map(Object.entries(fields).map(([name, text]) => [name, Buffer.from(text)])), {
      year: 2026,
      month: 11,
      numbers,
    });
    return 'taken';
  } catch (error) {
    if (!(error instanceof LineProblem)) throw error;
    return error.message;
  }
};

const outcomeOfPartner = (psp_token: string, numbers: Rules['numbers']) => {
  const body = { token_kind: 'psp_token', psp_token, partner: 'acme', payment_method_name: 'visa' };
  const { members } = readJsonBytes(Buffer.from(JSON.stringify(body)));
  return readPspTokenRequest(new Members(members), {
    year: 2026,
    month: 11,
    numbers,
    hasPartner: async () => true,
  }).then(
    () => 'taken',
    (error: unknown) => (error instanceof Error && 'refusal' in error ? error.refusal : error),
  );
};

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

test('an import by file takes none of the sandbox’s numbers in production, and no other in a sandbox with listed cards', () => {
  for (const number of [...OWN, CODE, RANGE])
    expect([number, outcomeOfFile(number, 'real')]).toEqual([number, 'card_number is a test number of the sandbox']);
  expect(outcomeOfFile(OTHER, 'real')).toBe('taken');
  expect(outcomeOfFile(OTHER, 'listed')).toMatch(/^card_number is not one of the sandbox's/);
  for (const number of [...OWN, CODE, RANGE, OTHER]) expect(outcomeOfFile(number, 'all')).toBe('taken');
});

test("a number of the sandbox is no partner's token in production, however it is spaced", async () => {
  for (const number of [...OWN, CODE, RANGE, '4242 4242 4242 4242', '4242-4242-4242-4242'])
    expect([number, await outcomeOfPartner(number, 'real')]).toEqual([number, 'card_number_invalid']);
  for (const token of [OTHER, 'pm_4242424242424242', '1234567890123456'])
    expect([token, await outcomeOfPartner(token, 'real')]).toEqual([token, 'taken']);
  expect(await outcomeOfPartner('4242424242424242', 'all')).toBe('taken');
});

test('production takes real numbers whatever else is set', () => {
  for (const sandbox_listed_cards_only of [true, false])
    expect(numbersTaken({ environment: 'production', sandbox_listed_cards_only })).toBe('real');
  expect(numbersTaken({ environment: 'sandbox', sandbox_listed_cards_only: true })).toBe('listed');
  expect(numbersTaken({ environment: 'sandbox', sandbox_listed_cards_only: false })).toBe('all');
});
