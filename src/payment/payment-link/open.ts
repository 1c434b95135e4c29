// A payer opens a payment link: a checkout is made for them, and what they pay is paid there. Of a link for one payment
// only the checkout that was opened last can be paid (decision 107): the one before is ended by the same row that an
// order would count on.
import { HOUR_MS, MINUTE_MS } from '../../core/durations.ts';
import { idAt } from '../../core/ids.ts';
import { toMinor } from '../../core/money.ts';
import { type TenantRunner, withTransaction } from '../../kit/database.ts';
import { sha256 } from '../../kit/crypto.ts';
import { DEFAULT_ATTEMPTS } from '../checkout/create.ts';
import { cancelCheckout, findCheckout, insertCheckout } from '../checkout/store.ts';
import { checkoutStatus } from '../checkout/view.ts';
import { findUsedKey } from '../store.ts';
import type { Tools } from '../tools.ts';
import { type LinkRow, countOpening, findLately, findLink, lockLink } from './store.ts';
import { linkStatus } from './view.ts';

/** How long a payer has for one opening; the link may end it earlier. */
const LIFE_MS = HOUR_MS;
const HANDLE_BYTES = 32;
/** How often one link may be opened: people who try stolen cards open it again and again. */
const OPENED_PER_MINUTE = 60;
const UNPAID_PER_HOUR = 30;

export type Opening = {
  readonly link_id: string;
  /** The amount that the payer typed, in major units; undefined: the link has a fixed amount. */
  readonly amount: string | undefined;
  /** A number of the page that was shown: the same form sent twice makes one checkout. */
  readonly nonce: string;
};

export type Opened =
  | { readonly kind: 'checkout'; readonly page_handle: string }
  /** Paused, ended or expired. */
  | { readonly kind: 'shut' }
  /** The link was paid, or is being paid. */
  | { readonly kind: 'held' }
  /** What became of an earlier opening is not known. */
  | { readonly kind: 'doubt' }
  | { readonly kind: 'busy' }
  /** The amount is none, or outside the bounds. */
  | { readonly kind: 'amount' };

/** The state of a link, without opening it. */
export function standing(row: LinkRow, now: Date): 'open' | 'shut' | 'held' | 'doubt' {
  return paymentOf(row) ?? (linkStatus(row, now) === 'active' ? 'open' : 'shut');
}

/**
 * What keeps a link for one payment from another one. To its payer all openings are the same payment: to deny it, or to
 * ask for it again, would make them pay twice, here or elsewhere.
 */
export function paymentOf({ paid, paying, in_doubt }: LinkRow): 'held' | 'doubt' | undefined {
  if (paid || paying) return 'held';
  return in_doubt ? 'doubt' : undefined;
}

export function openLink(tools: Tools, merchant_account_id: string, opening: Opening): Promise<Opened> {
  return withTransaction(tools.db, merchant_account_id, async (tx) => {
    await lockLink(tx, opening.link_id);
    const link = await findLink(tx, opening.link_id);
    if (!link) return { kind: 'shut' };
    const again = await findUsedKey(tx, keyOf(opening));
    const made = again && (await findCheckout(tx, again.object_id));
    if (made?.page_handle) return { kind: 'checkout', page_handle: made.page_handle };
    const now = tools.clock.now();
    const stands = standing(link, now);
    if (stands !== 'open') return { kind: stands };
    const amount_minor = amountOf(link, opening.amount);
    if (amount_minor === undefined) return { kind: 'amount' };
    if (await isBusy(tx, link, now)) return { kind: 'busy' };
    if (!link.many && !(await endEarlier(tx, link.checkout_id))) return { kind: 'held' };
    return { kind: 'checkout', page_handle: await makeCheckout(tools, tx, { link, opening, amount_minor, now }) };
  });
}

const keyOf = ({ link_id, nonce, amount = '' }: Opening) => ({
  route: `payment link ${link_id}`,
  key: sha256(`${nonce}|${amount}`),
  fingerprint: sha256(''),
});

/** In minor units; undefined: it is not one that this link takes. */
function amountOf(link: LinkRow, typed: string | undefined): bigint | undefined {
  const { amount_minor, least_minor, most_minor, currency } = link;
  if (amount_minor !== null) return amount_minor;
  const read = toMinor(typed ?? '', currency);
  if ('problem' in read || least_minor === null || most_minor === null) return undefined;
  return read.minor >= least_minor && read.minor <= most_minor ? read.minor : undefined;
}

async function isBusy(tx: TenantRunner, { id }: LinkRow, now: Date): Promise<boolean> {
  const { opened, unpaid } = await latelyOf(tx, id, now);
  return opened >= OPENED_PER_MINUTE || unpaid >= UNPAID_PER_HOUR;
}

/** Asked again with each attempt: many may have opened the link before the first card failed. */
export async function isTriedTooOften(db: TenantRunner, link_id: string, now: Date): Promise<boolean> {
  return (await latelyOf(db, link_id, now)).unpaid >= UNPAID_PER_HOUR;
}

function latelyOf(db: TenantRunner, id: string, now: Date) {
  const opened_since = idAt(now.getTime() - MINUTE_MS);
  return findLately(db, { id, opened_since, unpaid_since: idAt(now.getTime() - HOUR_MS) });
}

/** Ends the checkout before this one. False: it is being paid, or was paid. */
async function endEarlier(tx: TenantRunner, checkout_id: string | null): Promise<boolean> {
  const earlier = checkout_id === null ? undefined : await findCheckout(tx, checkout_id);
  if (!earlier || (await cancelCheckout(tx, earlier))) return true;
  // it had ended by itself, or an order was quicker: what stands now says which
  const now = await findCheckout(tx, earlier.id);
  return now !== undefined && now.status !== 'created' && checkoutStatus(now, now.orders) !== 'completed';
}

type Making = {
  readonly link: LinkRow;
  readonly opening: Opening;
  readonly amount_minor: bigint;
  readonly now: Date;
};

async function makeCheckout(
  tools: Tools,
  tx: TenantRunner,
  { link, opening, amount_minor, now }: Making,
): Promise<string> {
  const { body, currency, expires_at } = link;
  const id = tools.chance.id();
  const page_handle = tools.chance.bytes(HANDLE_BYTES).toString('hex');
  const until = now.getTime() + LIFE_MS;
  const reference = body.order_merchant_id ?? '';
  const made = await insertCheckout(tx, {
    id,
    amount_minor,
    currency,
    now,
    expires_at: new Date(expires_at === null ? until : Math.min(until, expires_at.getTime())),
    body: {
      ...body,
      type: 'hosted_page',
      order_merchant_id: link.many ? `${reference}-${link.opened + 1}` : reference,
    },
    page_handle,
    max_attempts: Number(body.max_attempts ?? DEFAULT_ATTEMPTS),
    link_id: link.id,
    key: keyOf(opening),
  });
  if (!made) throw new Error('the key of an opening was free');
  await countOpening(tx, { id: link.id, checkout_id: id });
  return page_handle;
}
