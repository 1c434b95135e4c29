// The providers of this build, by name: one line each. The conformance suite (test/providers.test.ts) runs over this list.
import type { Provider } from './contract.ts';
import { simulatorMessages } from './simulator-messages.ts';
import { simulator } from './simulator.ts';

export function providers({ simulator_deadline_s }: Timing = USUAL): ReadonlyMap<string, Provider> {
  const simulated = (name: string, says: string) => ({
    ...simulator(name, says, simulator_deadline_s),
    messages: simulatorMessages,
  });
  const all: readonly Provider[] = [simulated('simulator', 'Simulator'), simulated('simulator_b', 'Simulator B')];
  return new Map(all.map((provider) => [provider.name, provider]));
}

/** How long a provider is waited for, where a deployment may say so. */
export type Timing = { readonly simulator_deadline_s: number };

const USUAL: Timing = { simulator_deadline_s: 10 };
