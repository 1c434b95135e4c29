// The limits of card schemes as this process knows them: the release's table, or a newer one that was loaded for the
// deployment.
import { DAY_MS } from '../../core/durations.ts';
import type { JsonValue } from '../../core/json.ts';
import { Refusal, refuseProblems } from '../../core/refusals.ts';
import { type CapsTable, SHIPPED, limitsOn } from '../../core/retries/caps.ts';
import { readCaps } from '../../core/retries/caps-file.ts';
import { OLD_DAYS, dayOf } from '../../core/retries/day.ts';
import { Reading } from '../../core/shape.ts';
import type { Runner } from '../../kit/database.ts';
import type { Caps, Tools } from '../tools.ts';
import { findCapsAfter, insertCaps } from './caps-store.ts';

export function makeCaps(): Caps {
  let seen = 0;
  let table = SHIPPED;
  return {
    table: () => table,
    limitsOn: (day, scheme) => limitsOn(table.rows, day, scheme),
    look: async (db) => {
      const loaded = await findCapsAfter(db, seen);
      if (!loaded) return;
      seen = loaded.version;
      table = newerOf(SHIPPED, loaded);
    },
  };
}

/** A release that was looked over later than a table that was loaded goes before it. */
const newerOf = (shipped: CapsTable, loaded: CapsTable | undefined): CapsTable =>
  loaded && loaded.as_of > shipped.as_of ? { as_of: loaded.as_of, rows: loaded.rows } : shipped;

/** The table that holds, for a command beside the service. */
export async function capsNow(db: Runner): Promise<CapsTable> {
  return newerOf(SHIPPED, await findCapsAfter(db, 0));
}

type Loading = { readonly written: JsonValue; readonly by: string; readonly note: string };

/** Answers its version; every process follows within a minute. Throws a Refusal with every problem at once. */
export async function loadCaps(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  { written, by, note }: Loading,
): Promise<number> {
  const last = await findCapsAfter(db, 0);
  const reading = new Reading(false);
  const table = readCaps(written, reading, { now: newerOf(SHIPPED, last), today: dayOf(clock.now()) });
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  const version = await insertCaps(db, { ...table, version: (last?.version ?? 0) + 1, by_name: by, note });
  if (version === undefined) throw new Refusal('order_in_process', { detail: 'another table was loaded meanwhile' });
  return version;
}

export function areOld({ as_of }: CapsTable, now: Date): boolean {
  return now.getTime() - Date.parse(as_of) > OLD_DAYS * DAY_MS;
}
