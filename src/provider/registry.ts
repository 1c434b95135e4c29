// The providers of this build, by name: one line each. The conformance suite (test/providers.test.ts) runs over this list.
import type { Provider } from './contract.ts';
import { simulator } from './simulator.ts';

export const PROVIDERS: ReadonlyMap<string, Provider> = new Map(
  [simulator('simulator', 'Simulator'), simulator('simulator_b', 'Simulator B')].map((p) => [p.name, p]),
);

export function findProvider(name: string): Provider | undefined {
  return PROVIDERS.get(name);
}
