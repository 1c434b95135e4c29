// Faults of the simulated Stripe for the next matching call.
import { type CallLine, COMMON_FAULTS, type FaultOf, takeArmed } from '../../faults.ts';

export const FAULTS = [...COMMON_FAULTS, 'key_in_use', 'other_id'] as const;

export type Fault = FaultOf<(typeof FAULTS)[number]>;

const templateOf = (path: string): string => path.replace(/\/(?:pi|pm|re|ch|cus|dp)_\w+/, '/{id}');

export const takeFault = (faults: Fault[], call: CallLine): Fault | undefined => takeArmed(faults, call, templateOf);
