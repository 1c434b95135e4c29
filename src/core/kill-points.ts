// Where a process can be made to end as if its power was cut: the chaos gate kills at each of these places.

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
  'step_committed',
] as const;

export type KillPoint = (typeof KILL_POINTS)[number];

/** A place, and after a colon how many times it is passed before. */
export function isKillPoint(armed: string): boolean {
  const [name = '', passes = '0'] = armed.split(':');
  return KILL_POINTS.some((point) => point === name) && /^\d{1,6}$/.test(passes);
}
