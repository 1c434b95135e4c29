// The simulated Stripe for a sandbox.
import type { Simulator } from '../contract.ts';
import { openStripe } from './stripe.ts';

export const SIMULATOR: Simulator = {
  open: (clock) => openStripe({ port: 0, control_port: 0, clock }),
  credentials: { secret_key: 'sk_test_florin', webhook_secret: 'whsec_simulated' },
  signs_with: 'webhook_secret',
};
