// A payment link as answers show it (contract 5.3).
import { longDate } from '../../core/dates.ts';
import { toMajor } from '../../core/money.ts';
import type { LinkOrderRow, LinkRow } from './store.ts';

export const LINK_STATUSES = ['active', 'paused', 'paid', 'expired', 'ended'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** The present status of a link: a payment that was made says more than later changes of the link. */
export function linkStatus({ state, paid, expires_at }: LinkRow, now: Date): LinkStatus {
  if (paid) return 'paid';
  if (state === 'ended') return 'ended';
  if (expires_at !== null && expires_at <= now) return 'expired';
  return state;
}

export function linkUrl({ handle }: Pick<LinkRow, 'handle'>, vault_url: string): string {
  return `${vault_url}/pay/${handle}`;
}

type Around = { readonly now: Date; readonly vault_url: string };

export function viewLink(row: LinkRow, { now, vault_url }: Around) {
  const { currency, amount_minor, least_minor, most_minor, body, expires_at } = row;
  const major = (minor: bigint | null) => (minor === null ? null : toMajor(minor, currency));
  return {
    link_id: row.id,
    status: linkStatus(row, now),
    url: linkUrl(row, vault_url),
    usage: row.many ? 'many' : 'once',
    amount: major(amount_minor),
    amount_least: major(least_minor),
    amount_most: major(most_minor),
    currency,
    ...body,
    merchant_data: body.merchant_data ?? [],
    opened: row.opened,
    is_in_doubt: row.in_doubt,
    expiration_date: expires_at === null ? null : longDate(expires_at),
    createdAt: row.created_at.toISOString(),
  };
}

export function viewLinkOrder({ id, amount_minor, currency, created_at, ...row }: LinkOrderRow) {
  return {
    order_id: id,
    ...row,
    amount: toMajor(amount_minor, currency),
    currency,
    createdAt: created_at.toISOString(),
  };
}
