// A past to try rules on: orders of the last days as a shop has them, each chosen by the very code that chooses live.
// So a trial makes every one of them again. Written by SQL, many at once.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { DAY_MS } from '../src/core/durations.ts';
import { makeId } from '../src/core/ids.ts';
import type { Account } from '../src/payment/merchant/account.ts';
import { takingContracts, wantedOf } from '../src/payment/routing/choose.ts';
import { chooseRoute } from '../src/payment/routing/decide.ts';
import type { Tools } from '../src/payment/tools.ts';
import { type Random, seeded } from '../test/seeded.ts';

export type Past = {
  readonly orders: number;
  readonly days: number;
  readonly seed: number;
};

type Choosing = Pick<Tools, 'secret_key' | 'origins' | 'breaker' | 'providers'>;

const LOT = 5000;
const CARD = { first6: '424242', last4: '4242' };

/** Writes them as the superuser; each was made while the account had the rules that it has now. */
export async function writePast(
  admin: pg.Client,
  { tools, account }: { readonly tools: Choosing; readonly account: Account },
  { orders, days, seed }: Past,
): Promise<void> {
  const random = seeded(seed);
  const from = Date.now() - days * DAY_MS + 60_000;
  const step = (days * DAY_MS - 120_000) / orders;
  await admin.query('SET synchronous_commit = off');
  for (let first = 0; first < orders; first += LOT) {
    const lot = Array.from({ length: Math.min(LOT, orders - first) }, (_, i) =>
      rowOf({ tools, account, random }, Math.floor(from + (first + i) * step)),
    );
    await insert(admin, account.merchant_account_id, lot);
  }
  await admin.query('RESET synchronous_commit');
  await admin.query('VACUUM (ANALYZE)');
}

type Making = { readonly tools: Choosing; readonly account: Account; readonly random: Random };
type Made = Readonly<Record<string, unknown>>;

function rowOf({ tools, account, random }: Making, at_ms: number): Made {
  const of = <T>(list: readonly (readonly [T, number])[]): T => {
    let u = random();
    const found = list.find(([, share]) => (u -= share) < 0) ?? list[0];
    if (!found) throw new Error('there is something to draw from');
    return found[0];
  };
  const random_id = () => makeId(at_ms, randomBytes(6));
  const id = random_id();
  const at = new Date(at_ms);
  const currency = of([['EUR', 0.7], ['USD', 0.15], ['GBP', 0.08], ['PLN', 0.05], ['JPY', 0.02]]); // prettier-ignore
  const scheme = of([['visa', 0.5], ['mastercard', 0.35], ['american_express', 0.08], ['cb', 0.07]]); // prettier-ignore
  const saved = random() < 0.2;
  const customer_id = random() < 0.6 ? `customer-${Math.floor(random() * 100_000)}` : null;
  const operation_type = of([['direct_capture', 0.7], ['authorize', 0.3]]); // prettier-ignore
  const body = {
    operation_type,
    ...(customer_id !== null && { customer_id }),
    ...(random() < 0.03 && { merchant_contract: 'simulator' }),
    token_type: saved ? 'recurring' : 'oneshot',
    customer_email: `someone-${id.slice(-6)}@shop.example`,
    customer_country: of([['DE', 0.4], ['FR', 0.3], ['NL', 0.2], ['GB', 0.1]]), // prettier-ignore
    customer_first_name: 'Ada',
    customer_last_name: 'Lovelace',
    billing_address_line_1: '12 St James Square',
    billing_city: 'London',
    billing_zip: 'SW1Y 4JH',
    website_url: 'https://shop.example',
    order_description: 'Two books and a lamp, sent by post',
    merchant_data: [{ key: 'till', type: 'string', value: 'front' }],
  };
  const checkout_id = random() < 0.7 ? random_id() : null;
  const amount_minor = BigInt(100 + Math.floor(Math.exp(4 + 7 * random())));
  const card_digest = randomBytes(32);
  const { contracts } = takingContracts(tools.providers, account, {
    partner: null,
    network_token: false,
    three_ds_data: false,
  });
  const chosen = chooseRoute(tools, {
    account,
    may: { contracts },
    wanted: wantedOf(body, { currency, payment_method_name: scheme }),
    named: body.merchant_contract,
    attempt: {
      body,
      amount_minor,
      currency,
      at,
      scheme,
      ...CARD,
      checkout_id,
      token_type: body.token_type,
      foreign: false,
      marked: false,
      attempt: 1,
      authentication: undefined,
    },
    subject: { order_id: id, customer_id, card_digest: card_digest.toString('hex'), attempt: 1 },
  });
  if ('refused' in chosen) throw new Error(`an order of the bench was refused: ${chosen.refused}`);
  return {
    id: bytea(id),
    transaction_id: bytea(random_id()),
    checkout_id: checkout_id === null ? null : bytea(checkout_id),
    at: at.toISOString(),
    reference: `ref-${id}`,
    amount_minor: String(amount_minor),
    currency,
    scheme,
    body: checkout_id === null ? body : { customer_email: body.customer_email },
    checkout_body: body,
    operation_type,
    token_type: body.token_type,
    token_hash: bytea(randomBytes(32).toString('hex')),
    card_digest: bytea(card_digest.toString('hex')),
    provider: chosen.contract.provider,
    contract_id: bytea(chosen.contract.id),
    approved: random() < 0.85,
    authenticated: random() < 0.3,
    route: chosen.route?.note,
  };
}

