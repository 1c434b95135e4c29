// Attempts as they are stored, for the same questions as of a new one.
import { type CardOrigin, FUNDINGS } from '../../core/origin/origins.ts';
import type { RouteFacts } from '../../core/routing/facts.ts';
import type { World } from '../../core/routing/route.ts';
import type { RoutingInForce } from '../../core/routing/table.ts';
import { textOf } from '../order-texts.ts';
import type { Tools } from '../tools.ts';
import { type RoutedAttempt, authenticationFacts, drawerOf, factsOf, unauthenticated } from './facts.ts';
import { type RouteNote, idOf } from './note.ts';
import type { StoredAttempt } from './trial/attempts-store.ts';

type Asked = Pick<Tools, 'secret_key' | 'origins'>;

export type Past = {
  /** The facts as they were known when the contract was chosen. */
  readonly facts: RouteFacts;
  /** With the end of its authentication, which other rules may ask for. */
  ended(): RouteFacts;
  readonly draw: World['draw'];
  readonly named: string | undefined;
};

/**
 * What was known of a past attempt, chosen among these contracts. For the card, the note counts more than today's BIN
 * table.
 */
export function pastOf(
  { secret_key, origins }: Asked,
  { merchant_account_id, contracts }: { readonly merchant_account_id: string; readonly contracts: Known },
  row: StoredAttempt,
): Past {
  const { body, amount_minor, currency, at, scheme, first6, last4, checkout_id, marked } = row;
  const { f } = row.route?.shape.note ?? {};
  const attempt: RoutedAttempt = {
    body,
    amount_minor,
    currency,
    at,
    scheme,
    first6,
    checkout_id,
    marked,
    attempt: row.attempt,
    token_type: row.token_type ?? 'oneshot',
    foreign: row.card_digest === null,
    // few rules ask for it, and it is looked for in a table
    get origin() {
      return originThen(f, origins.cardOf({ first6, last4 }));
    },
    authentication: f === undefined ? NOT_KNOWN : authenticationThen(f),
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

type Kept = NonNullable<RouteNote['f']>;

function originThen(kept: Kept | undefined, today: CardOrigin): CardOrigin {
  if (kept === undefined) return today;
  const { card_country: country = today.country, issuer = today.issuer, funding } = kept;
  return { country, issuer, funding: FUNDINGS.find((one) => one === funding) ?? today.funding };
}

const NOT_KNOWN: RoutedAttempt['authentication'] = {};

function authenticationThen({ card_country, issuer, funding, ...then }: Kept): RoutedAttempt['authentication'] {
  return then;
}

/** The end of the authentication. Undefined: it has not ended, or it was made elsewhere. */
function endOf({ body, authentication: own }: StoredAttempt): RoutedAttempt['authentication'] {
  if (own === null) return body['3ds_data'] === undefined ? unauthenticated(body) : undefined;
  const { trans_status, eci, liability_shifted } = own;
  if (own.state !== 'successful' && own.state !== 'declined') return undefined;
  return trans_status === null ? unauthenticated(body) : authenticationFacts({ trans_status, eci, liability_shifted });
}

type Known = RoutingInForce['contracts'];

/** The contract that the request names; of a later try that waited for nothing but time, that of the try before. */
function namedOf({ body, route, contract_before }: StoredAttempt, contracts: Known): string | undefined {
  const { n = 0, o = [], x = [] } = route?.shape.note ?? {};
  const named = n > 0 ? o.slice(0, 1) : n < 0 ? x.map(([one]) => one) : [];
  if (contract_before !== null && named.some((one) => idOf(one, contracts) === contract_before)) return contract_before;
  return textOf(body['merchant_contract']);
}
