// Lines about our reversals: under the reference of what it reverses, or under its own where it is listed as a refund.
import type { BookLine } from './line.ts';
import type { OwnOperation, OwnOrder } from './store.ts';

const isOfReversal = ({ kind, reference }: BookLine, operation: OwnOperation): boolean =>
  operation.kind === 'reversal' &&
  (kind === 'reversal' ? operation.target_id === reference : kind === 'refund' && operation.id === reference);

/** A refund may be a reversal, too: what was captured is undone by giving it back. */
export function isReversal(line: BookLine, order: OwnOrder | undefined): boolean {
  return line.kind === 'reversal' || (order?.operations.some((o) => isOfReversal(line, o)) ?? false);
}

/**
 * Our reversal that is done, and of which the line says that the money came back. Behind one that came back another one
 * may have followed, as an operation of its own, or one that the provider names otherwise.
 */
export function cameBack(line: BookLine, { operations }: OwnOrder): OwnOperation | undefined {
  const own = operations.filter((o) => o.kind === 'reversal' && o.provider === line.provider);
  const target_id = own.find((o) => isOfReversal(line, o))?.target_id;
  const last = own.findLast((o) => o.state === 'successful' && o.target_id === target_id);
  if (line.state !== 'undone' || target_id === undefined || !last) return undefined;
  const [ours, theirs] = [last.provider_ref, line.provider_ref];
  return ours === null || theirs === null || ours === theirs ? last : undefined;
}
