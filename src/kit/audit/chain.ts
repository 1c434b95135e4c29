// Records that are chained: each carries a number and a hash over its own text and the hash of the one before.
import { sha256 } from '../crypto.ts';

export type Chained = {
  readonly number: bigint;
  /** Hex. */
  readonly hash: string;
  /** What the hash is over, but for the hash before it. */
  readonly text: string;
};
export type Link = Pick<Chained, 'number' | 'hash'>;

/** What is wrong with a record behind `last`; undefined: nothing. `kept`: the head of then, as a person kept it. */
export function breachOf({ number, hash, text }: Chained, last: Link, kept?: Link): string | undefined {
  if (number !== last.number + 1n) return `records ${last.number + 1n} to ${number - 1n} are missing`;
  const expected = sha256(Buffer.concat([Buffer.from(last.hash, 'hex'), Buffer.from(text)]));
  if (hash !== expected) return 'the record was changed or moved';
  // whoever owns the database can chain other records just as well
  return kept?.number === number && kept.hash !== hash ? 'it is not the record whose head was kept' : undefined;
}

/** What a chain that ends with `last` lacks of what was there when a head was kept; undefined: nothing. */
export function cutOff(last: Link, kept?: Link): string | undefined {
  if (kept === undefined || kept.number <= last.number) return undefined;
  return `records ${last.number + 1n} to ${kept.number} are missing, which were there when their head was kept`;
}
