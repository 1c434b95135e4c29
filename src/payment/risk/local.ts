// Rules that need nothing but the payment itself, and the texts of what a rule finds. No I/O: a dry run calls the same.
import { DAY_S, HOUR_S } from '../../core/durations.ts';
import { toMajor, toMinor } from '../../core/money.ts';
import type { Rule, VelocityRule } from '../../core/risk/rules.ts';
import { textOf, told } from '../order-texts.ts';
import { type Payment, SUBJECT_WORDS } from './subjects.ts';

export type LocalRule = Exclude<Rule, VelocityRule>;

/** The objection of a rule, in words; undefined: none. */
export function findLocal(rule: LocalRule, payment: Payment): string | undefined {
  const { body } = payment;
  switch (rule.kind) {
    case 'country': {
      const here = textOf(body[rule.of]);
      if (here === undefined) return undefined;
      const bad = rule.refused ? rule.refused.includes(here) : rule.allowed?.includes(here) === false;
      return bad ? `${rule.of} is ${here}` : undefined;
    }
    case 'mismatch': {
      const [one, other] = [textOf(body[rule.one]), textOf(body[rule.other])];
      const differ = one !== undefined && other !== undefined && plain(one) !== plain(other);
      return differ ? `${rule.one} and ${rule.other} differ` : undefined;
    }
    case 'amount': {
      if (rule.currency !== payment.currency || payment.amount_minor <= minorOf(rule.above, rule.currency))
        return undefined;
      return `${toMajor(payment.amount_minor, rule.currency)} ${rule.currency} is above ${rule.above} ${rule.currency}`;
    }
    case 'field': {
      const value = textOf(body[rule.of]);
      return value !== undefined && rule.values.some((one) => plain(one) === plain(value))
        ? `${rule.of} is one that is refused`
        : undefined;
    }
    case 'tool':
    case 'check': {
      const said = told(body, rule.key);
      return said !== undefined && rule.values.includes(said) ? `merchant_data ${rule.key} says ${said}` : undefined;
    }
  }
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}

function minorOf(decimal: string, currency: string): bigint {
  const read = toMinor(decimal, currency);
  if ('problem' in read) throw new Error('the amount of a published rule was checked');
  return read.minor;
}

/** The most that a velocity rule lets stand, this attempt included: a number, or minor units. */
export function limitOf(rule: VelocityRule): bigint {
  return rule.measure === 'amount' ? minorOf(rule.amount ?? '0', rule.currency ?? '') : BigInt(rule.limit ?? 0);
}

/** Does the rule count this payment? An amount is counted in its currency alone. */
export function counts(rule: VelocityRule, { currency }: Payment): boolean {
  return rule.currency === undefined || rule.currency === currency;
}

/** Is the attempt, on top of what was seen before it, above the limit? */
export function isOver(rule: VelocityRule, seen: bigint, { amount_minor }: Payment): boolean {
  return seen + (rule.measure === 'amount' ? amount_minor : 1n) > limitOf(rule);
}

export function velocityWords(rule: VelocityRule, seen: bigint, { amount_minor }: Payment): string {
  const of = rule.key ?? SUBJECT_WORDS[rule.subject];
  const within = windowWords(rule.window_s);
  if (rule.measure !== 'amount')
    return `${seen} ${rule.measure ?? 'attempts'} of ${of} in ${within} before this one; the limit is ${rule.limit}`;
  const money = (minor: bigint) => `${toMajor(minor, rule.currency ?? '')} ${rule.currency}`;
  return `${money(seen)} of ${of} in ${within} before this ${money(amount_minor)}; the limit is ${rule.amount} ${rule.currency}`;
}

function windowWords(seconds: number): string {
  for (const [unit, size] of UNITS) if (seconds % size === 0) return `${seconds / size} ${unit}`;
  return `${seconds} s`;
}

const UNITS = [
  ['d', DAY_S],
  ['h', HOUR_S],
  ['min', 60],
] as const;
