// The cvc for several vault processes: sealed in UNLOGGED tables, under a key of its own that lives 30 minutes. What
// was deleted but is still in a page of the database cannot be read once the key of its generation is gone.
import { MINUTE_MS } from '../../core/durations.ts';
import type { Chance, Clock } from '../../kit/clock.ts';
import { open, privateBytes, privateCopy, seal } from '../../kit/crypto.ts';
import type { Database } from '../../kit/database.ts';
import type { Log } from '../../kit/log.ts';
import { type CvcBounds, type Cvcs, type TakenCvc, cvcLife } from '../card/cvcs.ts';
import { type KeyProvider, KeysSealed } from '../keys/provider.ts';
import { getKeyEpoch } from '../keys/store.ts';
import {
  type CvcRow,
  deleteCvcs,
  dropCvcSlot,
  findCvcKey,
  findOldGenerations,
  hasCvc,
  insertCvcKey,
  putCvc,
  takeCvcs,
} from './store.ts';

const GENERATION_MS = 5 * MINUTE_MS;
/** A generation is written for 5 minutes and read for 15 more; 30 minutes after its start it is destroyed. */
const GENERATIONS_KEPT = 6;
const TRIES = 5;
/**
 * One length for three and four digits, so that the record does not tell which. The cryptogram of a network token is
 * longer.
 */
const BLOCK = 8;

export type SealedCvcTools = {
  readonly db: Database;
  readonly provider: KeyProvider;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly environment: string;
};

/** The key of a generation, and how it is stored: so it is known when the tables have another one. */
type CvcKey = { readonly bytes: Buffer; readonly wrapped: string };

export class SealedCvcs implements Cvcs {
  private readonly tools: SealedCvcTools;
  private readonly keys = new Map<number, Promise<CvcKey>>();

  constructor(tools: SealedCvcTools) {
    this.tools = tools;
  }

  async keep(token_hash: string, digits: Buffer, { checkout_id = null, until }: CvcBounds = {}): Promise<void> {
    const { db, clock, chance } = this.tools;
    const plain = privateBytes(Math.ceil((1 + digits.length) / BLOCK) * BLOCK).fill(0);
    try {
      const now = clock.now();
      const generation = this.generation();
      plain[0] = digits.length;
      plain.set(digits, 1);
      const aad = this.aad(token_hash, checkout_id, generation);
      const expires_at = new Date(now.getTime() + cvcLife(now, until));
      for (let tries = 0; tries < TRIES; tries++) {
        const key = await this.key(generation);
        const sealed = seal(plain, chance.bytes(12), { key: key.bytes, aad });
        const { wrapped } = key;
        if (await putCvc(db, { token_hash, checkout_id, generation, sealed, wrapped, expires_at })) return;
        await this.drop(generation, key);
      }
      throw new Error('the key of a generation changed with every try');
    } finally {
      plain.fill(0);
      digits.fill(0);
    }
  }

  async has(token_hash: string, checkout_id: string | null = null): Promise<boolean> {
    return hasCvc(this.tools.db, { token_hash, checkout_id, now: this.tools.clock.now() });
  }

  /**
   * Takes a cvc. If it does not open, or its generation is gone, it counts as absent: the authorization goes without
   * it.
   */
  async take(token_hash: string, checkout_id: string | null = null): Promise<TakenCvc | undefined> {
    const rows = await takeCvcs(this.tools.db, token_hash, checkout_id);
    const usable = rows.filter((row) => row.expires_at > this.tools.clock.now());
    // the one typed for this checkout first, and of those the latest
    const [best] = usable.toSorted((a, b) => Number(isBound(b)) - Number(isBound(a)) || b.generation - a.generation);
    if (!best) return undefined;
    try {
      return await this.open(best);
    } catch (error) {
      this.tools.log.error({ error: String(error) }, 'a kept cvc does not open: the authorization goes without it');
      return undefined;
    }
  }

  async giveBack(token_hash: string, taken: TakenCvc): Promise<void> {
    if (await this.has(token_hash, taken.checkout_id)) taken.digits.fill(0);
    else await this.keep(token_hash, taken.digits, taken);
  }

  async forget(token_hash: string): Promise<void> {
    await deleteCvcs(this.tools.db, token_hash);
  }

  async sweep(which: 'old' | 'all' = 'old'): Promise<void> {
    const oldest = this.generation() - GENERATIONS_KEPT;
    for (const [generation, key] of this.keys) {
      if (which === 'old' && generation > oldest) continue;
      this.keys.delete(generation);
      await key.then(({ bytes }) => bytes.fill(0));
    }
    // other processes still want what is not old
    if (which === 'old')
      for (const { slot } of await findOldGenerations(this.tools.db, oldest)) await dropCvcSlot(this.tools.db, slot);
  }

  private async open(row: CvcRow): Promise<TakenCvc> {
    const key = await this.key(row.generation);
    try {
      return this.openWith(row, key);
    } catch {
      await this.drop(row.generation, key);
      return this.openWith(row, await this.key(row.generation));
    }
  }

  private openWith(row: CvcRow, { bytes: key }: CvcKey): TakenCvc {
    const checkout_id = isBound(row) ? row.checkout_id : null;
    const aad = this.aad(row.token_hash, checkout_id, row.generation);
    const plain = open(Buffer.from(row.sealed, 'hex'), { key, aad });
    const digits = privateCopy(plain.subarray(1, 1 + (plain[0] ?? 0)));
    plain.fill(0);
    return { digits, until: row.expires_at, checkout_id };
  }

  private generation(): number {
    return Math.floor(this.tools.clock.now().getTime() / GENERATION_MS);
  }

  /**
   * A crash of the database empties the tables, and another process makes the generation a new key: the one in our
   * memory is none any more.
   */
  private async drop(generation: number, key: CvcKey): Promise<void> {
    if ((await this.keys.get(generation)) === key) this.keys.delete(generation);
    key.bytes.fill(0);
  }

  private key(generation: number): Promise<CvcKey> {
    const known = this.keys.get(generation);
    if (known) return known;
    const key = this.load(generation);
    this.keys.set(generation, key);
    key.catch(() => this.keys.delete(generation));
    return key;
  }

  private async load(generation: number): Promise<CvcKey> {
    const { db, provider, chance, environment } = this.tools;
    const aad = cvcKeyAad(environment, generation);
    for (let tries = 0; tries < TRIES; tries++) {
      const row = await findCvcKey(db, generation);
      if (row) {
        const { wrapped, kek_ref } = row;
        return { bytes: await provider.unwrap(Buffer.from(wrapped, 'hex'), aad, kek_ref), wrapped };
      }
      if (generation < this.generation()) throw new Error('the generation is destroyed');
      const { kek_ref } = await getKeyEpoch(db);
      if (kek_ref === null) throw new KeysSealed('the database has no key-encryption key yet');
      const plain = chance.bytes(32);
      await insertCvcKey(db, { generation, kek_ref, wrapped: await provider.wrap(plain, aad, kek_ref) });
      plain.fill(0);
    }
    throw new Error('no key for a generation could be made');
  }

  private aad(token_hash: string, checkout_id: string | null, generation: number): string {
    return JSON.stringify(['vault.cvcs.sealed', this.tools.environment, token_hash, checkout_id, generation]);
  }
}

/** The facts that the key of a generation is bound to. */
export function cvcKeyAad(environment: string, generation: number): string {
  return `cvc|${environment}|${generation}`;
}

function isBound({ checkout_id }: CvcRow): boolean {
  return !/^0+$/.test(checkout_id);
}
