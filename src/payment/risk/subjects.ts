// The values of a payment that lists and counts use: written in one way, however they were typed, and known to the
// database only by a keyed hash, bound to the merchant account.
import type { KeyObject } from 'node:crypto';
import type { ListKind, VelocityRule, VelocitySubject } from '../../core/risk/rules.ts';
import { digestOf } from '../card-digest.ts';
import { type Text, memberOf, textOf, told } from '../order-texts.ts';
import { networkOf, networksOf } from './networks.ts';

export type Payment = {
  /** The order's fields with its checkout's under them. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly card_digest: string | null;
  readonly first6: string | null;
};

export type SubjectKind = VelocitySubject | ListKind;

/** The name of a kind in an explanation. */
export const SUBJECT_WORDS: Readonly<Record<SubjectKind, string>> = {
  all: 'the account',
  card: 'the card',
  bin: 'the issuer range',
  email: 'the e-mail address',
  email_domain: 'the domain of the e-mail address',
  ip: 'the ip address',
  customer: 'the customer',
  identification: 'the identification number',
  phone: 'the phone number',
  billing_address: 'the billing address',
  shipping_address: 'the shipping address',
  name: 'the name',
  custom: 'the custom value',
};

/**
 * The payment's value of a kind, as it is compared. Undefined: the payment has none. `key`: of custom, which
 * merchant_data.
 */
function subjectOf({ body, ...payment }: Payment, kind: SubjectKind, key?: string): string | undefined {
  const field = (name: string) => textOf(body[name]);
  switch (kind) {
    case 'all':
      return 'all';
    case 'card':
      return payment.card_digest ?? undefined;
    case 'bin':
      return payment.first6 ?? undefined;
    case 'billing_address':
      return billingAddress(body);
    case 'shipping_address':
      return addressOf(
        ['line1', 'line2'].map((line) => field(`shipping_address_street_name_${line}`)),
        ['zip_code', 'city', 'country'].map((name) => field(`shipping_address_${name}`)),
      );
    case 'name':
      return nameOf(body);
    case 'custom':
      return key === undefined ? undefined : told(body, key);
    case 'email':
    case 'email_domain':
      return normalize(kind, field('customer_email') ?? '');
    case 'ip':
    case 'customer':
    case 'identification':
    case 'phone':
      return normalize(kind, field(FIELDS[kind]) ?? '');
  }
}

const FIELDS = {
  ip: 'customer_ip',
  customer: 'customer_id',
  identification: 'customer_identification_number',
  phone: 'customer_phone_number',
} as const;

/**
 * A value as a person typed it, for a list or from an order, written the one way. Undefined: it is no value of this
 * kind.
 */
export function normalize(kind: SubjectKind, written: string): string | undefined {
  const text = written.trim();
  if (text === '') return undefined;
  switch (kind) {
    case 'email':
      return emailOf(text);
    case 'email_domain':
      return domainOf(text);
    case 'phone':
      return text.replaceAll(/[^0-9]/g, '').replace(/^00/, '') || undefined;
    case 'identification':
      return text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase() || undefined;
    case 'billing_address':
    case 'shipping_address':
    case 'name':
      return plainWords(text) || undefined;
    case 'bin':
      return /^\d{6}$/.test(text) ? text : undefined;
    case 'card':
      return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined;
    case 'all':
    case 'custom':
    case 'customer':
    case 'ip':
      return text;
  }
}

/** Lower case; what stands behind a + is the writer's own mark, and dots are none at the one host that ignores them. */
function emailOf(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const domain = domainOf(text);
  if (at < 1 || domain === undefined) return undefined;
  const [local = ''] = text.slice(0, at).toLowerCase().split('+');
  const dotless = domain === 'gmail.com' || domain === 'googlemail.com';
  return `${dotless ? local.replaceAll('.', '') : local}@${dotless ? 'gmail.com' : domain}`;
}

function domainOf(text: string): string | undefined {
  const domain = text
    .slice(text.lastIndexOf('@') + 1)
    .toLowerCase()
    .replace(/\.$/, '');
  return /^[^\s@]+$/.test(domain) ? domain : undefined;
}

/** Letters without their marks, and digits, in words: "Rue de l'Église, 5" and "rue de l eglise 5" are one. */
function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function billingAddress(body: Payment['body']): string | undefined {
  const own = textOf(body['customer_billing_street_name']) !== undefined ? 'customer_billing_' : 'customer_';
  const field = (name: string) => textOf(body[own + name]);
  return addressOf([field('street_name')], ['zip_code', 'city', 'country'].map(field));
}

/** Undefined without a street: a country alone is no address. */
function addressOf(street: readonly Text[], place: readonly Text[]): string | undefined {
  if (street[0] === undefined) return undefined;
  return plainWords([...street, ...place].filter((part) => part !== undefined).join(' ')) || undefined;
}

/** The name on the card stands in the vault; this is the payer's as the order has it. */
function nameOf(body: Payment['body']): string | undefined {
  const own = textOf(body['customer_billing_last_name']) !== undefined ? 'customer_billing_' : 'customer_';
  const [first, last] = [textOf(body[`${own}first_name`]), textOf(body[`${own}last_name`])];
  return last === undefined ? undefined : plainWords(`${first ?? ''} ${last}`) || undefined;
}

/**
 * The value by which attempts are counted: for IPv6 the network of one household, because addresses within it cost
 * nothing.
 */
export function countedAs(payment: Payment, { subject, key }: VelocityRule): string | undefined {
  const value = subjectOf(payment, subject, key);
  if (value === undefined || subject !== 'ip') return key === undefined ? value : value && `${key}=${value}`;
  return networkOf(value.includes(':') ? `${value}/64` : value);
}

/** The values a payment may stand on a list with: of an ip address, every network around it. */
export function listedAs(payment: Payment, kind: ListKind): readonly string[] {
  if (kind === 'custom') return customValues(payment.body);
  const value = subjectOf(payment, kind);
  if (value === undefined) return [];
  return kind === 'ip' ? networksOf(value) : [value];
}

function customValues(body: Payment['body']): readonly string[] {
  const data: unknown = body['merchant_data'];
  if (!Array.isArray(data)) return [];
  return data.flatMap((item: unknown) => {
    const [key, value] = [textOf(memberOf(item, 'key')), textOf(memberOf(item, 'value'))];
    return key === undefined || value === undefined ? [] : [`${key}=${value}`];
  });
}

/** 32 hex: a value as the database knows it. A card is given by its digest, of which this is the beginning. */
export type Hasher = (kind: SubjectKind, value: string) => string;

export function hasherOf(secret_key: KeyObject, merchant_account_id: string): Hasher {
  return (kind, value) => {
    const digest = kind === 'card' ? value : digestOf(secret_key, `${merchant_account_id}|${kind}|${value}`);
    return digest.slice(0, 32);
  };
}
