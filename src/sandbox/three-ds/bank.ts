// The simulated bank behind the challenge page. It reads the CReq, accepts codes, decides once, and reports the
// decision before the browser may go on. The meaning of codes: src/core/sandbox/challenge-codes.ts.
import { CHALLENGE_CODES } from '../../core/sandbox/challenge-codes.ts';
import { isRecord } from '../entry.ts';
import { PENDING_S } from '../faults/fault.ts';
import type { World } from '../world.ts';
import type { Authentication, Ending, Status } from './authentication.ts';
import { CREQ, findWrong } from './fields.ts';
import { eciOf, reasonOf } from './messages.ts';

export const MOST_TRIES = 3;
const MOST_RESENDS = 3;
/** A code is valid this long, on the sandbox clock. */
export const CODE_MS = 300_000;
/** The standard's limit for the data that the browser carries to the bank and back. */
const LONGEST_SESSION = 1024;

const CODES: Readonly<Record<string, Status>> = Object.fromEntries(
  CHALLENGE_CODES.map(({ code, status }) => [code, status]),
);

/** Opens the challenge of a CReq; undefined if it is not one of this bank, and then nothing happens. */
export function open(world: World, creq: string, session_data: string | null): Authentication | undefined {
  const said = readBase64Url(creq);
  if (said === undefined || findWrong(said, CREQ) !== undefined) return undefined;
  if (session_data !== null && session_data.length > LONGEST_SESSION) return undefined;
  const known = world.register.find(String(said['threeDSServerTransID']));
  // without a challenge there is no page to open
  if (known === undefined || !known.is_challenge) return undefined;
  if (known.acs_trans_id !== said['acsTransID'] || known.asked?.version !== said['messageVersion']) return undefined;
  const size = said['challengeWindowSize'];
  const window_size = typeof size === 'string' && /^0[1-4]$/.test(size) ? size : '05';
  const opened: Authentication = { ...known, session_data, window_size };
  if (opened.way === 'left' && opened.ended === null) return close(world, opened, { status: 'N', cancelled: true });
  world.register.record(opened);
  return opened;
}

/**
 * Applies the payer's action on the page; undefined if there is no such challenge. A decided challenge does not change.
 */
export function act(world: World, acs_trans_id: string, form: URLSearchParams): Authentication | undefined {
  const known = findChallenge(world, acs_trans_id);
  if (known === undefined || known.ended !== null || known.way === 'silent') return known;
  const changed = changedBy(world, known, { action: form.get('action'), code: (form.get('code') ?? '').trim() });
  if ('status' in changed)
    return close(world, { ...known, notice: null, tries: changed.tries ?? known.tries }, changed);
  const after: Authentication = { ...known, ...changed };
  // the journal has the change before the page shows it
  world.register.record(after);
  return after;
}

export function findChallenge(world: World, acs_trans_id: string): Authentication | undefined {
  const known = world.register.findByBankId(acs_trans_id);
  return known?.is_challenge ? known : undefined;
}

/** Resolves when our side has received the result, if it is due by now: only then may the browser go back. */
export async function told(world: World, authentication: Authentication): Promise<void> {
  const { ended, tells_at } = authentication;
  if (ended !== null && (tells_at ?? 0) <= world.now()) await world.teller.tell(authentication);
}

type Step = { readonly action: string | null; readonly code: string };
type Close = {
  readonly status: Status;
  readonly cancelled?: true;
  readonly reason?: string;
  readonly tries?: number;
};

function changedBy(world: World, known: Authentication, { action, code }: Step): Partial<Authentication> | Close {
  if (action === 'cancel') return { status: 'N', cancelled: true };
  if (action === 'resend') {
    if (known.resends >= MOST_RESENDS) return { notice: 'no_more_codes' };
    return { resends: known.resends + 1, code_sent_at: world.now(), notice: 'code_sent' };
  }
  if (action !== 'verify') return {};
  if (code === '') return { notice: 'code_missing' };
  if (world.now() - known.code_sent_at > CODE_MS) return { notice: 'code_old' };
  const status = CODES[code];
  if (status !== undefined) return { status };
  const tries = known.tries + 1;
  // reason 19: more tries than this bank allows
  return tries >= MOST_TRIES ? { status: 'N', reason: '19', tries } : { tries, notice: 'code_wrong' };
}

function close(world: World, authentication: Authentication, { status, cancelled, reason }: Close): Authentication {
  const { fault, seconds = PENDING_S } = authentication.twist;
  const tells_at = fault === 'pending' ? world.now() + seconds * 1000 : null;
  const plain = ending(world, authentication, status);
  const ended: Ending = { ...plain, cancelled: cancelled ?? false, reason: reason ?? plain.reason };
  const closed: Authentication = { ...authentication, ended, tells_at };
  world.register.record(closed);
  // the browser's way back waits for it
  void told(world, closed);
  return closed;
}

/** The ending with this status. The proof is random, and belongs to this authentication alone. */
export function ending(world: World, authentication: Authentication, status: Status): Ending {
  const { is_mastercard, way } = authentication;
  const eci = way === 'contradictory' ? null : eciOf(status, is_mastercard);
  const authentication_value = eci === null ? null : world.chance.bytes(20).toString('base64');
  return { status, reason: reasonOf(status), cancelled: false, eci, authentication_value };
}

/** Reads a JSON object in base64url, with or without padding; undefined if the text is none. */
export function readBase64Url(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!/^[A-Za-z0-9_-]{1,8192}={0,2}$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
