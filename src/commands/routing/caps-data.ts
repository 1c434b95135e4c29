// The text of `florin routing caps-data`: the limits of card schemes on a day, the cost of tries above them, and the
// source of each.
import { DAY_S, HOUR_S } from '../../core/durations.ts';
import { type CapRow, type CapsTable, limitsOn } from '../../core/retries/caps.ts';
import { OLD_DAYS, dayOf, isInForce } from '../../core/retries/day.ts';
import { areOld } from '../../payment/declines/caps.ts';

export function capsDataText(table: CapsTable, now: Date): string {
  const { as_of, rows: all } = table;
  const day = dayOf(now);
  const rows = all.filter((row) => isInForce(row, day));
  const schemes = [...new Set(rows.map(({ scheme }) => scheme))];
  const parts = schemes.map((scheme) => {
    const own = rows.filter((row) => row.scheme === scheme);
    return [titleOf(scheme), ...own.flatMap((row) => [`  ${ruleText(row)}`, `    ${sourceText(row)}`])];
  });
  const stops = schemes
    .flatMap((scheme) => limitsOn(all, day, scheme).map((limit) => ({ scheme, ...limit })))
    .filter(({ scheme, rule }) => rows.some((row) => row.scheme === scheme && row.rule === rule))
    .map(({ scheme, rule, most, window_s }) => `  ${scheme} ${rule}: ${most} in ${spanText(window_s)}`);
  return [
    ...parts,
    [areOld(table, now) ? `${OLD} Last: ${as_of}.` : `Looked at on ${as_of}.`],
    ['Held back here from so many on:', ...stops],
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

const OLD = `These were last looked at more than ${OLD_DAYS} days ago: take a newer release, or load a newer table.`;

const titleOf = (scheme: string) => (scheme === 'any' ? 'every other scheme' : scheme);

const WHO = { any: null, cit: 'by the payer', mit: 'without the payer' } as const;

function ruleText(row: CapRow): string {
  const { rule, category, initiator, key, limit, window_s, fee_from, fee_amount, fee_currency, fee_scope } = row;
  const fee = fee_amount === null ? null : `${fee_amount} ${fee_currency ?? ''} each from try ${fee_from ?? 1} on`;
  const said = [
    category === null || category === 'any' ? null : `of ${category}`,
    initiator === null ? null : WHO[initiator],
    limit === null ? 'no limit is published' : `${limit}${window_s === null ? '' : ` in ${spanText(window_s)}`}`,
    key === null ? null : `by ${key.replaceAll('+', ', ')}`,
    fee && (fee_scope === null ? fee : `${fee} (${fee_scope})`),
  ];
  return `${rule}: ${said.filter((one) => one !== null).join('; ')}`;
}

function sourceText({ valid_from, valid_to, confirmed, source }: CapRow): string {
  const until = valid_to === null ? '' : ` to ${valid_to}`;
  return `since ${valid_from}${until}; ${confirmed}; ${source === 'same' ? 'source as above' : source}`;
}

const spanText = (seconds: number) => (seconds % DAY_S === 0 ? `${seconds / DAY_S} d` : `${seconds / HOUR_S} h`);
