// Forwards as the money zone asks for them, for tests of the vault and of the link to it.
import { sha256 } from '../../src/kit/crypto.ts';
import type { Forward } from '../../src/payment/vault-link.ts';
import { providers } from '../../src/provider/registry.ts';
import type { World } from '../world.ts';

export const hashOf = (token: string) => sha256(Buffer.from(token, 'hex'));

/** An authorization of the demo account's simulator, under new ids. */
export function askedOf(w: World, token: string, change: Partial<Forward> = {}): Forward {
  const { chance } = w.service.tools;
  const [operation_id, order_id] = [chance.id(), chance.id()];
  const call = providers().get('simulator')?.write(
    'authorize',
    {
      operation_id,
      order_id,
      kind: 'authorize',
      amount_minor: 500n,
      currency: 'EUR',
      with_capture: false,
      merchant_account_id: w.account,
      order_merchant_id: 'forwarded',
      scheme: 'visa',
      authorization_reference: null,
      authorization_code: null,
      authorization_kept: {},
      capture_reference: null,
    },
    {},
  );
  if (!call) throw new Error('the simulator authorizes');
  return {
    operation_id,
    order_id,
    request_id: null,
    contract_id: null,
    merchant_account_id: w.account,
    token_hash: hashOf(token),
    checkout_id: null,
    ...call,
    destination: 'simulator',
    step: 'authorize',
    key: `${operation_id}-authorize`,
    deadline_ms: 10_000,
    ...change,
  };
}
