// The result that our own risk assessment gives to a number of the sandbox (contract 15.2, 15.3). The money zone
// decides but may not know the number, so the vault tells it the code: only in a sandbox, only for a number of the
// public lists, and never a digit.
import { mayBeRisky, sandboxRisk } from '../../core/sandbox/cards.ts';
import { result } from '../../core/results.ts';
import { findSealedCard } from '../store.ts';
import type { VaultTools } from '../tools.ts';
import { openCard } from './sealed-card.ts';

type RiskCardRequest = {
  readonly token_hash: string;
  readonly merchant_account_id: string;
  readonly first6: string;
  readonly last4: string;
};

/** Undefined: nothing, as always in production. Only a card whose ends are those of a listed number is opened. */
export async function sandboxRiskOf(tools: VaultTools, asked: RiskCardRequest): Promise<string | undefined> {
  if (tools.environment !== 'sandbox' || !mayBeRisky(asked)) return undefined;
  const row = await findSealedCard(tools.db, asked);
  if (!row) return undefined;
  const { token_hash, merchant_account_id } = asked;
  const key = await tools.keys.cardById(row.data_key_id, merchant_account_id);
  const binding = { ...row, token_hash, merchant_account_id, environment: tools.environment };
  const { number, holder } = openCard(Buffer.from(row.sealed, 'hex'), binding, key);
  const name = sandboxRisk(number);
  number.fill(0);
  holder.fill(0);
  return name && result(name).code;
}
