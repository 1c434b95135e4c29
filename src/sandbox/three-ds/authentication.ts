// One authentication as the simulated 3-D Secure world keeps it, and how the journal gives it back.
import { isRecord } from '../entry.ts';
import type { Twist } from '../faults/fault.ts';
import type { Version } from './versions.ts';
import { WAYS, type Way } from './ways.ts';

/** Y authenticated, A attempted, N not authenticated, R rejected, U could not be done. */
export type Status = 'Y' | 'A' | 'N' | 'R' | 'U';

export const NOTICES = ['code_wrong', 'code_old', 'code_missing', 'code_sent', 'no_more_codes'] as const;
export type Notice = (typeof NOTICES)[number];

/** What the AReq said, as far as the bank needs it. */
export type AskedFor = {
  readonly version: Version;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly merchant_name: string;
  readonly notification_url: string;
};

export type Ending = {
  readonly status: Status;
  /** transStatusReason of N, R and U. */
  readonly reason: string | null;
  /** The payer left. */
  readonly cancelled: boolean;
  /** Of Y and A. */
  readonly eci: string | null;
  readonly authentication_value: string | null;
};

/** Never changed, only replaced. */
export type Authentication = {
  /** threeDSServerTransID. */
  readonly id: string;
  readonly acs_trans_id: string;
  readonly ds_trans_id: string;
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly operation_id: string;
  readonly card_mark: string;
  readonly card_4_digits: string;
  /** Mastercard and Maestro number their outcomes in their own way. */
  readonly is_mastercard: boolean;
  readonly way: Way;
  readonly twist: Twist;
  readonly created_at: number;
  /** Null: not asked yet. */
  readonly asked: AskedFor | null;
  /** The ARes said C. */
  readonly is_challenge: boolean;
  /** The outside server said only that it is declined. */
  readonly declined: boolean;
  /** threeDSSessionData as the browser brought it last; it takes them back. */
  readonly session_data: string | null;
  /** Of the challenge: 01 to 05 (250x400, 390x400, 500x600, 600x400, all). */
  readonly window_size: string;
  /** What the page has to say about the payer's last step. */
  readonly notice: Notice | null;
  /** Wrong codes so far, and new codes sent. */
  readonly tries: number;
  readonly resends: number;
  /** When the code that holds was sent, milliseconds on the sandbox clock. */
  readonly code_sent_at: number;
  /** Null: not decided. */
  readonly ended: Ending | null;
  /** The bank reports its decision only then; null: at once. */
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

/** Is a value of the journal one of these? */
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
