// The scenarios that every provider is put through, by number. Which stories are theirs, their titles say: `1, 2 what
// happens`.
import type { Ability } from './outcomes.ts';

export type Scenario = {
  readonly number: number;
  readonly group: string;
  readonly name: string;
  /** Without it the opposite is looked for: a refusal before any call, or that nothing of it is sent. */
  readonly needs?: Ability;
};

type Row = readonly [name: string, needs?: Ability];

const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  'Money, plain': [
    ['authorize'],
    ['sale'],
    ['full capture'],
    ['captures until used up', 'captures'],
    ['last capture releases the rest'],
    ['capture above what is held'],
    ['full refund'],
    ['several refunds'],
    ['refund above what was captured'],
    ['refund right after the capture'],
    ['cancel'],
    ['cancel after capture'],
    ['cancel twice'],
    ['capture after cancel'],
    ['capture and cancel after expiry'],
    ['currencies of 0, 2, 3 decimals'],
    ['small and large amounts'],
    ['accents, emoji, quotes, &, 64 characters'],
  ],
  Declines: [
    ['declines by card'],
    ['unlisted value'],
    ['partial approval'],
    ['soft decline, then 3-D Secure', 'our proof'],
    ['soft decline, payer absent'],
    ['advice stops retries'],
    ['wrong credentials'],
    ['rights missing'],
  ],
  'Payer elsewhere': [
    ['redirect', 'redirect'],
    ['frictionless', 'redirect'],
    ['challenge passed', 'redirect'],
    ['challenge failed', 'redirect'],
    ['payer leaves', 'redirect'],
    ['payer comes back twice', 'redirect'],
    ['forged or replayed return', 'redirect'],
    ['message before the return', 'redirect'],
    ['outside 3-D Secure data', 'data'],
    ['exemptions', 'exemptions'],
    ['co-badged card', 'scheme_choice'],
  ],
  'No answer': [
    ['refused connection'],
    ['line closed before the answer'],
    ['line closed in the middle of it'],
    ['kept-alive line dead on reuse'],
    ['timeout, taken'],
    ['timeout, not taken'],
    ['late approval after reversal'],
    ['500 with and without effect'],
    ['429 with Retry-After'],
    ['HTML, or no JSON'],
    ['capture, refund, cancel answer lost'],
    ['not found, then found'],
  ],
  'Not what was asked': [['other amount'], ['other currency'], ['other reference']],
  Again: [
    ['crash between steps, then recovery'],
    ['same key, same body'],
    ['same key, other body'],
    ['provider that does not deduplicate', 'no keys'],
  ],
  Messages: [
    ['good', 'messages'],
    ['one byte changed', 'messages'],
    ['wrong key', 'messages'],
    ['old timestamp', 'messages'],
    ['rotated key', 'messages'],
    ['twice', 'messages'],
    ['out of order', 'messages'],
    ['before the answer of the call', 'messages'],
    ['unknown event', 'messages'],
    ['of an order that is not ours', 'messages'],
    ['batch with one bad item', 'messages'],
    ['capture fails days later', 'messages'],
    ['refund fails after success', 'messages'],
    ['dispute', 'messages'],
  ],
  'Answers to disputes': [
    ['evidence, and the dispute is won', 'answers to disputes'],
    ['evidence, and the dispute is lost', 'answers to disputes'],
    ['accepted', 'answers to disputes'],
    ['answer to the evidence lost', 'answers to disputes'],
    ['evidence lost on its way', 'answers to disputes'],
    ['answered elsewhere before', 'answers to disputes'],
  ],
};

export const SCENARIOS: readonly Scenario[] = Object.entries(GROUPS)
  .flatMap(([group, rows]) => rows.map(([name, needs]) => ({ group, name, ...(needs && { needs }) })))
  .map((scenario, i) => ({ number: i + 1, ...scenario }));
