// Faults of the simulated PayPal for the next matching call.
import { type CallLine, COMMON_FAULTS, type FaultOf, takeArmed } from '../faults.ts';

export const FAULTS = [...COMMON_FAULTS, 'in_progress'] as const;

export type Fault = FaultOf<(typeof FAULTS)[number]>;

const templateOf = (path: string): string =>
  path.replace(/\/(orders|authorizations|captures|refunds|disputes)\/[\w-]+/, '/$1/{id}');

export const takeFault = (faults: Fault[], call: CallLine): Fault | undefined => takeArmed(faults, call, templateOf);
