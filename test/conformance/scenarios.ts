// The scenarios that every provider is put through, by number: docs/provider-scenarios.md is made of this list and of what the providers can do.
import type { Capabilities } from '../../src/provider/capabilities.ts';
import type { At, Trouble } from './at/contract.ts';

export type Scenario = {
  readonly number: number;
  readonly group: string;
  readonly name: string;
  /** The file whose stories are it, for each provider of `providers.ts`; undefined: there is none yet. */
  readonly file?: string;
  /** Without it there is a refusal before any call, which is looked for instead. */
  readonly needs?: { readonly what: string; readonly met: (can: Capabilities) => boolean };
  /** Can the provider's simulator be made to do it? */
  readonly only?: (at: At) => boolean;
};

type Row = readonly [name: string, more?: Partial<Scenario>];

const HERE = (file: string) => ({ file: `test/conformance/${file}.test.ts` });
const MONEY = HERE('money');
const DECLINES = HERE('declines');
const PAYER = { ...HERE('payer'), only: ({ cards }: At) => cards.challenge !== undefined };
const LOST = HERE('no-answer');
const WITH = (...wanted: readonly Trouble[]) => ({
  ...LOST,
  only: ({ troubles }: At) => wanted.every((one) => troubles.includes(one)),
});
const AWAY = { ...DECLINES, only: ({ turned_away }: At) => turned_away.length > 0 };
const AGAIN = HERE('again');
const TOLD = { ...HERE('messages'), only: ({ tells }: At) => tells !== undefined };
const ALSO = (file: string) => ({ file });

const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  'Money, plain': [
    ['authorize', MONEY],
    ['sale', MONEY],
    ['full capture', MONEY],
    ['captures until used up', { ...MONEY, needs: { what: 'captures', met: ({ captures }) => captures === 'many' } }],
    ['last capture releases the rest', MONEY],
    ['capture above what is held', MONEY],
    ['full refund', MONEY],
    ['several refunds', MONEY],
    ['refund above what was captured', MONEY],
    ['refund right after the capture', MONEY],
    ['cancel', MONEY],
    ['cancel after capture', MONEY],
    ['cancel twice', MONEY],
    ['capture after cancel', MONEY],
    ['capture and cancel after expiry'],
    ['currencies of 0, 2, 3 decimals', MONEY],
    ['small and large amounts', MONEY],
    ['accents, emoji, quotes, &, 64 characters', MONEY],
  ],
  Declines: [
    ['declines by card', DECLINES],
    ['unlisted value'],
    ['partial approval'],
    ['soft decline, then 3-D Secure'],
    ['soft decline, payer absent'],
    ['advice stops retries'],
    ['wrong credentials', AWAY],
    ['rights missing', AWAY],
  ],
  'Payer elsewhere': [
    ['redirect', PAYER],
    ['frictionless', PAYER],
    ['challenge passed', PAYER],
    ['challenge failed', PAYER],
    ['payer leaves', PAYER],
    ['payer comes back twice', PAYER],
    ['forged or replayed return', PAYER],
    ['message before the return', PAYER],
    ['outside 3-D Secure data'],
    ['exemptions'],
    ['co-badged card'],
  ],
  'No answer': [
    ['refused connection', { ...LOST, only: ({ refuses }: At) => refuses }],
    ['line closed before the answer', LOST],
    ['line closed in the middle of it', WITH('half')],
    ['kept-alive line dead on reuse'],
    ['timeout, taken', WITH('silent_after')],
    ['timeout, not taken', WITH('silent_before')],
    ['late approval after reversal'],
    ['500 with and without effect', WITH('error_before', 'error_after')],
    ['429 with Retry-After', WITH('too_many')],
    ['HTML, or no JSON', WITH('page_before')],
    ['capture, refund, cancel answer lost', LOST],
    ['not found, then found', ALSO('test/doubt/not-found.test.ts')],
  ],
  'Not what was asked': [
    ['other amount', DECLINES],
    ['other currency', DECLINES],
    ['other reference', DECLINES],
  ],
  Again: [
    ['crash between steps, then recovery', AGAIN],
    ['same key, same body', AGAIN],
    ['same key, other body', AGAIN],
    ['provider that does not deduplicate'],
  ],
  Messages: [
    ['good', TOLD],
    ['one byte changed', TOLD],
    ['wrong key', TOLD],
    ['old timestamp', TOLD],
    ['rotated key', TOLD],
    ['twice', TOLD],
    ['out of order', { ...TOLD, ...AGAIN }],
    ['before the answer of the call'],
    ['unknown event', TOLD],
    ['of an order that is not ours', TOLD],
    ['batch with one bad item'],
    ['capture fails days later'],
    ['refund fails after success', TOLD],
    ['dispute', TOLD],
  ],
};

export const SCENARIOS: readonly Scenario[] = Object.entries(GROUPS)
  .flatMap(([group, rows]) => rows.map(([name, more]) => ({ group, name, ...more })))
  .map((scenario, i) => ({ number: i + 1, ...scenario }));
