// Rules in words, and the fields of each kind of rule. The server checks the values; this file only asks for them.
import type { RiskRule } from '../../../../src/backoffice/wire/rules/risk.ts';
import { type Change, differences } from '../../../../src/core/differences.ts';
import { DAY_S, HOUR_S } from '../../../../src/core/durations.ts';
import { plainText, sentence } from '../../base/format.ts';
import { plural, t } from '../../base/texts.ts';

export type RuleForm = {
  readonly name: string;
  readonly label: string;
  readonly as: 'choice' | 'text' | 'number' | 'tags';
  readonly choices?: readonly string[];
  readonly hint?: string;
  /** RuleForm shows the field only if another field has one of these values. */
  readonly when?: readonly [name: string, values: readonly string[]];
};

const SUBJECTS: readonly string[] = [
  'card email ip customer bin phone identification billing_address shipping_address name custom all',
].flatMap((line) => line.split(' '));
const COMPARED: readonly string[] = [
  'customer_country customer_billing_country shipping_address_country customer_zip_code',
  'customer_billing_zip_code shipping_address_zip_code customer_first_name customer_last_name',
  'customer_billing_first_name customer_billing_last_name shipping_first_name shipping_last_name',
  'customer_email shipping_email payment_channel device_type shipping_delivery_method',
  'shipping_delivery_range authentication_indicator website_url',
].flatMap((line) => line.split(' '));
const COUNTRIES = COMPARED.slice(0, 3);

export const KINDS: Readonly<Record<string, { readonly title: string; readonly fields: readonly RuleForm[] }>> = {
  velocity: {
    title: t('Velocity: too many in a period'),
    fields: [
      { name: 'subject', label: t('Counted by'), as: 'choice', choices: SUBJECTS },
      { name: 'key', label: t('Key of merchant_data'), as: 'text', when: ['subject', ['custom']] },
      {
        name: 'measure',
        label: t('What is counted'),
        as: 'choice',
        choices: ['attempts', 'successes', 'declines', 'amount'],
      },
      { name: 'limit', label: t('At most'), as: 'number', when: ['measure', ['attempts', 'successes', 'declines']] },
      { name: 'amount', label: t('At most'), as: 'text', hint: t('Such as 500.00'), when: ['measure', ['amount']] },
      { name: 'currency', label: t('Currency'), as: 'text', hint: t('Such as EUR'), when: ['measure', ['amount']] },
      { name: 'window_s', label: t('Period in seconds'), as: 'number', hint: t('3600 is an hour, 86400 a day') },
    ],
  },
  country: {
    title: t('Country'),
    fields: [
      { name: 'of', label: t('Which country'), as: 'choice', choices: COUNTRIES },
      { name: 'refused', label: t('These'), as: 'tags', hint: t('Two letters each; or give only those that pass') },
      { name: 'allowed', label: t('All but these'), as: 'tags' },
    ],
  },
  amount: {
    title: t('Amount above'),
    fields: [
      { name: 'above', label: t('Above'), as: 'text', hint: t('Such as 1000.00') },
      { name: 'currency', label: t('Currency'), as: 'text', hint: t('Such as EUR') },
    ],
  },
  mismatch: {
    title: t('Two fields do not match'),
    fields: [
      { name: 'one', label: t('This field'), as: 'choice', choices: COMPARED },
      { name: 'other', label: t('differs from'), as: 'choice', choices: COMPARED },
    ],
  },
  field: {
    title: t('Field has a value'),
    fields: [
      { name: 'of', label: t('Field'), as: 'choice', choices: COMPARED },
      { name: 'values', label: t('Values'), as: 'tags' },
    ],
  },
  tool: {
    title: t('Result of your fraud tool'),
    fields: [
      { name: 'key', label: t('Key of merchant_data'), as: 'text' },
      { name: 'values', label: t('Values'), as: 'tags' },
    ],
  },
  check: {
    title: t('Result of your own check'),
    fields: [
      { name: 'key', label: t('Key of merchant_data'), as: 'text' },
      { name: 'values', label: t('Values'), as: 'tags' },
    ],
  },
};

const textOf = plainText;
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(textOf).join(', ') : '');
/** The value in the middle of a sentence. */
const words = (value: unknown) => {
  const text = sentence(textOf(value));
  return /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
};

/** The rule in one sentence. */
export function ruleText(rule: RiskRule): string {
  switch (rule['kind']) {
    case 'velocity': {
      const most =
        rule['measure'] === 'amount'
          ? `${textOf(rule['amount'])} ${textOf(rule['currency'])}`
          : `${textOf(rule['limit'])} ${words(textOf(rule['measure']) || 'attempts')}`;
      const span = spanText(Number(rule['window_s']));
      return rule['subject'] === 'all'
        ? t('More than {most} within {span}', { most, span })
        : t('More than {most} of one {subject} within {span}', { most, subject: words(rule['subject']), span });
    }
    case 'country':
      return rule['refused'] === undefined
        ? t('{field} is none of {values}', { field: sentence(textOf(rule['of'])), values: listOf(rule['allowed']) })
        : t('{field} is {values}', { field: sentence(textOf(rule['of'])), values: listOf(rule['refused']) });
    case 'amount':
      return t('Amount above {amount} {currency}', {
        amount: textOf(rule['above']),
        currency: textOf(rule['currency']),
      });
    case 'mismatch':
      return t('{field} differs from {other}', { field: sentence(textOf(rule['one'])), other: words(rule['other']) });
    case 'field':
      return t('{field} is {values}', { field: sentence(textOf(rule['of'])), values: listOf(rule['values']) });
    default:
      return t('Your own {field} is {values}', { field: textOf(rule['key']), values: listOf(rule['values']) });
  }
}

function spanText(seconds: number): string {
  if (seconds === DAY_S) return t('a day');
  if (seconds === HOUR_S) return t('an hour');
  if (seconds === 60) return t('a minute');
  if (seconds % DAY_S === 0) return plural(seconds / DAY_S, '{count} day', '{count} days');
  if (seconds % HOUR_S === 0) return plural(seconds / HOUR_S, '{count} hour', '{count} hours');
  if (seconds % 60 === 0) return plural(seconds / 60, '{count} minute', '{count} minutes');
  return plural(seconds, '{count} second', '{count} seconds');
}

const nameOf = (rule: RiskRule) => textOf(rule['name']);

/** The changes that publishing a draft would make. */
export function changesOf(
  before: readonly RiskRule[],
  after: readonly RiskRule[],
): readonly (Change & { readonly text: string })[] {
  const named = (rules: readonly RiskRule[]) => rules.map((rule) => ({ name: nameOf(rule), rule }));
  return differences(named(before), named(after)).map(({ name, change, ...one }) => {
    const rule = (one.after ?? one.before)?.rule;
    return { name, change, text: rule ? ruleText(rule) : '' };
  });
}
