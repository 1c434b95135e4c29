// The providers of this build, by name: one line each. The tests of all providers (test/conformance) run over this
// list.
import type { Provider } from './contract.ts';
import { adyen } from './adyen/adyen.ts';
import { iso8583 } from './iso8583/iso8583.ts';
import { paypal } from './paypal/paypal.ts';
import { simulatorNotices } from './simulator/notices.ts';
import { simulator } from './simulator/simulator.ts';
import { stripe } from './stripe/stripe.ts';
import type { Authenticator } from './three-ds/contract.ts';
import { simulatedServer } from './three-ds/server.ts';

export function providers({ simulator_deadline_s }: Timing = USUAL): ReadonlyMap<string, Provider> {
  const simulated = (name: string, says: string) => ({
    ...simulator(name, says, simulator_deadline_s),
    notices: simulatorNotices,
  });
  const all: readonly Provider[] = [
    simulated('simulator', 'Simulator'),
    simulated('simulator_b', 'Simulator B'),
    stripe,
    adyen,
    iso8583,
    paypal,
  ];
  return new Map(all.map((provider) => [provider.name, provider]));
}

/** The 3-D Secure server of a sandbox (contract 15.1). */
export function authenticator({ simulator_deadline_s }: Timing): Authenticator {
  return simulatedServer(simulator_deadline_s);
}

/** How long a provider is waited for, where a deployment may say so. */
export type Timing = { readonly simulator_deadline_s: number };

const USUAL: Timing = { simulator_deadline_s: 10 };
