// Every kind of news about every operation that has ended (contract 14.2): what each pair means is written down once
// more here, so that none is passed over by a slip, and each cell of the table is what decide() does.
import { expect, test } from 'vitest';
import type { Seen } from '../../src/payment/order/decide/decision.ts';
import { type Meaning, AFTER_THE_END, judge } from '../../src/payment/order/decide/ended.ts';
import { approval, everythingSeen, operationFacts } from './decide/facts.ts';
import { type Kind, ALL, see, stand } from './decide/stand.ts';

/** a: agrees, -: proves nothing, u: undone at the provider, t: taken back, C: contradicts. */
const LETTERS: Readonly<Record<string, Meaning>> = {
  a: 'agrees',
  '-': 'proves_nothing',
  u: 'undo',
  t: 'take_back',
  C: 'contradicts',
};
const NEWS = [
  'approved',
  'differs',
  'declined',
  'already_done',
  'corrected',
  'reversed',
  'not_sent',
  'of_another',
  'pending',
  'not_found',
  'unknown',
  'cancel_wanted',
] as const;
const TABLE: Readonly<Record<Kind, { readonly done: string; readonly failed: string }>> = {
  authorize: { done: 'aCCaCCC-----', failed: 'uua-aaa-----' },
  capture: { done: 'aCCatC------', failed: 'CCa-aaa-----' },
  refund: { done: 'aCCatC------', failed: 'CCa-aaa-----' },
  cancel: { done: 'aCCaCa------', failed: 'CCa-aCa-----' },
  reversal: { done: 'aCCaCa---a--', failed: 'a-a-aaa-----' },
};

test('the table has every pair of an end and a kind of news, and each means what is written here', () => {
  const cells = ALL.flatMap((kind) =>
    (['done', 'failed'] as const).flatMap((end) => {
      const row: Readonly<Record<string, Meaning>> = AFTER_THE_END[kind][end];
      expect(Object.keys(row).toSorted()).toEqual([...NEWS].toSorted());
      return NEWS.map((news, i) => [kind, end, news, row[news], LETTERS[TABLE[kind][end][i] ?? '']] as const);
    }),
  );
  expect(cells).toHaveLength(ALL.length * 2 * NEWS.length);
  for (const [kind, end, news, is, wanted] of cells) expect([kind, end, news, is]).toEqual([kind, end, news, wanted]);
});

/** What decide() may do with each meaning; what is passed over is only what agrees or proves nothing. */
const DECIDED: Readonly<Record<Meaning, readonly string[]>> = {
  agrees: ['ignore'],
  proves_nothing: ['ignore'],
  undo: ['settle'],
  take_back: ['settle', 'contradict'],
  contradicts: ['contradict'],
};

test.each(ALL)('whatever is seen of a %s that has ended is decided as the table says', (kind) => {
  const met = new Set<string>();
  for (const state of ['successful', 'declined', 'not_sent'] as const) {
    const at = stand(kind, state);
    const echo: Seen = { kind: 'declined', result: ECHOES[kind], reference: null, ...WORDS };
    for (const [name, seen] of [...everythingSeen(at.order, at.operation), ['done already', echo] as const]) {
      const { news, meaning } = judge(at.order, at.operation, seen);
      met.add(news);
      expect([kind, state, name, DECIDED[meaning]]).toEqual([
        kind,
        state,
        name,
        expect.arrayContaining([see(at, seen).kind]),
      ]);
    }
  }
  expect(met).toEqual(new Set(NEWS));
});

test.each([
  ['made there under the name that is told', {}, 'proves_nothing'],
  ['of another name', { provider_ref: 'pi_2' }, 'contradicts'],
  ['of another amount', { amount_minor: 999n }, 'contradicts'],
  ['of ours', { origin: 'merchant' }, 'contradicts'],
  ['not done', { state: 'declined' }, 'contradicts'],
] as const)('beside a capture %s, the news against ours, which was refused', (_, change, meaning) => {
  const { order, operation } = stand('capture', 'declined');
  const made = { id: 'made', kind: 'capture', amount_minor: 1000n, state: 'successful', origin: 'provider' } as const;
  const theirs = operationFacts({ ...made, provider_ref: 'pi_1', ...change });
  const both = { ...order, operations: [...order.operations, theirs] };
  const seen = { ...approval(order, operation), reference: 'pi_1', our_reference: null };
  expect(judge(both, operation, seen).meaning).toBe(meaning);
  // what names ours is about ours
  expect(judge(both, operation, { ...seen, our_reference: operation.id }).meaning).toBe('contradicts');
});

const ECHOES = {
  authorize: 'provider_capture_already_done',
  capture: 'provider_capture_already_done',
  refund: 'provider_refund_already_done',
  cancel: 'issuer_cancel_already_done',
  reversal: 'issuer_cancel_already_done',
} as const;
const WORDS = { provider_code: '', provider_text: '' } as const;
