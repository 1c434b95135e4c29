// The columns of an operation, once: the type of what is read, the SQL that reads it, and what a new one begins with
// come from here. A new column is a migration, a line here, the statement that writes it and the view that shows it.
import type { OperationState } from '../../../core/states.ts';
import type { Kept } from '../../../provider/contract.ts';
import type { StandingOperation } from '../../order-rules/standing.ts';

/** `read` takes `alias.name`; `begins` is what a new operation has of it unless it is given. */
type Column<T> = { readonly read: (name: string) => string; readonly begins: T };

const column = <T>(begins: T, read = (name: string) => name): Column<T> => ({ read, begins });
const nullable = <T = string>(read?: (name: string) => string): Column<T | null> => column<T | null>(null, read);

const hex = (name: string) => `encode(${name}, 'hex')`;

const OPERATION_COLUMNS = {
  id: column('', hex),
  transaction_id: column('', hex),
  target_id: nullable(hex),
  kind: column<StandingOperation['kind']>('authorize'),
  origin: column<StandingOperation['origin']>('merchant'),
  state: column<OperationState>('requested'),
  waits_for: column('call'),
  amount_minor: column(0n),
  with_capture: column(false),
  /** capture only: what is left after it is released. */
  final: column(false, (name) => `${name} IS TRUE`),
  operation_merchant_id: nullable(),
  request_id: nullable(hex),
  created_at: column(''),
  /** When it was sent again last; null while the first call is the only one. */
  sent_at: nullable(),
  settled_at: nullable(),
  refund_reason: nullable(),
  provider_ref: nullable(),
  code: nullable(),
  authorization_code: nullable(),
  provider_code: nullable(),
  provider_text: nullable(),
  /** The step that was sent last, or is to be sent; null while it is the provider's first. */
  step: nullable(),
  /** What its steps left for those that follow. */
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

/** As it comes out of the database: amounts in JSON are numbers, and times are in microseconds of the server's zone. */
export type OperationRow = Omit<OperationFacts, 'amount_minor'> & { readonly amount_minor: number };

export function operationOf(row: OperationRow): OperationFacts {
  const { created_at, sent_at, settled_at } = row;
  return {
    ...row,
    amount_minor: BigInt(row.amount_minor),
    created_at: isoTime(created_at),
    sent_at: sent_at && isoTime(sent_at),
    settled_at: settled_at && isoTime(settled_at),
  };
}

/**
 * A time that PostgreSQL wrote into JSON, as JavaScript writes it: UTC, with milliseconds. What is below them is cut
 * off.
 */
export const isoTime = (text: string): string => new Date(text).toISOString();

/** `json_build_object` of an operation, of the table as `alias`. */
export function operationJson(alias: string): string {
  const pairs = Object.entries(OPERATION_COLUMNS).map(([name, { read }]) => `'${name}', ${read(`${alias}.${name}`)}`);
  return `json_build_object(${pairs.join(', ')})`;
}

/** What a read finds right after the commit that inserted it: what the statement was given, and how the rest begins. */
export function newOperation(
  given: Pick<OperationFacts, 'id' | 'transaction_id' | 'kind' | 'amount_minor' | 'created_at'> &
    Partial<OperationFacts>,
): OperationFacts {
  return { ...FRESH, ...given };
}

const FRESH = Object.fromEntries(
  Object.entries(OPERATION_COLUMNS).map(([name, { begins }]) => [name, begins]),
) as OperationFacts;
