// Findings in words: the kinds of differences, and what each side's books say.
import type { FindingRow } from '../../../../src/backoffice/wire/reports.ts';
import { plural, t } from '../../base/texts.ts';
import { Money } from '../../parts/show.tsx';

const KINDS: Readonly<Record<FindingRow['kind'], string>> = {
  'missing here': t('Missing here'),
  'missing there': t('Missing at the provider'),
  amount: t('Another amount'),
  currency: t('Another currency'),
  state: t('Another state'),
  'double effect': t('Done more than once'),
};

export const kindText = (kind: FindingRow['kind']) => KINDS[kind];

/** States of operations and of lines, and other words of either side. */
const WORDS: Readonly<Record<string, string>> = {
  nothing: t('Nothing'),
  once: t('Once [effect]'),
  'two lines': t('Two lines'),
  done: t('Done'),
  undone: t('Done, then undone'),
  pending: t('Pending'),
  requested: t('Requested'),
  in_doubt: t('Outcome unknown'),
  review: t('Needs review'),
  reversing: t('Reversing'),
  successful: t('Successful'),
  declined: t('Declined'),
  not_sent: t('Not sent'),
  held: t('Held'),
  captured: t('Captured'),
  released: t('Released'),
};

/** `2500` is an amount, and `successful 2500 EUR` a state with its amount; anything else is a word. */
export function BookText({ text, currency }: { readonly text: string; readonly currency: string }) {
  if (/^\d+$/.test(text)) return <Money minor={Number(text)} currency={currency} />;
  const times = /^(\d+) times$/.exec(text)?.[1];
  if (times !== undefined) return plural(Number(times), '{count} time', '{count} times');
  const lines = /^lines (.+)$/.exec(text)?.[1];
  if (lines !== undefined) return t('Lines {names}', { names: lines });
  const [, state = text, minor, of = currency] = /^(\w+) (\d+) ([A-Z]{3})$/.exec(text) ?? [];
  const word = WORDS[state] ?? state;
  if (minor === undefined) return word;
  return (
    <>
      {word}, <Money minor={Number(minor)} currency={of} />
    </>
  );
}
