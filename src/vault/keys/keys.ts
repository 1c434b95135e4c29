// The data keys of the card zone: per merchant for cards, one root for fingerprints, wrapped in the database by
// the key-encryption key. They change while the service runs: once a second at most a process asks whether they did.
import { deriveKey, secretKey } from '../../kit/crypto.ts';
import { type KeyTools, type WrapPlace, openKeys, wrapAad, wrappingKek } from './opening.ts';
import { type DataKey, RecordUnreadable } from './record.ts';
import {
  type DataKeyRow,
  type KeyEpoch,
  type Purpose,
  findDataKeyById,
  findDataKeys,
  findDestroyed,
  getKeyEpoch,
  insertDataKey,
} from './store.ts';

/** A merchant's fingerprint keys: what is written, and while the key rotates the one that is also looked up. */
export type Fingerprints = { readonly active: DataKey; readonly other: DataKey | undefined };

const FRESH_MS = 1000;
const TRIES = 5;

type Entry = { readonly epoch: bigint; readonly rows: Promise<readonly DataKeyRow[]> };

export class DataKeys {
  private readonly tools: KeyTools;
  private epoch: KeyEpoch | undefined;
  private checked_at = 0;
  private checking: Promise<KeyEpoch> | undefined;
  private opening: Promise<void> | undefined;
  private opened = false;
  private readonly found = new Map<string, Entry>();
  private readonly unwrapped = new Map<bigint, Promise<DataKey>>();
  private readonly derived = new Map<string, DataKey>();

  constructor(tools: KeyTools) {
    this.tools = tools;
  }

  /**
   * Tests itself and the keys before the first card. StartError names what failed. Keys that are out of reach now are
   * no failure: the process runs sealed, and tries again when it is asked.
   */
  async open(): Promise<void> {
    this.opening ??= this.openOnce().finally(() => (this.opening = undefined));
    return this.opening;
  }

  /** Says whether cards can be sealed and opened now; tries to open when they cannot. */
  async status(): Promise<'ok' | 'sealed'> {
    if (!this.opened)
      await this.open().catch((error: unknown) =>
        this.tools.log.error({ error: String(error) }, 'the vault is sealed'),
      );
    return this.opened ? 'ok' : 'sealed';
  }

  /** The key a merchant's cards are sealed with now. */
  async card(merchant_account_id: string): Promise<DataKey> {
    const rows = await this.rows('card', merchant_account_id);
    return this.unwrap(activeOf(rows));
  }

  /** The key a record was sealed with. It must be the merchant's: another one's is not opened. */
  async cardById(id: bigint, merchant_account_id: string): Promise<DataKey> {
    await this.current();
    const known = this.unwrapped.get(id);
    const row = (await this.rows('card', merchant_account_id)).find((one) => one.id === id);
    if (known && row) return known;
    const found = row ?? (await findDataKeyById(this.tools.db, id));
    if (!found || found.purpose !== 'card' || found.merchant_account_id !== merchant_account_id)
      throw new RecordUnreadable('the data key is not one of this merchant account');
    return this.unwrap(found);
  }

  /** The key a merchant's card numbers are fingerprinted with; its id is that of the root it is derived from. */
  async fingerprint(merchant_account_id: string): Promise<DataKey> {
    return (await this.fingerprints(merchant_account_id)).active;
  }

  async fingerprints(merchant_account_id: string): Promise<Fingerprints> {
    const rows = await this.rows('fingerprint', null);
    const active = activeOf(rows);
    const other = rows.find((row) => row !== active);
    return {
      active: await this.derive(active, merchant_account_id),
      other: other && (await this.derive(other, merchant_account_id)),
    };
  }

  /** Forgets what it took for active: the next question goes to the database. */
  refresh(): void {
    this.checked_at = 0;
    this.found.clear();
  }

  /** Lets go of every key: what OpenSSL holds of one is overwritten when it is collected. */
  close(): void {
    this.unwrapped.clear();
    this.derived.clear();
    this.tools.provider.close();
    this.opened = false;
  }

  private async openOnce(): Promise<void> {
    if (!this.opened) this.opened = await openKeys(this.tools, (root) => this.unwrap(root));
  }

  private async rows(purpose: Purpose, merchant_account_id: string | null): Promise<readonly DataKeyRow[]> {
    const { epoch } = await this.current();
    const name = `${purpose} ${merchant_account_id ?? ''}`;
    const known = this.found.get(name);
    if (known?.epoch === epoch) return known.rows;
    const rows = this.load(purpose, merchant_account_id);
    this.found.set(name, { epoch, rows });
    rows.catch(() => this.found.delete(name));
    return rows;
  }

