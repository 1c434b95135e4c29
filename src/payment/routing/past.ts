// Attempts as they are stored, for the same questions as of a new one: what is asked of them, and the choice made again
// from its note.
import { FUNDINGS } from '../../core/origin/origins.ts';
import type { RouteFacts } from '../../core/routing/facts.ts';
import type { WeightsInForce } from '../../core/routing/learn/in-force.ts';
import type { Routed, World } from '../../core/routing/route.ts';
import type { RoutingInForce } from '../../core/routing/table.ts';
import { textOf } from '../order-texts.ts';
import type { Tools } from '../tools.ts';
import { type RoutedAttempt, authenticationFacts, drawerOf, factsOf, unauthenticated } from './facts.ts';
import { type RouteNote, idOf, replay } from './note.ts';
import type { StoredAttempt } from './trial/attempts-store.ts';

type Asked = Pick<Tools, 'secret_key' | 'origins'>;

export type Past = {
  /** As they were known when it was chosen. */
  readonly facts: RouteFacts;
  /** With the end of its authentication, which other rules may ask for. */
  ended(): RouteFacts;
  readonly draw: World['draw'];
  readonly named: string | undefined;
};

/**
 * What was known of it, chosen among these contracts; of a card, what the note kept before what the table says today.
 */
export function pastOf(
  { secret_key, origins }: Asked,
  { merchant_account_id, contracts }: { readonly merchant_account_id: string; readonly contracts: Known },
  row: StoredAttempt,
): Past {
  const { body, route, token_type } = row;
  const { first6, last4 } = row;
  const today = origins.cardOf({ first6, last4 });
  const { card_country: country = today.country, issuer = today.issuer, funding: kept, ...then } = route?.f ?? {};
  const funding = FUNDINGS.find((one) => one === kept) ?? today.funding;
  const attempt: RoutedAttempt = {
    ...row,
    token_type: token_type ?? 'oneshot',
    foreign: row.card_digest === null,
    origin: { country, issuer, funding },
    authentication: then,
  };
  const { customer_id } = body;
  return {
    facts: factsOf(attempt),
    ended: () => factsOf({ ...attempt, authentication: endOf(row) }),
    draw: drawerOf(secret_key, {
      merchant_account_id,
      order_id: row.order_id,
      customer_id: typeof customer_id === 'string' ? customer_id : null,
      card_digest: row.card_digest,
      attempt: row.attempt,
    }),
    named: namedOf(row, contracts),
  };
}

/** Undefined: it has not ended, or it was made elsewhere. */
function endOf({ body, authentication: own }: StoredAttempt): RoutedAttempt['authentication'] {
  if (own === null) return body['3ds_data'] === undefined ? unauthenticated(body) : undefined;
  const { trans_status, eci, liability_shifted } = own;
  if (own.state !== 'successful' && own.state !== 'declined') return undefined;
  return trans_status === null ? unauthenticated(body) : authenticationFacts({ trans_status, eci, liability_shifted });
}

type Known = RoutingInForce['contracts'];

/** The contract that the request names; of a later try that waited for nothing but time, that of the try before. */
function namedOf({ body, route, contract_before }: StoredAttempt, contracts: Known): string | undefined {
  const { n = 0, o = [], x = [] } = route ?? {};
  const named = n > 0 ? o.slice(0, 1) : n < 0 ? x.map(([one]) => one) : [];
  if (contract_before !== null && named.some((one) => idOf(one, contracts) === contract_before)) return contract_before;
  return textOf(body['merchant_contract']);
}

/** What an attempt was chosen by: the rules of its day, and what they had learnt. */
export type Then = { readonly table: RoutingInForce; readonly weights: WeightsInForce | undefined };

/** With the account's contracts, which a version of no rules does not know. */
export type Again = Then & { readonly contracts: RoutingInForce['contracts'] };

/** The choice that the rules of its day make of it now; its note must be the one that was kept. */
export function chooseAgain(
  past: Past,
  note: RouteNote,
  { table, weights, contracts }: Again,
): { readonly routed: Routed; readonly note: RouteNote } {
  const named = [...table.contracts, ...contracts].find(({ id, name }) => id === past.named || name === past.named)?.id;
  return replay({ ...past, named: named ?? past.named, note, table, weights });
}
