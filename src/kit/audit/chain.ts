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

/** What is wrong with a record behind `last`; undefined: nothing. */
export function breachOf({ number, hash, text }: Chained, last: Link): string | undefined {
  if (number !== last.number + 1n) return `records ${last.number + 1n} to ${number - 1n} are missing`;
  const expected = sha256(Buffer.concat([Buffer.from(last.hash, 'hex'), Buffer.from(text)]));
  return hash === expected ? undefined : 'the record was changed or moved';
}
