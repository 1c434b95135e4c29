// The card zone as the money zone sees it, in the same process. Its shape is the interface in payment/vault-link.ts; main.ts
// puts the two together.
import type { Scheme } from '../core/card.ts';
import { SCHEME_NAMES } from '../core/card.ts';
import { sandboxRiskOf } from './card/sandbox-risk.ts';
import { type ContractCredentials, keepCredentials } from './contracts/contracts.ts';
import type { Carrier } from './forward/destinations.ts';
import { type Forward, forward, tombstone } from './forward/forward.ts';
import { putApiKey, removeApiKey } from './keys/store.ts';
import { moveClock } from './clock/move.ts';
import { removeCard } from './forget.ts';
import { putPartner } from './saved/store.ts';
import { findUsableCard } from './store.ts';
import type { VaultTools } from './tools.ts';

type Question = {
  readonly token_hash: string;
  readonly merchant_account_id: string;
  readonly checkout_id: string | null;
};

export function inProcessLink(tools: VaultTools, carrier: Carrier) {
  return {
    forward: (asked: Forward) => forward(tools, carrier, asked),
    tombstone: (operation_id: string) => tombstone(tools, operation_id),
    settled: (operation_id: string) => tools.answers.settled(operation_id),
    card: async (question: Question) => {
      const row = await findUsableCard(tools.db, { ...question, environment: tools.environment });
      if (!row) return undefined;
      const { partner, first6, last4 } = row;
      const is_card = partner === null && first6 !== null && last4 !== null;
      const sandbox_risk = is_card ? await sandboxRiskOf(tools, { ...question, first6, last4 }) : undefined;
      return {
        ...row,
        scheme: schemeOf(row.scheme),
        schemes: (row.schemes ?? row.scheme).split(',').map(schemeOf),
        has_cvc: await tools.cvcs.has(question.token_hash, question.checkout_id),
        ...(sandbox_risk !== undefined && { sandbox_risk }),
      };
    },
    remove: (removal: Parameters<typeof removeCard>[1]) => removeCard(tools, removal),
    putApiKey: (key: Parameters<typeof putApiKey>[1]) => putApiKey(tools.db, key),
    removeApiKey: (id: string) => removeApiKey(tools.db, id),
    ready: async () => (await tools.keys.status()) === 'ok' && (await tools.db.ready()),
    moveClock: (shift_ms: number) => moveClock(tools, shift_ms),
    keepCredentials: (of: ContractCredentials) => keepCredentials(tools, of),
    /** Tokens of this partner may be brought to the account (contract 6.4). */
    putPartner: (merchant_account_id: string, name: string) => putPartner(tools.db, merchant_account_id, name),
  };
}

function schemeOf(text: string): Scheme {
  const scheme = SCHEME_NAMES.find((name) => name === text);
  if (!scheme) throw new Error('a stored card has a known scheme');
  return scheme;
}
