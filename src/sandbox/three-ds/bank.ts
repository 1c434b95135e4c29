// The simulated bank behind the challenge page: reads the CReq, takes codes, decides once, and tells of it before the browser
// may go on. Contract 15.1: 1234 authenticated, 7777 attempted, 1111 not authenticated, 2222 rejected, 3333 could not be done.
import { isRecord } from '../entry.ts';
import { PENDING_S } from '../faults/fault.ts';
import type { World } from '../world.ts';
import type { Authentication, Ending, Status } from './authentication.ts';
import { CREQ, findWrong } from './fields.ts';
import { eciOf, reasonOf } from './messages.ts';

export const MOST_TRIES = 3;
export const MOST_RESENDS = 3;
/** A code holds so long, on the sandbox clock. */
export const CODE_MS = 300_000;
/** The standard's limit for what the browser carries to the bank and back. */
const LONGEST_SESSION = 1024;

const CODES: Readonly<Record<string, Status>> = { '1234': 'Y', '7777': 'A', '1111': 'N', '2222': 'R', '3333': 'U' };

/** What came with a form of the challenge page; all texts as they were sent. */
export type Posted = {
  readonly creq: string;
  readonly session_data: string | null;
  readonly action: string | null;
  readonly code: string;
};

/** What the page has to say, beside what the authentication says. */
export type Notice = 'code_wrong' | 'code_old' | 'code_missing' | 'code_sent' | 'no_more_codes' | null;

export type Seen = {
  readonly authentication: Authentication;
  /** 01 to 05 (250x400, 390x400, 500x600, 600x400, all); what is not one of them is all. */
  readonly window_size: string;
  readonly notice: Notice;
};

/** Undefined: not a challenge of ours, and nothing happened. */
export async function meet(world: World, posted: Posted): Promise<Seen | undefined> {
  const { creq, session_data } = posted;
  const said = readBase64Url(creq);
  if (said === undefined || findWrong(said, CREQ) !== undefined) return undefined;
  if (session_data !== null && session_data.length > LONGEST_SESSION) return undefined;
  const known = world.register.find(String(said['threeDSServerTransID']));
  if (known?.acs_trans_id !== said['acsTransID'] || known?.asked?.version !== said['messageVersion']) return undefined;
  // without a challenge there is no page to open
  if (known === undefined || !known.is_challenge) return undefined;
  const { authentication, notice } = act(world, known, posted);
  if (authentication.ended !== null && (authentication.tells_at ?? 0) <= world.now())
    await world.teller.tell(authentication);
  const size = said['challengeWindowSize'];
  const window_size = typeof size === 'string' && /^0[1-4]$/.test(size) ? size : '05';
  return { authentication, window_size, notice };
}

type Acted = { readonly authentication: Authentication; readonly notice: Notice };

/** Each change is one line of the journal before anything is shown or told. */
function act(world: World, authentication: Authentication, { action, code }: Posted): Acted {
  const { way, ended } = authentication;
  if (ended !== null || way === 'silent') return { authentication, notice: null };
  if (way === 'left' || action === 'cancel') return close(world, authentication, { status: 'N', cancelled: true });
  if (action === 'resend') return resend(world, authentication);
  if (action !== 'verify') return { authentication, notice: null };
  if (code.trim() === '') return { authentication, notice: 'code_missing' };
  if (world.now() - authentication.code_sent_at > CODE_MS) return { authentication, notice: 'code_old' };
  const status = CODES[code.trim()];
  if (status !== undefined) return close(world, authentication, { status });
  const tried = { ...authentication, tries: authentication.tries + 1 };
  // 19: more tries than this bank allows
  if (tried.tries >= MOST_TRIES) return close(world, tried, { status: 'N', reason: '19' });
  world.register.record(tried);
  return { authentication: tried, notice: 'code_wrong' };
}

function resend(world: World, authentication: Authentication): Acted {
  if (authentication.resends >= MOST_RESENDS) return { authentication, notice: 'no_more_codes' };
  const sent = { ...authentication, resends: authentication.resends + 1, code_sent_at: world.now() };
  world.register.record(sent);
  return { authentication: sent, notice: 'code_sent' };
}

type Close = { readonly status: Status; readonly cancelled?: true; readonly reason?: string };

function close(world: World, authentication: Authentication, { status, ...rest }: Close): Acted {
  const { fault, seconds = PENDING_S } = authentication.twist;
  const tells_at = fault === 'pending' ? world.now() + seconds * 1000 : null;
  const ended: Ending = { ...ending(world, authentication, status), ...rest };
  const closed: Authentication = { ...authentication, ended, tells_at };
  world.register.record(closed);
  return { authentication: closed, notice: null };
}

/** How it ends with this status: the proof is drawn here, and belongs to this authentication alone. */
export function ending(world: World, authentication: Authentication, status: Status): Ending {
  const { asked, is_mastercard, way } = authentication;
  const eci = way === 'contradictory' ? null : eciOf(status, is_mastercard);
  const authentication_value = eci === null ? null : world.chance.bytes(20).toString('base64');
  return { status, reason: reasonOf(status, asked?.version ?? '2.2.0'), cancelled: false, eci, authentication_value };
}

/** A JSON object in base64url, with or without padding; undefined: it is none. */
export function readBase64Url(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!/^[A-Za-z0-9_-]{1,8192}={0,2}$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
