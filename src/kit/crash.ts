// Places where a process can be made to end as if its power was cut, by name: the chaos gate kills at each of them
// (engine.md 13). Nothing is armed unless FLORIN_CRASH_AT says so, and a production deployment refuses that setting.

export const KILL_POINTS = [
  't1_before',
  't1_committed',
  'vault_logged',
  'vault_connected',
  'vault_mid_write',
  'vault_answered',
  'call_answered',
  't2_in_commit',
  't2_committed',
  'claim_committed',
  'tombstone_committed',
  'reversal_acknowledged',
] as const;

export type KillPoint = (typeof KILL_POINTS)[number];

export type Crash = {
  /** Ends the process here, by SIGKILL, when this point is armed. */
  at(point: KillPoint): void;
  /** Ends it a moment later, while what was just begun is under way. */
  during(point: KillPoint): void;
};

/** `armed`: the name of a point, and after a colon how many times it is passed before; empty: nothing is armed. */
export function crashAt(armed: string): Crash {
  const [name, passes = '0'] = armed.split(':');
  if (!name) return { at: () => undefined, during: () => undefined };
  let left = Number(passes);
  const hit = (point: KillPoint) => point === name && left-- <= 0;
  const die = () => process.kill(process.pid, 'SIGKILL');
  return {
    at: (point) => {
      if (hit(point)) die();
    },
    during: (point) => {
      if (hit(point)) setTimeout(die, 1);
    },
  };
}

export function isKillPoint(armed: string): boolean {
  const [name = '', passes = '0'] = armed.split(':');
  return KILL_POINTS.some((point) => point === name) && /^\d{1,6}$/.test(passes);
}
