// The cause of a decline, and from that the time of the next try, in words.
import { plural, t } from '../../base/texts.ts';

const CAUSES: Readonly<Record<string, string>> = {
  advice: t('The card scheme said when'),
  funds: t('Not enough money: some days later'),
  technical: t('Trouble of the provider: in hours'),
  generic: t('Declined without a reason: in days'),
};

export const causeText = (cause: string | null): string => (cause === null ? '' : (CAUSES[cause] ?? cause));

export const triesText = (tries: number): string => plural(tries, '{count} try', '{count} tries');
