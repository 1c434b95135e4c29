// One authentication in the simulated 3-D Secure world, and how the journal restores it.
import { isRecord } from '../entry.ts';
import type { Twist } from '../faults/fault.ts';
import type { Version } from './versions.ts';
import { WAYS, type Way } from './ways.ts';

/** Y authenticated, A attempted, N not authenticated, R rejected, U could not be done. */
export type Status = 'Y' | 'A' | 'N' | 'R' | 'U';

export const NOTICES = ['code_wrong', 'code_old', 'code_missing', 'code_sent', 'no_more_codes'] as const;
export type Notice = (typeof NOTICES)[number];

/** The data of the AReq that the bank needs. */
export type AskedFor = {
  readonly version: Version;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly merchant_name: string;
  readonly notification_url: string;
};

export type Ending = {
  readonly status: Status;
  /** transStatusReason for N, R and U. */
  readonly reason: string | null;
  /** True if the payer left. */
  readonly cancelled: boolean;
  /** For Y and A only. */
  readonly eci: string | null;
  readonly authentication_value: string | null;
};

/** An authentication is never changed, only replaced. */
export type Authentication = {
  /** The threeDSServerTransID. */
  readonly id: string;
  readonly acs_trans_id: string;
  readonly ds_trans_id: string;
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly operation_id: string;
  readonly card_mark: string;
  readonly card_4_digits: string;
  /** Mastercard and Maestro use their own ECI values. */
  readonly is_mastercard: boolean;
  readonly way: Way;
  readonly twist: Twist;
  readonly created_at: number;
  /** Null until the AReq came. */
  readonly asked: AskedFor | null;
  /** True if the ARes asked for a challenge (C). */
  readonly is_challenge: boolean;
  /** The outside server said only that it was declined. */
  readonly declined: boolean;
  /** The last threeDSSessionData that the browser brought; the browser takes it back. */
  readonly session_data: string | null;
  /** The window of the challenge: 01 to 05 (250x400, 390x400, 500x600, 600x400, all). */
  readonly window_size: string;
  /** The page's message about the payer's last step. */
  readonly notice: Notice | null;
  /** The number of wrong codes, and the number of new codes. */
  readonly tries: number;
  readonly resends: number;
  /** When the valid code was sent, in milliseconds on the sandbox clock. */
  readonly code_sent_at: number;
  /** Null until it is decided. */
  readonly ended: Ending | null;
  /** The bank reports its decision only at this time; null: at once. */
  readonly tells_at: number | null;
};

const TEXTS = [
  'id',
  'acs_trans_id',
  'ds_trans_id',
  'merchant_account_id',
  'order_id',
  'operation_id',
  'card_mark',
  'card_4_digits',
  'window_size',
] as const;
const COUNTS = ['created_at', 'tries', 'resends', 'code_sent_at'] as const;

const textOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const recordOrNull = (value: unknown): boolean => value === null || isRecord(value);

/** True if the value from the journal is an authentication. */
export function isAuthentication(value: unknown): value is Authentication {
  if (!isRecord(value)) return false;
  return (
    TEXTS.every((name) => typeof value[name] === 'string') &&
    COUNTS.every((name) => Number.isSafeInteger(value[name])) &&
    typeof value['is_mastercard'] === 'boolean' &&
    typeof value['is_challenge'] === 'boolean' &&
    typeof value['declined'] === 'boolean' &&
    WAYS.some((way) => way === value['way']) &&
    isRecord(value['twist']) &&
    textOrNull(value['session_data']) &&
    (value['notice'] === null || NOTICES.some((notice) => notice === value['notice'])) &&
    recordOrNull(value['asked']) &&
    recordOrNull(value['ended']) &&
    (value['tells_at'] === null || Number.isSafeInteger(value['tells_at']))
  );
}
