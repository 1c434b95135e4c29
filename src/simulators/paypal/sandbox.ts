// The simulated PayPal for a sandbox: it sends its messages without a control.
import { openPaypal } from './paypal.ts';

export const SIMULATOR = {
  /** Milliseconds since 1970. */
  open: (clock: () => number) => openPaypal({ port: 0, control_port: 0, clock }),
  credentials: { client_id: 'client_florin', client_secret: 'secret_florin', webhook_id: '1FL0R1NSANDB0X001' },
  signs_with: 'webhook_id',
} as const;
