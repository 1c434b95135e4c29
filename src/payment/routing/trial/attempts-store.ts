// Attempts of orders with all that routing asks of them, page by page: what a trial of rules reads.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import type { NoteShapes, StoredNote } from './notes.ts';

export type StoredAttempt = {
  readonly order_id: string;
  readonly at: Date;
  readonly attempt: number;
  /** The order was tried again: its fields are those of the last attempt. */
  readonly again: boolean;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly checkout_id: string | null;
  /** The order's own members over its checkout's. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly scheme: string;
  readonly first6: string | null;
  readonly last4: string | null;
  readonly token_type: string | null;
  readonly card_digest: string | null;
  readonly network_token: boolean;
  readonly provider: string;
  readonly contract_id: string | null;
  /** For a later try: the contract of the try before. */
  readonly contract_before: string | null;
  readonly marked: boolean;
  /** No contract was ever chosen for it. */
  readonly refused_by_risk: boolean;
  readonly route: StoredNote | null;
  /** The attempt's own authentication; null: none was made, or it was not asked for. */
  readonly authentication: {
    readonly state: string;
    readonly trans_status: string | null;
    readonly eci: string | null;
    readonly liability_shifted: boolean;
  } | null;
  /** Whether its authorization was approved; null: not decided, or nothing was sent. */
  readonly approved: boolean | null;
  /** The state of its authorization; null: there was none. */
  readonly state: string | null;
  readonly code: string | null;
  /** The further tries after a decline, in order. */
  readonly further: readonly Try[];
};

/** An authorization at one contract. */
export type Try = Pick<StoredAttempt, 'contract_id' | 'state'>;

export type AttemptsAsked = {
  /** Attempts of orders with an id after this one, up to another one. */
  readonly after: string;
  readonly to: string;
  readonly room: number;
  /** Whether a rule asks how authentications ended. */
  readonly ended: boolean;
  readonly notes: NoteShapes;
  readonly commons: Commons;
};

/** What thousands of attempts have in common, read as one text: as columns, the whole reading takes a third longer. */
type Common = Pick<
  StoredAttempt,
  | 'attempt'
  | 'again'
  | 'currency'
  | 'scheme'
  | 'token_type'
  | 'network_token'
  | 'provider'
  | 'contract_id'
  | 'marked'
  | 'refused_by_risk'
  | 'approved'
  | 'state'
  | 'code'
> & { readonly is_further: boolean };

/** More than most accounts have of a month; then it begins anew. */
const MOST_COMMONS = 5000;

export class Commons {
  private readonly known = new Map<string, Common>();

  read(text: string): Common {
    const known = this.known.get(text);
    if (known) return known;
    if (this.known.size >= MOST_COMMONS) this.known.clear();
    const made = commonOf(text.split(','));
    this.known.set(text, made);
    return made;
  }
}

/** Reads the words in the order in which the statement writes them; an empty word is an absent value. */
function commonOf(words: readonly string[]): Common {
  const [attempt, is_further, again, currency = '', scheme = '', token_type, network_token, provider = '', ...more] =
    words;
  const [contract_id, marked, refused_by_risk, state, code] = more;
  return {
    attempt: Number(attempt),
    is_further: is_further === 't',
    again: again === 't',
    currency,
    scheme,
    token_type: token_type || null,
    network_token: network_token === 't',
    provider,
    contract_id: contract_id || null,
    marked: marked === 't',
    refused_by_risk: refused_by_risk === 't',
    approved: state === 'successful' ? true : state === 'declined' ? false : null,
    state: state || null,
    code: code || null,
  };
}

type Stored = Omit<StoredAttempt, keyof Common | 'body' | 'further' | 'route'> & {
  readonly common: string;
  /** Two texts, which are read here for a third of what the database takes to make one of them. */
  readonly own: Body | null;
  readonly under: Body | null;
  readonly note: string | null;
};
type Body = Readonly<Record<string, unknown>>;

/**
 * Attempts of `room` orders, order by order; fallbacks inside an attempt stand with it. What only the first of them
 * tells is left out of the others.
 */
