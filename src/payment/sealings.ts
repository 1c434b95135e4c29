// The values that are sealed under the money zone's own key, and the facts that each is bound to: moved to another
// place, it does not open.
import type { KeyObject } from 'node:crypto';
import { type Sealing, deriveKey } from '../kit/crypto.ts';

export function savedCardSealing(key: KeyObject, merchant_account_id: string, customer_id: string): Sealing {
  return { key, aad: `saved card token|${merchant_account_id}|${customer_id}` };
}

export function endpointSealing(key: KeyObject, merchant_account_id: string, endpoint_id: string): Sealing {
  return { key, aad: `notification secret|${merchant_account_id}|${endpoint_id}` };
}

export function contractSealing(key: KeyObject, merchant_account_id: string, contract_id: string): Sealing {
  return { key, aad: `contract credentials|${merchant_account_id}|${contract_id}` };
}

export function checkSealing(key: KeyObject, merchant_account_id: string, contract_id: string): Sealing {
  return { key, aad: `contract checks|${merchant_account_id}|${contract_id}` };
}

export function totpSealing(key: KeyObject, person_id: string): Sealing {
  return { key: deriveKey(key, 'back office', 'totp'), aad: `totp ${person_id}` };
}

export function entrySealing(key: KeyObject, merchant_account_id: string): Sealing {
  return { key, aad: `card on a list|${merchant_account_id}` };
}

/** `what`: the dispute, and for a file its id behind it. */
export function evidenceSealing(key: KeyObject, merchant_account_id: string, what: string): Sealing {
  return { key, aad: `dispute evidence|${merchant_account_id}|${what}` };
}

/** `what`: the run and the number of the piece. */
export function reportSealing(key: KeyObject, merchant_account_id: string, what: string): Sealing {
  return { key, aad: `report|${merchant_account_id}|${what}` };
}

export function mailSealing(key: KeyObject, merchant_account_id: string, mail_id: string): Sealing {
  return { key: deriveKey(key, 'back office', 'mail'), aad: `mail|${merchant_account_id}|${mail_id}` };
}

export function signOnSealing(key: KeyObject, merchant_account_id: string): Sealing {
  return { key: deriveKey(key, 'back office', 'sign-on'), aad: `sign-on ${merchant_account_id}` };
}
