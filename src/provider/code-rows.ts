// Rows of the tables that give a provider's codes our results; and the plain decline, for a code that has no row.
import type { ResultName } from '../core/results.ts';
import type { OperationKind, Retry } from './contract.ts';

export type CodeRow = { readonly result: ResultName; readonly retry?: Retry };

export const row = (result: ResultName, retry?: Retry): CodeRow =>
  retry === undefined ? { result } : { result, retry };

export const rowAt = <R>(rows: Readonly<Record<string, R>>, code: string): R | undefined =>
  Object.hasOwn(rows, code) ? rows[code] : undefined;

export type Refusable = Exclude<OperationKind, 'inquiry'>;

export const PLAIN_DECLINES = {
  authorize: 'authorization_declined',
  capture: 'capture_declined',
  refund: 'refund_declined',
  cancel: 'cancel_declined',
  reversal: 'cancel_declined',
} as const satisfies Readonly<Record<Refusable, ResultName>>;
