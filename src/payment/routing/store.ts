// Statements on the health of providers. A provider without a row is well.
import type { Database, Runner } from '../../kit/database.ts';

/** Providers whose breaker is open. */
export async function findOpenProviders(db: Runner): Promise<readonly string[]> {
  const rows = await db.run<{ name: string }>(
    'find_open_providers',
    `-- any account: a provider's health is everybody's
     SELECT name FROM payment.providers WHERE health = 'open'`,
  );
  return rows.map(({ name }) => name);
}

export async function openProvider(db: Runner, name: string, probe_s: number): Promise<void> {
  await db.run(
    'open_provider',
    `-- any account: a provider's health is everybody's
     INSERT INTO payment.providers (name, health, next_probe_at)
     VALUES (:name, 'open', payment.now() + make_interval(secs => :probe_s))
     ON CONFLICT (name) DO UPDATE SET health = 'open', next_probe_at = excluded.next_probe_at
     WHERE providers.health = 'closed'`,
    { name, probe_s },
  );
}

/** Takes the right to look whether a provider is back: one process at a time. */
export async function claimProbes(db: Runner, probe_s: number): Promise<readonly string[]> {
  const rows = await db.run<{ name: string }>(
    'claim_probes',
    `-- any account: a provider's health is everybody's
     UPDATE payment.providers
     SET next_probe_at = payment.now() + make_interval(secs => :probe_s)
     WHERE health = 'open'
       AND next_probe_at <= payment.now()
     RETURNING name`,
    { probe_s },
  );
  return rows.map(({ name }) => name);
}

/** The provider answers again: what waits for it is looked at within the next seconds. */
export async function closeProvider(db: Database, name: string, spread_s: number): Promise<void> {
  await db.run(
    'close_provider',
    `-- any account: a provider's health is everybody's
     UPDATE payment.providers SET health = 'closed' WHERE name = :name`,
    { name },
  );
  await db.run(
    'wake_provider',
    `-- any account: what waits for a provider, of all of them
     SELECT payment.wake_provider(:name, make_interval(secs => :spread_s))`,
    { name, spread_s },
  );
}
