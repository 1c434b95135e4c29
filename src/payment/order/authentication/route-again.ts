// Rules that ask how the payer's authentication ended are asked once more when it has: nothing was sent yet, and
// another contract may suit it better, or none. Accounts without such a rule ask nothing here.
import type { ResultName } from '../../../core/results.ts';
import type { Proof } from '../../../provider/three-ds/contract.ts';
import { shiftsLiability } from '../../../provider/three-ds/answers.ts';
import { guardOf } from '../../declines/guard.ts';
import { findCardOf, findHeld } from '../../declines/store.ts';
import type { Account, Contract } from '../../merchant/account.ts';
import { initiatorOf } from '../../order-rules/initiator.ts';
import { takingContracts, wantedOf } from '../../routing/choose.ts';
import { asksAuthentication, chooseRoute } from '../../routing/decide.ts';
import { authenticationFacts, unauthenticated } from '../../routing/facts.ts';
import type { RouteKept } from '../../routing/note.ts';
import type { Tools } from '../../tools.ts';
import type { AuthenticationFacts } from '../facts/authentication-facts.ts';
import { type OrderFacts, lastTransaction } from '../facts/order-facts.ts';

export type RoutedAgain = { readonly route: RouteKept | null } & (
  | { readonly contract: Contract; readonly fallbacks: readonly Contract[] }
  | { readonly refused: ResultName }
);

type Asking = {
  readonly account: Pick<Account, 'settings' | 'contracts'>;
  readonly found: Pick<AuthenticationFacts, 'demand'>;
  /** The proof of the authentication. Undefined: it left none. */
  readonly proof: Proof | undefined;
};

/** Asks the rules again. Undefined: the attempt stays at its contract. */
export async function routeAgain(
  tools: Tools,
  order: OrderFacts,
  { account, found, proof }: Asking,
): Promise<RoutedAgain | undefined> {
  const { settings, contracts } = account;
  // an issuer that wants to see the payer gets the answer where it asked; and a fallback was chosen with its attempt
  if (found.demand === 'soft_decline' || lastTransaction(order).cascade_of !== null) return undefined;
  if (!asksAuthentication(settings)) return undefined;
  const { merchant_account_id, id: order_id, checkout_id, body, amount_minor, currency } = order;
  const transaction = lastTransaction(order);
  const { payment_method_name: scheme, first6, last4, created_at } = transaction;
  const card_digest = (await findCardOf(tools.db.tenant(merchant_account_id), order)) ?? null;
  const { merchant_contract: named, customer_id } = body;
  const attempt = order.transactions.length;
  const taking = takingContracts(
    tools.providers,
    { contracts },
    { partner: null, network_token: transaction.network_token, three_ds_data: proof !== undefined },
  );
  // one that sees the payer itself would send them away once more, unless it takes what they have proved
  const may = taking.contracts.filter(
    ({ provider }) => proof !== undefined || !tools.providers.get(provider)?.can.three_ds.includes('redirect'),
  );
  const chosen = chooseRoute(tools, {
    account: { settings, merchant_account_id },
    may: { contracts: may },
    wanted: wantedOf(body, { currency, payment_method_name: scheme }),
    named: typeof named === 'string' ? named : undefined,
    attempt: {
      body,
      checkout_id,
      amount_minor,
      currency,
      scheme,
      first6,
      last4,
      at: new Date(created_at),
      token_type: transaction.token_type ?? 'oneshot',
      foreign: false,
      marked: transaction.risk?.marked !== undefined,
      attempt,
      authentication: proof
        ? authenticationFacts({ ...proof, liability_shifted: shiftsLiability(scheme, proof.trans_status, proof.eci) })
        : unauthenticated(body),
    },
    subject: { order_id, attempt, customer_id: typeof customer_id === 'string' ? customer_id : null, card_digest },
  });
  if ('refused' in chosen) return chosen;
  const moves = chosen.contract.id !== transaction.contract_id;
  return moves && (await isHeld(tools, order, { settings, contract_id: chosen.contract.id, card_digest }))
    ? undefined
    : chosen;
}

type Going = {
  readonly settings: Account['settings'];
  readonly contract_id: string;
  readonly card_digest: string | null;
};

/** If the limits hold for payers too: do they forbid the try at the other contract? */
async function isHeld(
  tools: Tools,
  order: OrderFacts,
  { settings, contract_id, card_digest: card }: Going,
): Promise<boolean> {
  const { merchant_account_id, amount_minor, currency } = order;
  const { payment_method_name: scheme, exp_month, exp_year } = lastTransaction(order);
  const initiator = initiatorOf(order);
  const { limitsOn } = tools.caps;
  const guard = guardOf(settings, { card, scheme, initiator, exp_month, exp_year, amount_minor, currency, limitsOn });
  if (!guard) return false;
  const at = tools.clock.now();
  const db = tools.db.tenant(merchant_account_id);
  return (await findHeld(db, { merchant_account_id, contract_id }, { guard, at })) !== undefined;
}
