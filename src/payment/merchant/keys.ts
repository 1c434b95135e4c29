// API keys (contract 2.6): made, imported, revoked. A key's text is seen once, when it is made; kept is its SHA-256.
import { isDeepStrictEqual } from 'node:util';
import { Refusal, refuseField } from '../../core/refusals.ts';
import type { Scope } from '../../core/keys/scopes.ts';
import { KEY_TEXT } from '../../core/keys/limits.ts';
import type { Chance } from '../../kit/clock.ts';
import { sha256 } from '../../kit/crypto.ts';
import { type InCommit, type TenantRunner, afterCommit, withTransaction } from '../../kit/database.ts';
import type { Tools } from '../tools.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { endKeyLater, findEndedKeys, findKeyOwner, insertKey, listKeys, lockAccount, revokeKeyRow } from './store.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export type KeyKind = 'private' | 'public';

/** A new key text: prefix, environment letter, 43 random base-62 characters (256 bits), 6 checksum characters. */
export function makeKeyText(
  chance: Pick<Chance, 'bytes'>,
  key: { letters: string; kind: KeyKind; environment: string },
): string {
  const start = `${key.letters}_${key.kind === 'public' ? 'PUB' : 'PR'}_${key.environment.slice(0, 1)}`;
  const text = start + base62(chance.bytes(32), 43);
  return text + keyChecksum(text);
}

/** Six characters over the rest of a key: lets a scanner or a person see a mistyped key without asking us. */
export function keyChecksum(text: string): string {
  return base62(Buffer.from(sha256(text).slice(0, 16), 'hex'), 6);
}

/** Two active keys of each kind allow rotation; a third is refused. */
const MAX_ACTIVE_KEYS = 2;

export type NewKey = {
  readonly text: string;
  readonly kind: KeyKind;
  readonly label: string;
  /** The scopes of a private key; absent: all. */
  readonly scopes?: readonly Scope[] | null;
  /** The key that is revoked as soon as this one is there. */
  readonly replaces?: string;
  /** Done in the commit that stores it. */
  readonly also?: (tx: TenantRunner, id: string) => Promise<void>;
};

/**
 * Makes a text an API key of the account, on both hosts. Answers its id. A Refusal: there are two of its kind, or it is
 * taken.
 */
export async function addKey(tools: Tools, merchant_account_id: string, key: NewKey): Promise<string> {
  const { text, kind, label, scopes = null, replaces, also } = key;
  if (!KEY_TEXT.form.test(text)) throw new Error(`a key is ${KEY_TEXT.says}`);
  const digest = sha256(text);
  const id = tools.chance.id();
  await withTransaction(tools.db, merchant_account_id, async (tx) => {
    await lockAccount(tx);
    const others = (await listKeys(tx)).filter((row) => row.revoked_at === null && row.id !== replaces);
    if (others.filter((row) => row.kind === kind).length >= MAX_ACTIVE_KEYS)
      throw new Refusal('change_conflict', {
        detail: `the account has ${MAX_ACTIVE_KEYS} active ${kind} keys: revoke one first`,
      });
    if (!(await insertKey(tx, { id, digest, kind, label, scopes, environment: tools.environment })))
      throw refuseField(
        'text',
        'parameter_invalid',
        'is a key already, or was one: take another. The operator can free one that the wrong account has',
      );
    await also?.(tx, id);
  });
  await pushKey(tools, digest, id);
  return id;
}

/** Stores a key that may exist already; then only the vault gets it again. */
export async function keepKey(tools: Tools, merchant_account_id: string, key: NewKey): Promise<void> {
  const digest = sha256(key.text);
  const active = (await listKeys(tools.db.tenant(merchant_account_id))).filter((row) => row.revoked_at === null);
  const same = active.find((row) => row.digest === digest && row.kind === key.kind);
  if (same) await pushKey(tools, digest, same.id);
  else await addKey(tools, merchant_account_id, key);
}

/**
 * Tells the vault of a key, with the settings of its account that hold there. What was revoked or set meanwhile may
 * have been told first: it is told once more, until what was told last still holds.
 */
export async function pushKey(tools: Pick<Tools, 'db' | 'vault'>, digest: string, id: string): Promise<void> {
  for (let told = await standingOf(tools, digest, id); ;) {
    await (told ? tools.vault.putApiKey(told) : tools.vault.removeApiKey({ id }));
    const now = await standingOf(tools, digest, id);
    if (isDeepStrictEqual(now, told)) return;
    told = now;
  }
}

/** What the vault is to know of a key; undefined: the key has ended, or is revoked. */
async function standingOf({ db }: Pick<Tools, 'db'>, digest: string, id: string) {
  const owner = await findKeyOwner(db, digest);
  if (owner?.key_id !== id) return undefined;
  const { merchant_account_id, kind, environment, scopes } = owner;
  const row = (await listKeys(db.tenant(merchant_account_id))).find((key) => key.id === id);
  if (row?.ended !== false) return undefined;
  const { page_inputs, registered_origins } = { ...DEFAULT_SETTINGS, ...owner.settings };
  return { id, digest, kind, environment, scopes, merchant_account_id, page_inputs, registered_origins };
}

/**
 * Revokes a key on both hosts; every process refuses it within a second. False: there was no such active key. It ends
 * in one commit, and is revoked in another once the vault has let go of it: if the vault is away between the two, the
 * job of ended keys goes on.
 */
export async function revokeKey(
  tools: Pick<Tools, 'db' | 'vault'>,
  merchant_account_id: string,
  { id, also }: { readonly id: string; readonly also?: InCommit },
): Promise<boolean> {
  const db = tools.db.tenant(merchant_account_id);
  if (!(await listKeys(db)).some((key) => key.id === id && key.revoked_at === null)) return false;
  await tools.vault.removeApiKey({ id });
  // the vault refuses it already
  return afterCommit(async () => {
    const ended = await withTransaction(tools.db, merchant_account_id, async (tx) => {
      const done = await endKeyLater(tx, id, 0);
      if (done) await also?.(tx);
      return done;
    });
    // somebody who changes settings may have told the vault of it again before it had ended here
    await tools.vault.removeApiKey({ id });
    // the job of ended keys may have been quicker
    return (await revokeKeyRow(db, id)) || ended;
  });
}

/** A new key in the place of another, which goes on for so many hours. Answers the new one's id. */
export async function rollKey(
  tools: Tools,
  merchant_account_id: string,
  { id, overlap_hours, ...key }: NewKey & { readonly id: string; readonly overlap_hours: number },
): Promise<string> {
  const also = async (tx: TenantRunner, added: string) => {
    await endKeyLater(tx, id, overlap_hours);
    await key.also?.(tx, added);
  };
  const replaces = overlap_hours === 0 ? { replaces: id } : {};
  const added = await addKey(tools, merchant_account_id, { ...key, ...replaces, also });
  if (overlap_hours === 0) await revokeKey(tools, merchant_account_id, { id });
  return added;
}

/** Revokes rolled keys whose time is over; answers how many there were. */
export async function endKeys(tools: Tools, room: number): Promise<number> {
  const ended = await findEndedKeys(tools.db.looks, room);
  // one that cannot be revoked now holds up no other
  const done = await Promise.allSettled(ended.map(({ id, ...of }) => revokeKey(tools, of.merchant_account_id, { id })));
  const failed = done.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return ended.length;
}

function base62(bytes: Uint8Array, length: number): string {
  let number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let text = '';
  while (text.length < length) {
    text = (BASE62[Number(number % 62n)] ?? '') + text;
    number /= 62n;
  }
  return text;
}
