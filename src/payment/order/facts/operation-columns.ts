// The columns of an operation, once: the type of what is read, the SQL that reads it, and what a new one begins with
// come from here. A new column is a migration, a line here, the statement that writes it and the view that shows it.
import type { OperationState } from '../../../core/states.ts';
import type { Kept } from '../../../provider/contract.ts';
import type { StandingOperation } from '../../order-rules/standing.ts';
import { type ColumnRead, type Part, hex, minor, partOf, time } from './part.ts';

/** `read` takes `alias.name`; `begins` is what a new operation has of it unless it is given. */
type Column<T> = { readonly read: (name: string) => ColumnRead; readonly begins: T };

const column = <T>(begins: T, read: Column<T>['read'] = (name) => name): Column<T> => ({ read, begins });
const nullable = <T = string>(read?: Column<T>['read']): Column<T | null> => column<T | null>(null, read);

const OPERATION_COLUMNS = {
  id: column('', hex),
  transaction_id: column('', hex),
  target_id: nullable(hex),
  kind: column<StandingOperation['kind']>('authorize'),
  origin: column<StandingOperation['origin']>('merchant'),
  state: column<OperationState>('requested'),
  waits_for: column('call'),
  amount_minor: column(0n, minor),
  with_capture: column(false),
  /** capture only: what is left after it is released. */
  final: column(false, (name) => `${name} IS TRUE`),
  operation_merchant_id: nullable(),
  request_id: nullable(hex),
  created_at: column('', time),
  /** When it was sent again last; null while the first call is the only one. */
  sent_at: nullable(time),
  settled_at: nullable(time),
  refund_reason: nullable(),
  provider_ref: nullable(),
  code: nullable(),
  authorization_code: nullable(),
  provider_code: nullable(),
  provider_text: nullable(),
  /** The step that was sent last, or is to be sent; null while it is the provider's first. */
  step: nullable(),
  /** What the steps of the operation left for the next ones. */
  kept: column<Kept>({}),
  /** A step after the first that may move money was sent. */
  money_sent: column(false),
  /** How often what is asked for was found not to be there: each is asked for under another key. */
  key_round: column(0),
  /** How often it was taken up; who sends a further step must still be the last one who did. */
  tries: column(1),
} as const;

type Columns = typeof OPERATION_COLUMNS;

export type OperationFacts = { readonly [K in keyof Columns]: Columns[K]['begins'] };

/** Operations of the table as `alias`. */
export const operationPart = (alias: string): Part<OperationFacts> =>
  partOf<OperationFacts>(
    Object.fromEntries(
      Object.entries(OPERATION_COLUMNS).map(([name, { read }]) => [name, read(`${alias}.${name}`)]),
    ) as Readonly<Record<keyof OperationFacts, ColumnRead>>,
  );

/**
 * The facts that a read finds right after the insert: the values of the statement, and the defaults of the other
 * columns.
 */
export function newOperation(
  given: Pick<OperationFacts, 'id' | 'transaction_id' | 'kind' | 'amount_minor' | 'created_at'> &
    Partial<OperationFacts>,
): OperationFacts {
  return { ...FRESH, ...given };
}

const FRESH = Object.fromEntries(
  Object.entries(OPERATION_COLUMNS).map(([name, { begins }]) => [name, begins]),
) as OperationFacts;
