// The card zone as the money zone sees it: every verb of core/link/verbs.ts, in this process. The vault's link answers
// with the same.
import { type Scheme, SCHEME_NAMES } from '../core/card.ts';
import type { VaultLink } from '../core/link/verbs.ts';
import { sandboxRiskOf } from './card/sandbox-risk.ts';
import { moveClock } from './clock/move.ts';
import { keepCredentials } from './contracts/contracts.ts';
import { removeCard } from './forget.ts';
import type { Transport } from '../provider/send/transport.ts';
import { forward } from './forward/forward.ts';
import { tombstone } from './forward/tombstone.ts';
import { putApiKey, removeApiKey } from './keys/store.ts';
import { putPartner } from './saved/store.ts';
import { findUsableCard } from './store.ts';
import type { VaultTools } from './tools.ts';
import { identityOf, lacksOf } from './wallet/apple/identity.ts';
import { appleSession } from './wallet/apple/session.ts';
import { googleOf } from './wallet/google/offer.ts';

export function vaultLink(tools: VaultTools, transport: Transport): VaultLink {
  return {
    forward: (asked) => forward(tools, transport, asked),
    tombstone: ({ operation_id }) => tombstone(tools, operation_id),
    settled: async ({ operation_ids }) => {
      for (const id of operation_ids) tools.answers.settled(id);
    },
    card: async (question) => {
      const row = await findUsableCard(tools.db, { ...question, environment: tools.environment });
      if (!row) return undefined;
      const { token_kind, is_network_token, approved_minor, approved_currency, ...known } = row;
      const { partner, first6, last4 } = known;
      const is_card = partner === null && first6 !== null && last4 !== null;
      const sandbox_risk = is_card ? await sandboxRiskOf(tools, { ...question, first6, last4 }) : undefined;
      return {
        ...known,
        scheme: schemeOf(row.scheme),
        schemes: (row.schemes ?? row.scheme).split(',').map(schemeOf),
        has_cvc: await tools.cvcs.has(question.token_hash, question.checkout_id),
        ...(sandbox_risk !== undefined && { sandbox_risk }),
        ...(token_kind !== null && {
          wallet: { is_network_token, approved_minor: approved_minor?.toString() ?? null, approved_currency },
        }),
      };
    },
    remove: (removal) => removeCard(tools, removal),
    putApiKey: (key) => putApiKey(tools.db, key),
    removeApiKey: ({ id }) => removeApiKey(tools.db, id),
    ready: async () => (await tools.keys.status()) === 'ok' && (await tools.db.ready()),
    putPartner: ({ merchant_account_id, name }) => putPartner(tools.db, merchant_account_id, name),
    keepCredentials: (of) => keepCredentials(tools, of),
    wallets: async ({ merchant_account_id }) => {
      const identity = await identityOf(tools, merchant_account_id);
      const lacks = identity ? await lacksOf(tools, merchant_account_id) : [];
      const { offer } = await googleOf(tools, merchant_account_id);
      return {
        ...(identity && lacks.length === 0 && { apple_pay: { country: identity.country } }),
        ...(offer && { google_pay: offer }),
      };
    },
    walletSession: (asked) => appleSession(tools, asked),
    moveClock: ({ shift_ms }) => moveClock(tools, shift_ms),
  };
}

function schemeOf(text: string): Scheme {
  const scheme = SCHEME_NAMES.find((name) => name === text);
  if (!scheme) throw new Error('a stored card has a known scheme');
  return scheme;
}
