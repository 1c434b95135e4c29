// Routing rules in words, and what may be asked of a payment. The server checks what is written; this only asks.
import type { RoutingRule } from '../../../../src/backoffice/wire/routing.ts';
import { plainText, sentence } from '../../base/format.ts';
import { t } from '../../base/texts.ts';

/** What the form offers; any other member of a rule is kept as it is. */
export const FACTS: readonly string[] = [
  'currency scheme channel operation_type token_type card_country issuer first6 initiator customer_country',
  'customer_billing_country shipping_address_country device_type website_url exemption attempt',
].flatMap((line) => line.split(' '));
export const FLAGS: readonly string[] = ['saved', 'foreign', 'subscription', 'marked', '3ds_data'];

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(plainText).join(', ') : plainText(value));
const words = (name: string) => sentence(name.replaceAll('_', ' '));

/** What a rule asks for, in one line. */
export function whenText({ when = {} }: RoutingRule): string {
  const parts = Object.entries(when).map(([name, value]) => {
    if (name === 'amount_from') return t('from {value}', { value: plainText(value) });
    if (name === 'amount_to') return t('up to {value}', { value: plainText(value) });
    if (name === 'missing') return t('{value} missing', { value: listOf(value) });
    if (name === 'healthy') return t('{value} ready', { value: listOf(value) });
    if (typeof value === 'boolean') return value ? words(name) : t('not {name}', { name: words(name).toLowerCase() });
    if (typeof value === 'object' && !Array.isArray(value)) return `${words(name)} ${JSON.stringify(value)}`;
    return name.startsWith('not_')
      ? t('{field} is not {values}', { field: words(name.slice(4)), values: listOf(value) })
      : t('{field} is {values}', { field: words(name), values: listOf(value) });
  });
  return parts.length === 0 ? t('Every payment') : parts.join(' · ');
}

/** Where a rule sends, in one line. */
export function thenText({ then }: RoutingRule): string {
  const { order, split, best_of, by, refuse, also } = then;
  const more = also === true ? `, ${t('then every other that fits')}` : '';
  if (Array.isArray(order)) return order.map(plainText).join(' → ') + more;
  if (Array.isArray(split)) {
    const shares = split.map((share: unknown) => shareText(share)).join(' · ');
    return `${shares}${by === undefined || by === 'order' ? '' : `, ${by === 'card' ? t('by card') : t('by customer')}`}${more}`;
  }
  if (Array.isArray(best_of))
    return t('Best of {contracts} by success', { contracts: best_of.map(plainText).join(', ') }) + more;
  return t('Refuse ({reason})', { reason: plainText(refuse) });
}

function shareText(share: unknown): string {
  const [contract, points] = Array.isArray(share) ? share.map((one: unknown) => one) : [];
  return `${plainText(contract)} ${Number(points) / 100} %`;
}

export type Change = { readonly what: 'added' | 'removed' | 'changed' | 'moved'; readonly name: string };

/** What publishing a draft would change, rule by rule; rules are told by their names. */
export function changesOf(before: readonly RoutingRule[], after: readonly RoutingRule[]): readonly Change[] {
  const find = (rules: readonly RoutingRule[], name: string) => rules.find((rule) => rule.name === name);
  const kept = (rules: readonly RoutingRule[], others: readonly RoutingRule[]) =>
    rules.map(({ name }) => name).filter((name) => find(others, name));
  const [old_order, new_order] = [kept(before, after), kept(after, before)];
  const text = (rule: RoutingRule) => `${whenText(rule)}|${thenText(rule)}`;
  return [
    ...before.filter(({ name }) => !find(after, name)).map(({ name }) => ({ what: 'removed', name }) as const),
    ...after.flatMap((rule): readonly Change[] => {
      const { name } = rule;
      const old = find(before, name);
      if (!old) return [{ what: 'added', name }];
      if (text(old) !== text(rule)) return [{ what: 'changed', name }];
      return old_order.indexOf(name) === new_order.indexOf(name) ? [] : [{ what: 'moved', name }];
    }),
  ];
}
