// A line of a provider's books, from whatever source: the simulator's own port, or a settlement file.
import { basename } from 'node:path';
import { CURRENCIES, MAX_MINOR } from '../../../core/money.ts';
import { isId } from '../../../core/ids.ts';
import { OPERATION_KINDS } from '../../../core/states.ts';
import type { SettledFee } from '../../../provider/settlement.ts';

/** done: it stands; undone: it was done, and was then released or given back as a whole. */
export const LINE_STATES = ['done', 'undone', 'pending', 'declined'] as const;

export type BookLine = {
  readonly provider: string;
  readonly kind: (typeof OPERATION_KINDS)[number];
  /** Our operation id; of a reversal that of what it reverses, of a sale's capture that of the sale. */
  readonly reference: string;
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  /** How often it took effect. */
  readonly effects: number;
  readonly state: (typeof LINE_STATES)[number];
  /** The provider's own id of it. */
  readonly provider_ref: string | null;
};

/** A line with the fees that a provider's own report may add. */
export type ReportedLine = BookLine & { readonly fees?: readonly SettledFee[] };

/** A source of lines, which is read once, in any order. */
export type BookSource = {
  /** Shown to people. */
  readonly name: string;
  /** The providers of these lines: operations at other providers are not missing. */
  readonly providers: ReadonlySet<string>;
  /** Only of these contracts with them (ids): operations of others are not missing. Absent: of all. */
  readonly contracts?: ReadonlySet<string>;
  /** The kinds that are in it: an operation of another kind is not missed. */
  readonly kinds: ReadonlySet<string>;
  /** Read from the provider as its books are now. Absent: a file, which is as old as it is. */
  readonly is_live?: true;
  /** Pages of lines; a page is small enough to be held. */
  pages(): AsyncIterable<readonly ReportedLine[]>;
};

/** A file without its folder: people of a merchant account read it. */
export function nameOf({ name }: Pick<BookSource, 'name'>): string {
  return basename(name).slice(0, 200);
}

/** A line that cannot be read; says which and why. */
export class UnreadableLine extends Error {}

type Member = { readonly says: string; fits(value: unknown): boolean };

const id: Member = { says: '24 hex digits', fits: (value) => typeof value === 'string' && isId(value) };
const oneOf = (words: readonly string[]): Member => ({
  says: `one of ${words.join(', ')}`,
  fits: (value) => typeof value === 'string' && words.includes(value),
});
const text = (most: number): Member => ({
  says: `text of 1 to ${most} characters`,
  fits: (value) => typeof value === 'string' && value.length > 0 && value.length <= most,
});
const whole = (most: bigint): Member => ({
  says: `a whole number from 0 to ${most}`,
  fits: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && BigInt(value) <= most,
});

const MEMBERS: Readonly<Record<keyof BookLine, Member>> = {
  provider: text(40),
  kind: oneOf(OPERATION_KINDS),
  reference: id,
  merchant_account_id: id,
  order_id: id,
  amount_minor: whole(MAX_MINOR),
  currency: {
    says: 'a currency of ISO 4217',
    fits: (value) => typeof value === 'string' && CURRENCIES.has(value),
  },
  effects: whole(1000n),
  state: oneOf(LINE_STATES),
  provider_ref: {
    says: 'text of 1 to 100 characters, or null',
    fits: (value) => value === null || text(100).fits(value),
  },
};

/**
 * Reads one line as an object with the members of BookLine; `effects` is 1 and `provider_ref` null where they are
 * absent. Throws UnreadableLine with every member that is wrong.
 */
export function readLine(value: unknown, where: string): BookLine {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableLine(`${where}: must be a JSON object`);
  const given: Record<string, unknown> = { provider_ref: null, ...value };
  given['effects'] ??= given['state'] === 'done' || given['state'] === 'undone' ? 1 : 0;
  const wrong = Object.entries(MEMBERS).filter(([name, { fits }]) => !fits(given[name]));
  if (wrong.length > 0)
    throw new UnreadableLine(`${where}: ${wrong.map(([name, { says }]) => `${name} must be ${says}`).join('; ')}`);
  return { ...(given as Omit<BookLine, 'amount_minor'>), amount_minor: BigInt(String(given['amount_minor'])) };
}
