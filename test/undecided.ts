// Payments whose outcome nobody can write down for a while: the provider has answered, the order does not know it.
import type { World } from './world.ts';

/**
 * From here on no outcome is committed, until `decide` is called or the variable goes out of scope: then recovery finds
 * what became of each.
 */
export async function undecided(w: World): Promise<AsyncDisposable & { decide(): Promise<void> }> {
  await w.sql(
    `CREATE FUNCTION public.no_outcome() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no outcome'; END $$`,
  );
  await w.sql(
    `CREATE TRIGGER no_outcome BEFORE UPDATE ON payment.orders FOR EACH ROW EXECUTE FUNCTION public.no_outcome()`,
  );
  const decide = async () => {
    await w.sql(`DROP FUNCTION IF EXISTS public.no_outcome() CASCADE`);
    await w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE state IN ('requested', 'in_doubt')`);
    await w.sql(`UPDATE payment.authentications SET due_at = payment.now() WHERE state = 'requested'`);
  };
  return { decide, [Symbol.asyncDispose]: decide };
}

/** Nobody looks at an operation by itself, until the function that it gives is called. */
export async function holdRecovery({ sql }: Pick<World, 'sql'>): Promise<() => Promise<void>> {
  await sql(
    `CREATE FUNCTION public.not_due() RETURNS trigger LANGUAGE plpgsql
     AS $$ BEGIN NEW.due_at = payment.now() + interval '1 hour'; RETURN NEW; END $$`,
  );
  await sql(
    `CREATE TRIGGER not_due BEFORE INSERT OR UPDATE ON payment.operations
     FOR EACH ROW EXECUTE FUNCTION public.not_due()`,
  );
  return async () => {
    await sql('DROP FUNCTION public.not_due() CASCADE');
  };
}

/** What the vault has sent for an order left earlier by so many seconds. */
export async function sentEarlier({ sql }: Pick<World, 'sql'>, order_id: string, seconds: number): Promise<void> {
  await sql(
    `UPDATE vault.forwards SET sent_at = sent_at - make_interval(secs => $2) WHERE order_id = decode($1, 'hex')`,
    [order_id, seconds],
  );
}

/** Makes every order older, past all guards: as if it had waited for so long. */
export async function age(w: World, interval: string): Promise<void> {
  await w.sql(`SET session_replication_role = replica`);
  await w.sql(`UPDATE payment.orders SET created_at = created_at - $1::interval`, [interval]);
  await w.sql(`SET session_replication_role = origin`);
}
