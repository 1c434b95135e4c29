// The table of Apple's host for merchants. It is no provider: its one step asks for a session of Apple Pay on the
// hosted page, and the vault alone sends it, with the certificate of the account's merchant identity.
import type { Steps } from '../contract.ts';

export const STEPS = {
  session: {
    host: 'api',
    method: 'POST',
    path: '/paymentservices/paymentSession',
    headers: { accept: 'application/json' },
    content_type: 'application/json',
    slots: { '/merchantIdentifier': 'secret.merchant_id' },
    references: [],
    effect: 'none',
    again: 'freely',
  },
} as const satisfies Steps;