const bytea = (hex: string) => `\\x${hex}`;

const DRAWN = `WITH drawn AS (
  SELECT *
  FROM json_to_recordset($2::json) AS r(
    id bytea, transaction_id bytea, checkout_id bytea, at timestamptz, reference text,
    amount_minor bigint, currency text, scheme text, body json, checkout_body json,
    operation_type text, token_type text, token_hash bytea, card_digest bytea, provider text,
    contract_id bytea, approved boolean, authenticated boolean, route json)
)`;

/** Each takes the account and the rows. */
const INSERTS = [
  `${DRAWN}
   INSERT INTO payment.checkouts (
     id, merchant_account_id, amount_minor, currency, created_at, expires_at, body, attempts)
   SELECT checkout_id, $1, amount_minor, currency, at, at + interval '1 hour', checkout_body, 1
   FROM drawn
   WHERE checkout_id IS NOT NULL`,
  `${DRAWN}
   INSERT INTO payment.orders (
     id, merchant_account_id, checkout_id, order_merchant_id, amount_minor, currency, body,
     fingerprint, created_at, updated_at, status, live, version, next_seq, winner_id,
     max_attempts, authorized_minor, captured_minor)
   SELECT
     id, $1, checkout_id, reference, amount_minor, currency, body,
     substr(token_hash, 1, 16), at, at,
     CASE WHEN approved THEN 'capture_successful' ELSE 'authorization_declined' END,
     approved, 2, 3, CASE WHEN approved THEN transaction_id END, 3,
     CASE WHEN approved THEN amount_minor ELSE 0 END,
     CASE WHEN approved THEN amount_minor ELSE 0 END
   FROM drawn`,
  `${DRAWN}
   INSERT INTO payment.transactions (
     id, order_id, merchant_account_id, provider, contract_id, token_hash, token_type,
     payment_method_name, card_digest, first6, last4, exp_month, exp_year, created_at, route,
     dead)
   SELECT
     transaction_id, id, $1, provider, contract_id, token_hash, token_type,
     scheme, card_digest, '424242', '4242', 12, 2034, at, route, NOT approved
   FROM drawn`,
  `${DRAWN}
   INSERT INTO payment.operations (
     id, order_id, merchant_account_id, transaction_id, provider, kind, amount_minor,
     currency, with_capture, order_merchant_id, request_id, created_at, sent_at, settled_at,
     state, provider_ref, due_at)
   SELECT
     transaction_id, id, $1, transaction_id, provider, 'authorize', amount_minor,
     currency, true, reference, transaction_id, at, at, at,
     CASE WHEN approved THEN 'successful' ELSE 'declined' END,
     encode(transaction_id, 'hex'), 'infinity'
   FROM drawn`,
  `${DRAWN}
   INSERT INTO payment.authentications (
     id, order_id, transaction_id, merchant_account_id, order_merchant_id, demand, state,
     handle, partner, trans_status, eci, liability_shifted, created_at, settled_at, due_at)
   SELECT
     transaction_id, id, transaction_id, $1, reference, 'ask_3ds', 'successful',
     token_hash, 'simulator', 'Y', '05', true, at, at, 'infinity'
   FROM drawn
   WHERE authenticated`,
];

async function insert(admin: pg.Client, merchant_account_id: string, rows: readonly Made[]): Promise<void> {
  const all = JSON.stringify(rows);
  for (const text of INSERTS) await admin.query(text, [bytea(merchant_account_id), all]);
}
