// The simulated Adyen for a sandbox: it completes modifications and sends messages without a control.
import { openAdyen } from './adyen.ts';

const ACCOUNT = {
  merchant_account: 'FlorinSandbox',
  api_key: 'AQE-simulated',
  hmac_key: '5f1a'.repeat(16),
} as const;

export const SIMULATOR = {
  /** Milliseconds since 1970. */
  open: (clock: () => number) =>
    openAdyen({ port: 0, now: clock, automatic: true, accounts: [{ ...ACCOUNT, webhook_url: null }] }),
  credentials: ACCOUNT,
  signs_with: 'hmac_key',
} as const;