  private async load(purpose: Purpose, merchant_account_id: string | null): Promise<readonly DataKeyRow[]> {
    const { db, provider, chance, audit } = this.tools;
    for (let tries = 0; tries < TRIES; tries++) {
      const rows = await findDataKeys(db, purpose, merchant_account_id);
      if (rows.some((row) => row.state === 'active')) return rows;
      const kek_ref = await wrappingKek(this.tools);
      const plain = chance.bytes(32);
      const place = { purpose, merchant_account_id, version: 1 };
      const wrapped = await provider.wrap(plain, this.aad(place), kek_ref);
      plain.fill(0);
      // false: another process was quicker, or the key-encryption key was changed just now
      const made = await insertDataKey(db, { ...place, state: 'active', kek_ref, wrapped });
      if (made)
        await audit.note(db, {
          action: 'key created',
          object: `${purpose} ${merchant_account_id ?? 'root'}`,
          detail: { version: 1 },
        });
    }
    throw new Error(`no active ${purpose} key could be made`);
  }

  /** Whether keys were changed, asked at most once a second. */
  private async current(): Promise<KeyEpoch> {
    if (this.epoch && this.tools.clock.ticks() - this.checked_at < FRESH_MS) return this.epoch;
    this.checking ??= this.check().finally(() => (this.checking = undefined));
    return this.checking;
  }

  private async check(): Promise<KeyEpoch> {
    const asked_at = this.tools.clock.ticks();
    const epoch = await getKeyEpoch(this.tools.db);
    if (epoch.epoch !== this.epoch?.epoch) await this.notice(epoch);
    this.epoch = epoch;
    this.checked_at = asked_at;
    return epoch;
  }

  /** A key-encryption key that came or went, and data keys that were destroyed. */
  private async notice({ kek_ref }: KeyEpoch): Promise<void> {
    if (kek_ref !== null) await this.lookFor(kek_ref);
    const ids = [...this.unwrapped.keys()];
    for (const id of ids.length > 0 ? await findDestroyed(this.tools.db, ids) : []) {
      // a request that began before may still hold it
      this.unwrapped.delete(id);
      for (const name of this.derived.keys()) if (name.startsWith(`${id} `)) this.derived.delete(name);
    }
  }

  /** What was opened stays open without it, so no request would tell until a new key is needed, or the next start. */
  private async lookFor(kek_ref: string): Promise<void> {
    const { provider, log } = this.tools;
    try {
      if (!(await provider.knows(kek_ref)))
        log.error(
          { kek_ref },
          'the key that the vault is sealed with now is not here, and without it nothing new is sealed or opened: where it is in files, copy both of its parts to this vault',
        );
    } catch (error) {
      log.warn({ error: String(error) }, 'the key provider was not reached');
    }
  }

  private unwrap(row: DataKeyRow): Promise<DataKey> {
    const known = this.unwrapped.get(row.id);
    if (known) return known;
    const key = this.unwrapRow(row);
    this.unwrapped.set(row.id, key);
    key.catch(() => this.unwrapped.delete(row.id));
    return key;
  }

  private async unwrapRow(row: DataKeyRow): Promise<DataKey> {
    if (row.wrapped === null) throw new RecordUnreadable(`data key ${row.id} was destroyed`);
    const unwrap = (one: DataKeyRow) =>
      this.tools.provider.unwrap(Buffer.from(one.wrapped ?? '', 'hex'), this.aad(row), one.kek_ref);
    const key = await unwrap(row).catch(async (error: unknown) => {
      // it may have been wrapped again since it was read, and the key that had wrapped it be gone
      const again = await findDataKeyById(this.tools.db, row.id);
      if (!again || again.kek_ref === row.kek_ref || again.wrapped === null) throw error;
      return unwrap(again);
    });
    return { id: row.id, key: secretKey(key) };
  }

  private async derive(row: DataKeyRow, merchant_account_id: string): Promise<DataKey> {
    const name = `${row.id} ${merchant_account_id}`;
    const known = this.derived.get(name);
    if (known) return known;
    const root = await this.unwrap(row);
    const key = { id: root.id, key: secretKey(deriveKey(root.key, merchant_account_id, 'fingerprint')) };
    this.derived.set(name, key);
    return key;
  }

  private aad(place: WrapPlace): string {
    return wrapAad(this.tools.environment, place);
  }
}

function activeOf(rows: readonly DataKeyRow[]): DataKeyRow {
  const active = rows.find((row) => row.state === 'active');
  if (!active) throw new Error('a set of keys has an active one');
  return active;
}
