// A database that refuses what it is asked to write, from a certain statement on: as one without room does, or one in
// which something else is in the way. The server raises the error itself.
import type { World } from '../world.ts';

const ENDLESS = 1_000_000_000;

export class Room {
  private readonly w: World;

  private constructor(w: World) {
    this.w = w;
  }

  static async open(w: World): Promise<Room> {
    await w.sql(`
      CREATE SCHEMA disk;
      CREATE SEQUENCE disk.writes;
      CREATE TABLE disk.room (writes bigint, code text);
      INSERT INTO disk.room VALUES (${ENDLESS}, '53100');
      CREATE FUNCTION disk.write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        IF nextval('disk.writes') > (SELECT writes FROM disk.room) THEN
          RAISE EXCEPTION 'this is not written' USING ERRCODE = (SELECT code FROM disk.room);
        END IF;
        RETURN NULL;
      END $$`);
    const room = new Room(w);
    for (const table of await room.tables())
      await w.sql(`
        CREATE TRIGGER a_disk BEFORE INSERT OR UPDATE OR DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION disk.write()`);
    return room;
  }

  /** How many statements may still write; the next one gets the error of this code: 53100, there is no room. */
  async leave(writes: number, code = '53100'): Promise<void> {
    await this.w.sql(`UPDATE disk.room SET writes = ${writes}, code = '${code}'`);
    await this.w.sql(`SELECT setval('disk.writes', 1, false)`);
  }

  /** Everything may be written. */
  clear(): Promise<void> {
    return this.leave(ENDLESS);
  }

  async tables(): Promise<readonly string[]> {
    const rows = await this.w.sql<{ name: string }>(`
      SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname IN ('payment', 'vault') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       ORDER BY 1`);
    return rows.map(({ name }) => name);
  }

  /** All that is stored, as a sum for each table. */
  async stored(): Promise<readonly string[]> {
    const sums = (await this.tables()).map(
      (name) =>
        `SELECT '${name} ' || count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS sum FROM ${name} t`,
    );
    return (await this.w.sql<{ sum: string }>(sums.join(' UNION ALL '))).map(({ sum }) => sum);
  }

  /** How many things there are that callers made. Work behind earlier requests changes them, and makes none. */
  async made(): Promise<readonly string[]> {
    const counts = ['orders', 'transactions', 'operations', 'checkouts', 'idempotency_keys', 'invitations']
      .map((table) => `payment.${table}`)
      .concat('payment.endpoints', 'vault.cards', 'vault.idempotency_keys')
      .map(
        (name) =>
          `SELECT '${name} ' || count(*) AS count FROM ${name} ${name === 'payment.operations' ? ASKED_FOR : ''}`,
      );
    return (await this.w.sql<{ count: string }>(counts.join(' UNION ALL '))).map(({ count }) => count);
  }
}

/** Not the capture of a sale, which follows its authorization, nor what recovery undoes. */
const ASKED_FOR = "WHERE origin = 'merchant' AND (kind <> 'capture' OR target_id IS NULL)";
