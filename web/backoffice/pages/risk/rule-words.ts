// Rules in words, and the fields by which each kind of rule is written. The server checks what is written; this only asks.
import type { RiskRule } from '../../../../src/backoffice/wire/risk.ts';
import { plainText, sentence } from '../../base/format.ts';

export type RuleForm = {
  readonly name: string;
  readonly label: string;
  readonly as: 'choice' | 'text' | 'number' | 'tags';
  readonly choices?: readonly string[];
  readonly hint?: string;
  /** RuleForm only where another field has one of these values. */
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
    title: 'Velocity: too many in a period',
    fields: [
      { name: 'subject', label: 'Counted by', as: 'choice', choices: SUBJECTS },
      { name: 'key', label: 'Key of merchant_data', as: 'text', when: ['subject', ['custom']] },
      {
        name: 'measure',
        label: 'What is counted',
        as: 'choice',
        choices: ['attempts', 'successes', 'declines', 'amount'],
      },
      { name: 'limit', label: 'At most', as: 'number', when: ['measure', ['attempts', 'successes', 'declines']] },
      { name: 'amount', label: 'At most', as: 'text', hint: 'Such as 500.00', when: ['measure', ['amount']] },
      { name: 'currency', label: 'Currency', as: 'text', hint: 'Such as EUR', when: ['measure', ['amount']] },
      { name: 'window_s', label: 'Period in seconds', as: 'number', hint: '3600 is an hour, 86400 a day' },
    ],
  },
  country: {
    title: 'Country',
    fields: [
      { name: 'of', label: 'Which country', as: 'choice', choices: COUNTRIES },
      { name: 'refused', label: 'These', as: 'tags', hint: 'Two letters each; or give only those that pass' },
      { name: 'allowed', label: 'All but these', as: 'tags' },
    ],
  },
  amount: {
    title: 'Amount above',
    fields: [
      { name: 'above', label: 'Above', as: 'text', hint: 'Such as 1000.00' },
      { name: 'currency', label: 'Currency', as: 'text', hint: 'Such as EUR' },
    ],
  },
  mismatch: {
    title: 'Two fields do not match',
    fields: [
      { name: 'one', label: 'This field', as: 'choice', choices: COMPARED },
      { name: 'other', label: 'differs from', as: 'choice', choices: COMPARED },
    ],
  },
  field: {
    title: 'Field has a value',
    fields: [
      { name: 'of', label: 'Field', as: 'choice', choices: COMPARED },
      { name: 'values', label: 'Values', as: 'tags' },
    ],
  },
  tool: {
    title: 'Result of your fraud tool',
    fields: [
      { name: 'key', label: 'Key of merchant_data', as: 'text' },
      { name: 'values', label: 'Values', as: 'tags' },
    ],
  },
  check: {
    title: 'Result of your own check',
    fields: [
      { name: 'key', label: 'Key of merchant_data', as: 'text' },
      { name: 'values', label: 'Values', as: 'tags' },
    ],
  },
};

const textOf = plainText;
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(textOf).join(', ') : '');
const words = (value: unknown) => textOf(value).replaceAll('_', ' ');

/** The rule in one sentence. */
export function ruleText(rule: RiskRule): string {
  switch (rule['kind']) {
    case 'velocity': {
      const by = rule['subject'] === 'all' ? '' : ` of one ${words(rule['subject'])}`;
      const most =
        rule['measure'] === 'amount'
          ? `${textOf(rule['amount'])} ${textOf(rule['currency'])}`
          : `${textOf(rule['limit'])} ${textOf(rule['measure']) || 'attempts'}`;
      return `More than ${most}${by} within ${spanText(Number(rule['window_s']))}`;
    }
    case 'country':
      return rule['refused'] === undefined
        ? `${sentence(words(rule['of']))} is none of ${listOf(rule['allowed'])}`
        : `${sentence(words(rule['of']))} is ${listOf(rule['refused'])}`;
    case 'amount':
      return `Amount above ${textOf(rule['above'])} ${textOf(rule['currency'])}`;
    case 'mismatch':
      return `${sentence(words(rule['one']))} differs from ${words(rule['other'])}`;
    case 'field':
      return `${sentence(words(rule['of']))} is ${listOf(rule['values'])}`;
    default:
      return `Your own ${textOf(rule['key'])} is ${listOf(rule['values'])}`;
  }
}

function spanText(seconds: number): string {
  for (const [length, name] of [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const)
    if (seconds >= length && seconds % length === 0)
      return seconds === length ? `a${name === 'hour' ? 'n' : ''} ${name}` : `${seconds / length} ${name}s`;
  return `${seconds} seconds`;
}

export type Change = {
  readonly what: 'added' | 'removed' | 'changed' | 'moved';
  readonly name: string;
  readonly text: string;
};

const nameOf = (rule: RiskRule) => textOf(rule['name']);
const same = (a: RiskRule, b: RiskRule) => JSON.stringify(bare(a)) === JSON.stringify(bare(b));
const bare = (rule: RiskRule) => Object.entries(rule).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** What publishing a draft would change, rule by rule; rules are told by their names. */
export function changesOf(before: readonly RiskRule[], after: readonly RiskRule[]): readonly Change[] {
  const find = (rules: readonly RiskRule[], name: string) => rules.find((rule) => nameOf(rule) === name);
  const kept = (rules: readonly RiskRule[], others: readonly RiskRule[]) =>
    rules.map(nameOf).filter((name) => find(others, name));
  const [old_order, new_order] = [kept(before, after), kept(after, before)];
  const of = (what: Change['what'], rule: RiskRule) => ({ what, name: nameOf(rule), text: ruleText(rule) });
  return [
    ...before.filter((rule) => !find(after, nameOf(rule))).map((rule) => of('removed', rule)),
    ...after.flatMap((rule) => {
      const old = find(before, nameOf(rule));
      if (!old) return [of('added', rule)];
      if (!same(old, rule)) return [of('changed', rule)];
      return old_order.indexOf(nameOf(rule)) === new_order.indexOf(nameOf(rule)) ? [] : [of('moved', rule)];
    }),
  ];
}