export async function findRouteAttempts(
  db: TenantRunner,
  { after, to, room, ended, ...known }: AttemptsAsked,
): Promise<readonly StoredAttempt[]> {
  const rows = await db.run<Stored>(
    'find_route_attempts',
    `SELECT
       concat_ws(
         ',', t.attempt, t.cascade_of IS NOT NULL, o.attempts > 1, o.currency,
         t.payment_method_name, coalesce(t.token_type, ''), t.network_token, t.provider,
         coalesce(encode(t.contract_id, 'hex'), ''), t.risk ->> 'marked' IS NOT NULL,
         coalesce(t.risk -> 'assessed' ->> 'code' LIKE '131%', false),
         coalesce(a.state, ''), coalesce(a.code, '')) AS common,
       o.id AS order_id, t.created_at AS at, o.amount_minor, o.checkout_id,
       CASE WHEN t.cascade_of IS NULL THEN o.body END AS own,
       CASE WHEN t.cascade_of IS NULL THEN c.body END AS under,
       t.first6, t.last4, t.card_digest,
       CASE WHEN t.cascade_of IS NULL THEN t.route::text END AS note,
       CASE
         WHEN t.attempt > 1 AND a.id IS NOT NULL AND a.request_id IS NULL THEN (
           SELECT b.contract_id
           FROM payment.transactions b
           WHERE b.order_id = o.id
             AND b.merchant_account_id = :merchant_account_id
             AND b.attempt < t.attempt
           ORDER BY b.attempt DESC
           LIMIT 1
         )
       END AS contract_before,
       (
         SELECT json_build_object(
           'state', u.state, 'trans_status', u.trans_status, 'eci', u.eci,
           'liability_shifted', u.liability_shifted)
         FROM payment.authentications u
         WHERE :ended::boolean
           AND u.order_id = o.id
           AND u.transaction_id = t.id
           AND u.merchant_account_id = :merchant_account_id
       ) AS authentication
     FROM (
       SELECT id, attempts, amount_minor, currency, checkout_id, body
       FROM payment.orders x
       WHERE x.merchant_account_id = :merchant_account_id
         AND x.id > :after
         AND x.id <= :to
       ORDER BY x.id
       LIMIT :room
     ) o
     JOIN payment.transactions t
       ON t.order_id = o.id
       AND t.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.checkouts c
       ON c.id = o.checkout_id
       AND c.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.operations a
       ON a.order_id = o.id
       AND a.merchant_account_id = :merchant_account_id
       AND a.id = t.id
     ORDER BY o.id, t.attempt`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      after: bytes(after),
      to: bytes(to),
      room,
      ended,
    },
  );
  return together(rows, known);
}

function together(rows: readonly Stored[], { notes, commons }: Pick<AttemptsAsked, 'notes' | 'commons'>) {
  const attempts: StoredAttempt[] = [];
  let further: Try[] = [];
  for (const row of rows) {
    const common = commons.read(row.common);
    if (common.is_further) {
      further.push(common);
      continue;
    }
    further = [];
    attempts.push(attemptOf(row, { common, further, route: row.note === null ? null : notes.read(row.note) }));
  }
  return attempts;
}

type More = Pick<StoredAttempt, 'further' | 'route'> & { readonly common: Common };

/** Member by member: a copy of all that both have takes longer than reading them did. */
function attemptOf(row: Stored, { common, further, route }: More): StoredAttempt {
  const { own, under } = row;
  return {
    order_id: row.order_id,
    at: row.at,
    attempt: common.attempt,
    again: common.again,
    amount_minor: row.amount_minor,
    currency: common.currency,
    checkout_id: row.checkout_id,
    body: under === null ? (own ?? {}) : { ...under, ...own },
    scheme: common.scheme,
    first6: row.first6,
    last4: row.last4,
    token_type: common.token_type,
    card_digest: row.card_digest,
    network_token: common.network_token,
    provider: common.provider,
    contract_id: common.contract_id,
    contract_before: row.contract_before,
    marked: common.marked,
    refused_by_risk: common.refused_by_risk,
    route,
    authentication: row.authentication,
    approved: common.approved,
    state: common.state,
    code: common.code,
    further,
  };
}
