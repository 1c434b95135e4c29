// The card zone's part in a move of the sandbox's clock: its database, from which its other processes learn it, and its
// own.
import { followClock } from '../../kit/database/follow-clock.ts';
import { deletePast } from '../forget.ts';
import type { VaultTools } from '../tools.ts';
import { moveShift, readShift } from './store.ts';

export async function moveClock({ db, clock, environment }: VaultTools, shift_ms: number): Promise<void> {
  if (environment === 'production') throw new Error('the clock of production is the real one');
  await moveShift(db, shift_ms);
  clock.moveTo(shift_ms);
}

/**
 * Takes the clock as the database has it, and follows its moves until it is stopped; what is past its time then goes at
 * once.
 */
export function followVaultClock(tools: VaultTools): Promise<() => Promise<void>> {
  const { db, clock, environment, log, cvcs } = tools;
  return followClock({
    clock,
    environment,
    log,
    read: () => readShift(db),
    moved: async () => {
      await Promise.all([cvcs.sweep(), deletePast(tools)]);
    },
  });
}
