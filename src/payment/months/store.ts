// Statements on tables that are parted by month.
import { MAX_WINDOW_DAYS } from '../../core/risk/rules.ts';
import type { Runner } from '../../kit/database.ts';

/** Months that are made ahead: a worker may be away for as long before rows wait in a default part. */
const AHEAD = 3;

/**
 * Makes the months to come, and those of what came without one; drops those of sightings that no rule looks at any
 * more. A lock that is not free within a second throws.
 */
export async function keepMonths(db: Runner): Promise<void> {
  await db.run(
    'keep_months',
    `-- any account: a month of all of them is made at once
     SELECT payment.keep_months(:ahead, make_interval(days => :sightings_days))`,
    { ahead: AHEAD, sightings_days: MAX_WINDOW_DAYS + 1 },
  );
}
