// The table of the simulated 3-D Secure server: preauth, AReq, result. Directory and bank get the number and nothing
// else of the card.
import type { Steps } from '../contract.ts';

const ASK = {
  host: 'api',
  method: 'POST',
  headers: { accept: 'application/json', 'idempotency-key': 'step key' },
  content_type: 'application/json',
  // ids of EMV 3-D Secure are hex, and may be a number's digits by chance
  references: ['threeDSServerTransID', 'acsTransID', 'dsTransID'],
  effect: 'none',
} as const;

export const STEPS = {
  preauth: { ...ASK, path: '/preauth', slots: { '/card/number': 'card.number' }, again: 'never' },
  authenticate: { ...ASK, path: '/authenticate', slots: { '/acctNumber': 'card.number' }, again: 'never' },
  result: { ...ASK, method: 'GET', path: '/results/{server_id}', content_type: null, slots: {}, again: 'freely' },
} as const satisfies Steps;
