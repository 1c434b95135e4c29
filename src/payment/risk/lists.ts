// Block and allow lists of an account. A list entry holds at once, without a rule; a block wins over an allow of
// another value.
import { CARD_NUMBER_HELD, holdsCardNumber } from '../../core/card.ts';
import { isId } from '../../core/ids.ts';
import { type FieldProblem, refuseField, refuseProblems } from '../../core/refusals.ts';
import { LIST_KINDS, type ListKind } from '../../core/risk/rules.ts';
import { type InCommit, type TenantRunner, withTransaction } from '../../kit/database.ts';
import { open, seal } from '../../kit/crypto.ts';
import { cardDigest } from '../card-digest.ts';
import { entrySealing } from '../sealings.ts';
import type { Tools } from '../tools.ts';
import { networkOf } from './networks.ts';
import { present, putInForce } from './publish.ts';
import { type EntryRow, type SealedEntryRow, deleteEntry, findEntries, findKinds, putEntry } from './store.ts';
import { hasherOf, normalize } from './subjects.ts';

type ListTools = Pick<Tools, 'db' | 'chance' | 'secret_key'>;

export type NewEntry = {
  readonly verdict: 'block' | 'allow';
  readonly kind: ListKind;
  /** The value as a person typed it: an address, 203.0.113.0/24, a card_unique_id, key=value of merchant_data … */
  readonly value: string;
  readonly by: string;
  readonly note?: string | undefined;
  readonly until?: Date | undefined;
  /** Done in the commit of it. */
  readonly also?: (tx: TenantRunner, id: string) => Promise<void>;
};

/** Puts a value on a list, in place of what was said of it before; answers the entry's id. Throws a Refusal. */
export async function putListEntry(tools: ListTools, merchant_account_id: string, entry: NewEntry): Promise<string> {
  const { kind, verdict, value, by, note, until, also } = entry;
  const subject = listable(kind, value);
  const problems: FieldProblem[] = [];
  const wrong = (field: string, message: string) =>
    problems.push({ field, refusal: 'parameter_invalid', message }) && undefined;
  if (subject === undefined) wrong('value', FORMS[kind] ?? 'is no value of this kind');
  // of some kinds it is shown whole, or in part
  if (holdsCardNumber(value)) wrong('value', CARD_NUMBER_HELD);
  if (by.trim() === '' || by.length > 254) wrong('by', 'must be a name');
  const refusal = refuseProblems(problems);
  if (refusal || subject === undefined) throw refusal ?? new Error('the value was checked');
  const { secret_key, chance } = tools;
  const compared = kind === 'card' ? cardDigest(secret_key, merchant_account_id, subject) : subject;
  const hash = hasherOf(secret_key, merchant_account_id)(kind, compared);
  const id = chance.id();
  const shown_sealed =
    kind === 'card'
      ? seal(Buffer.from(subject), chance.bytes(12), entrySealing(secret_key, merchant_account_id))
      : null;
  await withTransaction(tools.db, merchant_account_id, async (tx) => {
    const risk = await present(tx);
    const shown = shownAs(kind, value.trim());
    await putEntry(tx, merchant_account_id, {
      id,
      kind,
      verdict,
      shown,
      shown_sealed,
      subject: hash,
      by_name: by,
      note: note ?? null,
      until: until ?? null,
    });
    if (!risk.lists.includes(kind)) await putInForce(tx, { ...risk, lists: [...risk.lists, kind].toSorted() });
    await also?.(tx, id);
  });
  return id;
}

/** Takes an entry off its list, and does `also` in the commit of it. False: there is no such entry. */
export async function removeListEntry(
  tools: Pick<Tools, 'db'>,
  merchant_account_id: string,
  { id, also }: { readonly id: string; readonly also?: InCommit },
): Promise<boolean> {
  if (!isId(id)) throw refuseField('id', 'parameter_invalid', 'must be the id of an entry');
  return withTransaction(tools.db, merchant_account_id, async (tx) => {
    const risk = await present(tx);
    const gone = await deleteEntry(tx, merchant_account_id, id);
    if (!gone) return false;
    await putInForce(tx, { ...risk, lists: await findKinds(tx, merchant_account_id) });
    await also?.(tx);
    return true;
  });
}

/** Entries, the newest first, older than the entry `before`; their values with the personal part hidden. */
export async function listEntries(
  { db, secret_key }: Pick<Tools, 'db' | 'secret_key'>,
  merchant_account_id: string,
  { before = null, room = 100 }: { readonly before?: string | null; readonly room?: number } = {},
): Promise<readonly EntryRow[]> {
  const rows = await findEntries(db.tenant(merchant_account_id), { before, room });
  const sealing = entrySealing(secret_key, merchant_account_id);
  return rows.map(({ shown_sealed, ...row }: SealedEntryRow) =>
    shown_sealed === null ? row : { ...row, shown: open(Buffer.from(shown_sealed, 'hex'), sealing).toString() },
  );
}

export function isListKind(text: string): text is ListKind {
  return LIST_KINDS.some((kind) => kind === text);
}

const FORMS: Partial<Record<ListKind, string>> = {
  card: 'must be a card_unique_id',
  bin: 'must be the first six digits of a card',
  ip: 'must be an address, or a network of /8 to /32 (IPv6: /16, /20 … /64)',
  custom: 'must be key=value of a merchant_data item',
};

function listable(kind: ListKind, value: string): string | undefined {
  if (kind === 'ip') return networkOf(value);
  if (kind === 'custom') return /^[^=]+=./.test(value.trim()) ? value.trim() : undefined;
  return normalize(kind, value);
}

/** Enough to recognize it, too little to reach the person; the note says the rest. */
function shownAs(kind: ListKind, value: string): string {
  // it stands there sealed
  if (kind === 'card') return '';
  if (kind === 'bin' || kind === 'email_domain' || (kind === 'ip' && value.includes('/'))) return value;
  if (kind === 'email') return `${value.slice(0, 1)}…${value.slice(value.lastIndexOf('@'))}`;
  if (kind === 'custom') return `${value.slice(0, value.indexOf('='))}=…`;
  return `${value.slice(0, 2)}…`;
}
