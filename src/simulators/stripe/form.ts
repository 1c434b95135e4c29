// A form as Stripe's clients write it: `metadata[order_id]=1`, `expand[]=latest_charge` or `expand[0]=latest_charge`.
import { invalid, parameterUnknown } from './errors.ts';

export type Form = readonly (readonly [key: string, value: string])[];

export const formOf = (text: string): Form => [...new URLSearchParams(text)];

/** Every `metadata[…]` counts as one name, and so does a list with any index. */
const shapeOf = (key: string): string => key.replace(/^metadata\[[^\]]*\]$/, 'metadata[]').replace(/\[\d+\]/g, '[]');

/** Refuses parameters that Stripe does not know, as Stripe does. */
export function only(form: Form, known: readonly string[]): void {
  const odd = form.find(([key]) => !known.includes(shapeOf(key)));
  if (odd) throw parameterUnknown(odd[0]);
}

export const textIn = (form: Form, name: string): string | undefined => form.findLast(([key]) => key === name)?.[1];

export function required(form: Form, name: string): string {
  const value = textIn(form, name);
  if (value === undefined || value === '') throw invalid('parameter_missing', `Missing required param: ${name}.`, name);
  return value;
}

export const listIn = (form: Form, name: string): string[] =>
  form.filter(([key]) => key.replace(/\[\d*\]$/, '') === name).map(([, value]) => value);

export function metadataIn(form: Form): Record<string, string> {
  const pairs = form.flatMap(([key, value]) => {
    const name = /^metadata\[([^\]]*)\]$/.exec(key)?.[1];
    return name === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** A whole number of the currency's smallest unit, as Stripe counts it. */
export function amountIn(form: Form, name: string): number | undefined {
  const text = textIn(form, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text)) throw invalid('parameter_invalid_integer', `Invalid integer: ${text}`, name);
  const amount = Number(text.replace(/^0+(?=\d)/, ''));
  if (amount < 1) throw invalid('parameter_invalid_integer', 'This value must be greater than or equal to 1.', name);
  if (amount > MOST) throw invalid('amount_too_large', 'Amount must be no more than 999,999.99', name);
  return amount;
}
const MOST = 99_999_999;

export function oneOf(form: Form, name: string, values: readonly string[]): string | undefined {
  const value = textIn(form, name);
  if (value === undefined || values.includes(value)) return value;
  throw invalid(null, `Invalid ${name}: must be one of ${values.join(', ')}`, name);
}
