// The things that are paid for, line by line, as far as the checkout names them. Sums are shown only if they add up to
// the amount to the last minor unit: nothing is rounded, and nothing is guessed.
import { readDecimal, toMinor } from '../../../core/money.ts';
import { textAt } from '../load.ts';
import type { Subject } from './shown.ts';

export type Line = {
  readonly name: string;
  /** Address of a picture, where the account allows its host. */
  readonly picture: string | undefined;
  readonly count: number;
  readonly minor: bigint | undefined;
  /** The price of this line before it was reduced. */
  readonly was: bigint | undefined;
};

export type Sum = { readonly name: 'subtotal' | 'discount' | 'delivery' | 'tax_added'; readonly minor: bigint };

export type Bill = {
  readonly lines: readonly Line[];
  /** The sums that lead from the lines to the amount. */
  readonly sums: readonly Sum[];
  /** Part of the amount. */
  readonly tax_included: bigint | undefined;
};

type Checkout = Subject['checkout'];
type Members = Readonly<Record<string, unknown>>;

export function billOf({ body, currency, amount_minor }: Checkout, picture_hosts: readonly string[] = []): Bill {
  const lines = linesOf(body, currency, picture_hosts);
  const delivery = minorAt(body, 'shipping_price', currency);
  const tax = minorAt(body, 'order_tax_amount', currency);
  const sums = sumsOf(lines, { amount: amount_minor, delivery, tax });
  const added = sums.some(({ name }) => name === 'tax_added');
  return { lines, sums, tax_included: added ? undefined : tax };
}

type Known = { readonly amount: bigint; readonly delivery: bigint | undefined; readonly tax: bigint | undefined };

function sumsOf(lines: readonly Line[], { amount, delivery, tax }: Known): readonly Sum[] {
  const carried: readonly Sum[] = delivery === undefined ? [] : [{ name: 'delivery', minor: delivery }];
  if (lines.length === 0 || lines.some(({ minor }) => minor === undefined)) return carried;
  const subtotal = lines.reduce((sum, { minor }) => sum + (minor ?? 0n), 0n);
  const rest = amount - subtotal - (delivery ?? 0n);
  const all: readonly Sum[] = [{ name: 'subtotal', minor: subtotal }, ...carried];
  if (rest === 0n) return carried.length === 0 && lines.length === 1 ? [] : all;
  // the lines ask for more than is paid: what lies between is a reduction, whatever it is for
  if (rest < 0n) return [{ name: 'subtotal', minor: subtotal }, { name: 'discount', minor: rest }, ...carried];
  // prices without tax
  return rest === tax ? [...all, { name: 'tax_added', minor: rest }] : carried;
}

function linesOf(body: Members, currency: string, picture_hosts: readonly string[]): readonly Line[] {
  const basket: readonly unknown[] = Array.isArray(body['basket_content']) ? body['basket_content'] : [];
  return basket.filter(isItem).flatMap((item) => {
    const name = textAt(item, 'product_name') ?? textAt(item, 'product_sku');
    return name === undefined ? [] : [{ name, picture: pictureOf(item, picture_hosts), ...priceOf(item, currency) }];
  });
}

function priceOf(item: Members, currency: string): Omit<Line, 'name' | 'picture'> {
  const { product_quantity: quantity } = item;
  const count = typeof quantity === 'number' && quantity > 0 ? quantity : 1;
  const each = minorAt(item, 'product_price', currency);
  const full = each === undefined ? undefined : each * BigInt(count);
  const minor = minorAt(item, 'total_amount', currency) ?? full;
  const reduced = full !== undefined && minor !== undefined && full > minor;
  return { count, minor, was: reduced ? full : undefined };
}

function pictureOf(item: Members, hosts: readonly string[]): string | undefined {
  const url = URL.parse(textAt(item, 'product_image_url') ?? '');
  return url && hosts.includes(url.hostname) ? url.href : undefined;
}

function isItem(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

/** Amounts are stored as numbers of major units. Undefined: none, nothing, or none of this currency. */
function minorAt(body: Members, name: string, currency: string): bigint | undefined {
  const value = body[name];
  const read = typeof value === 'number' && value > 0 ? readDecimal(String(value), 'refused') : undefined;
  const minor = read && 'decimal' in read ? toMinor(read.decimal, currency) : undefined;
  return minor && 'minor' in minor ? minor.minor : undefined;
}
