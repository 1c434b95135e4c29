// Routing rules in words, and the facts of a payment that a rule may use. The server checks the values; this file only
// asks for them.
import type { RoutingDocument, RoutingRule } from '../../../../src/backoffice/wire/rules/routing.ts';
import { type Change, differences } from '../../../../src/core/differences.ts';
import { plainText, sentence } from '../../base/format.ts';
import { t } from '../../base/texts.ts';

/** Facts whose value is one word of a list. */
export const WORDS: readonly string[] = [
  'currency scheme channel operation_type token_type card_country issuer first6 initiator occurrence exemption attempt',
  'customer_country customer_billing_country shipping_address_country customer_zip_code customer_billing_zip_code',
  'shipping_address_zip_code customer_first_name customer_last_name customer_billing_first_name',
  'customer_billing_last_name shipping_first_name shipping_last_name customer_email shipping_email payment_channel',
  'device_type shipping_delivery_method shipping_delivery_range authentication_indicator website_url funding region',
  'three_ds eci liability',
].flatMap((line) => line.split(' '));
/** Conditions with several parts. */
export const GROUPS: readonly string[] = ['hour', 'merchant_data'];
/** Facts that a rule may require to be unknown. */
export const CAN_BE_MISSING: readonly string[] = [...WORDS, 'merchant_data'];
export const FLAGS: readonly string[] = ['saved', 'foreign', 'subscription', 'marked', '3ds_data'];

export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(plainText) : []);
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(plainText).join(', ') : plainText(value));
const words = (name: string) => sentence(name.replaceAll('_', ' '));

/** The conditions of a rule in one line. */
export function whenText({ when = {} }: RoutingRule): string {
  const parts = Object.entries(when).map(([name, value]) => {
    if (name === 'amount_from') return t('from {value}', { value: plainText(value) });
    if (name === 'amount_to') return t('up to {value}', { value: plainText(value) });
    if (name === 'missing') return t('{value} missing', { value: textsOf(value).map(words).join(', ') });
    if (name === 'healthy') return t('{value} ready', { value: listOf(value) });
    if (typeof value === 'boolean') return value ? words(name) : t('not {name}', { name: words(name).toLowerCase() });
    const group = groupText(name.replace(/^not_/, ''), membersOf(value));
    if (group !== undefined) return name.startsWith('not_') ? t('not: {text}', { text: group }) : group;
    return name.startsWith('not_')
      ? t('{field} is not {values}', { field: words(name.slice(4)), values: listOf(value) })
      : t('{field} is {values}', { field: words(name), values: listOf(value) });
  });
  return parts.length === 0 ? t('Every payment') : parts.join(' · ');
}

function groupText(name: string, members: Readonly<Record<string, unknown>>): string | undefined {
  const { from, to, zone, key, values } = members;
  if (name === 'hour')
    return t('{from} to {to} ({zone})', { from: plainText(from), to: plainText(to), zone: plainText(zone) });
  return name === 'merchant_data'
    ? t('Your own {field} is {values}', { field: plainText(key), values: listOf(values) })
    : undefined;
}

/** The destination of a rule in one line. */
export function thenText({ then }: RoutingRule): string {
  const { order, split, best_of, by, refuse, also } = then;
  const more = also === true ? `, ${t('then every other that fits')}` : '';
  if (Array.isArray(order)) return order.map(plainText).join(t(', then ')) + more;
  if (Array.isArray(split)) {
    const shares = split.map((share: unknown) => shareText(share)).join(' · ');
    return `${shares}${by === undefined || by === 'order' ? '' : `, ${by === 'card' ? t('by card') : t('by customer')}`}${more}`;
  }
  if (Array.isArray(best_of)) {
    const contracts = best_of.map(plainText).join(', ');
    return (
      (by === 'value'
        ? t('Best of {contracts} by what is left after fees', { contracts })
        : t('Best of {contracts} by success', { contracts })) + more
    );
  }
  return t('Refuse ({reason})', { reason: plainText(refuse) });
}

function shareText(share: unknown): string {
  const [contract, points] = Array.isArray(share) ? share.map((one: unknown) => one) : [];
  return `${plainText(contract)} ${Number(points) / 100} %`;
}

/** The changes that publishing a draft would make. */
export function changesOf(was: RoutingDocument, will: RoutingDocument): readonly Change[] {
  // without conditions is as with none
  const rules = (document: RoutingDocument) => document.rules.map((rule) => ({ when: {}, ...rule }));
  const changed = (name: string, is: boolean): readonly Change[] => (is ? [{ name, change: 'changed' }] : []);
  return [
    ...differences(rules(was), rules(will)).map(({ name, change }) => ({ name, change })),
    ...changed(NO_RULE, was.else !== will.else),
    ...changed(CASCADE, was.cascade !== will.cascade),
  ];
}

export const NO_RULE = t('Where no rule decides');
export const CASCADE = t('Other providers tried after trouble');
