// The simulated bank of a sandbox signs its messages with a secret of the contract, as a real one does. No person
// copies it: each contract gets one, and Florin gives it to the bank, with the address for its messages.
import { MESSAGE_SECRET } from '../../../provider/simulator/proof.ts';
import { listContracts } from '../contract-store.ts';
import type { Tools } from '../../tools.ts';
import { keepCheck } from './checks.ts';

/**
 * Nothing where no bank is simulated. One bank sends an account's messages to one contract: the first that is tried.
 */
export async function subscribeSimulator(tools: Tools, merchant_account_id: string): Promise<void> {
  if (!tools.sandbox) return;
  const contracts = await listContracts(tools.db.tenant(merchant_account_id));
  const simulated = contracts.filter(({ provider }) => hasSecret(tools, provider));
  const first = simulated.filter((one, i) => simulated.findIndex(({ provider }) => provider === one.provider) === i);
  const subscriptions = [];
  for (const { id, provider } of simulated) {
    const secret = await keepCheck(tools, { merchant_account_id, contract_id: id, name: MESSAGE_SECRET });
    if (first.some((one) => one.id === id))
      subscriptions.push({ provider, merchant_account_id, contract_id: id, secret });
  }
  if (subscriptions.length > 0)
    await tools.sandbox({ method: 'POST', path: '/subscriptions', body: { subscriptions } });
}

function hasSecret({ providers }: Tools, provider: string): boolean {
  return providers.get(provider)?.credentials.some(({ name }) => name === MESSAGE_SECRET) === true;
}
