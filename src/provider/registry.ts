// The providers of this build, by name: one line each. The conformance suite (test/providers.test.ts) runs over this list.
import type { Provider } from './contract.ts';
import { simulator } from './simulator.ts';

export function providers({ simulator_deadline_s }: Timing = USUAL): ReadonlyMap<string, Provider> {
  const all = [
    simulator('simulator', 'Simulator', simulator_deadline_s),
    simulator('simulator_b', 'Simulator B', simulator_deadline_s),
  ];
  return new Map(all.map((provider) => [provider.name, provider]));
}

/** How long a provider is waited for, where a deployment may say so. */
export type Timing = { readonly simulator_deadline_s: number };

const USUAL: Timing = { simulator_deadline_s: 10 };
