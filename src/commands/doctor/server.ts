// The doctor's checks of what a server has and does, whatever is in the tables: schema, writes, clock.
import type pg from 'pg';
import { isAway } from '../../kit/database/errors.ts';
import { takesWrites } from '../../kit/login.ts';
import { type Zone, pendingMigrations } from '../../kit/migrate.ts';
import { StartError } from '../../kit/start-error.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** A host starts there, and reads go on; so nothing else says why each order is answered with 503. */
export async function lookAtWrites(client: pg.Client, check: string): Promise<Finding> {
  return (await takesWrites(client))
    ? ok(`${check}: writes`, 'are taken')
    : problem(
        `${check}: writes`,
        'are refused: default_transaction_read_only is on, and nothing is accepted',
        'Is its disk full? Some providers switch that on then. Make room; then switch it off for the server, the database and the login.',
      );
}

const WARNED_MS = 1000;
const WRONG_MS = 5000;

export function lookAtClock(check: string, ahead_ms: number): Finding {
  const name = `${check}: clock`;
  const by = `${Math.round(Math.abs(ahead_ms) / 100) / 10} s ${ahead_ms > 0 ? 'behind' : 'ahead of'} this host`;
  const fix = 'Run a time service (chrony, systemd-timesyncd) on both hosts.';
  if (Math.abs(ahead_ms) > WRONG_MS) return problem(name, `its clock is ${by}`, fix);
  return Math.abs(ahead_ms) > WARNED_MS
    ? warning(name, `its clock is ${by}`, fix)
    : ok(name, 'goes with that of this host');
}

export async function lookAtSchema(client: pg.Client, zone: Zone, check: string): Promise<Finding> {
  const name = `${check}: schema`;
  const found = await pendingMigrations(client, zone).catch((error: unknown) => {
    if (error instanceof StartError) return error.message;
    if (isAway(error)) throw error;
    return undefined;
  });
  if (found === undefined) return problem(name, 'is not there', 'florin migrate with an owner’s address.');
  if (typeof found === 'string') return problem(name, found, 'Start the version of Florin that fits this database.');
  if (found.pending.length > 0)
    return problem(
      name,
      `${found.pending.join(', ')} did not run`,
      'florin migrate with an owner’s address, or florin start in a sandbox.',
    );
  return found.newer === undefined
    ? ok(name, 'is that of this version')
    : warning(
        name,
        `is that of a newer Florin (${found.newer})`,
        'Bring this host to that version. Meanwhile the version before it runs here, and none that is older.',
      );
}
