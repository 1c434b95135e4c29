// The abilities of a provider in words for people who set up contracts; the names in the code would tell them little.
import { sentence } from '../../base/format.ts';
import { plural, t } from '../../base/texts.ts';

const LABELS: Readonly<Record<string, string>> = {
  captures: t('Captures of one authorization'),
  rest_after_last_capture: t('What is left after the last capture'),
  ends: t('Says the final outcome'),
  inquiry: t('Can be asked later about'),
  reversal: t('Undoing what is in doubt'),
  sale: t('Payments with direct capture'),
  key_kept_h: t('Recognizes a repeated request for'),
  three_ds: t('3-D Secure'),
  scheme_choice: t('Choice of scheme with co-badged cards'),
  exemptions: t('Exemptions from authentication'),
  psp_token: t('Tokens of its own'),
  network_token: t('Network tokens and wallets'),
  traces: t('Numbers on each message'),
  answer_deadline_s: t('Longest wait for an answer'),
  in_flight_s: t('A request can take effect for'),
  notice_wait_s: t('Longest wait for its message'),
};

/** Labels for the value 0 where the usual label needs a number. */
const NOT_SO: Readonly<Record<string, string>> = { key_kept_h: t('Recognizes a repeated request') };

const VALUES: Readonly<Record<string, string>> = {
  'captures none': t('none [captures]'),
  'captures one': t('one'),
  'captures many': t('several'),
  'rest_after_last_capture released': t('is released'),
  'rest_after_last_capture stays': t('stays on hold'),
  'reversal by_shell': t('by closing the payment there'),
  'reversal by_own_reference': t('by our reference'),
  'reversal none': t('not possible'),
  'sale one_call': t('one call'),
  'sale hold_then_capture': t('a hold, then a capture'),
  'three_ds redirect': t('on its own page'),
  'three_ds data': t('with results of others'),
  'three_ds none': t('not supported'),
  'inquiry none': t('nothing'),
};

const BY: Readonly<Record<string, string>> = {
  answer: t('at once'),
  notice: t('by a message later'),
  either: t('at once or by a message'),
};

/** In one line; for yes or no, the name alone. */
export function canText(name: string, value: boolean | number | string): string {
  const label = (value === 0 ? NOT_SO[name] : undefined) ?? LABELS[name] ?? sentence(name);
  const is_plain = typeof value === 'boolean' || value === 0;
  return is_plain ? label : t('{label}: {value}', { label, value: valueText(name, value) });
}

function valueText(name: string, value: number | string): string {
  if (typeof value === 'number') {
    return name.endsWith('_h')
      ? plural(value, '{count} hour', '{count} hours')
      : plural(value, '{count} second', '{count} seconds');
  }
  return value
    .split(', ')
    .map((part) => partText(name, part))
    .join(', ');
}

function partText(name: string, part: string): string {
  const [what = '', by] = part.split(' by ');
  if (by !== undefined && BY[by] !== undefined) return `${sentence(what)} ${BY[by]}`;
  return VALUES[`${name} ${part}`] ?? sentence(part);
}
