// How the clock of the vault's database goes beside that of this process: how long ago a call was sent decides about
// money.
import type { VaultTools } from '../tools.ts';
import { readMachineClock } from './store.ts';

type Watching = Pick<VaultTools, 'db' | 'database_clock'>;

const EVERY_MS = 1000;

/** To be asked again behind each reading of which an age is told. */
export function lookAtClock({ db, database_clock }: Watching): Promise<void> {
  return database_clock.look(() => readMachineClock(db.looks));
}

/** Looks at once, and again and again until it is stopped. */
export async function watchVaultDatabaseClock(tools: Watching & Pick<VaultTools, 'log'>): Promise<() => void> {
  await lookAtClock(tools);
  const watching = setInterval(() => {
    lookAtClock(tools).catch((error: unknown) =>
      tools.log.debug({ error: String(error) }, 'the clock of the database could not be read'),
    );
  }, EVERY_MS);
  return () => clearInterval(watching);
}
