// The hosts to which a payer may be led: those that the account allows (return_url_hosts). A stolen key leads no payer
// elsewhere.
import type { Reading } from '../../core/shape.ts';
import type { Account } from '../merchant/account.ts';
import { RETURN_URLS } from './groups.ts';

const NAMES = Object.keys(RETURN_URLS);

export type ReturnHosts = { readonly settings: Pick<Account['settings'], 'return_url_hosts'> };

/** Asked when an address is given, and once more when a payer is led there: hosts may have been taken out meanwhile. */
export function mayLeadTo(url: string, { settings: { return_url_hosts: hosts } }: ReturnHosts): boolean {
  return hosts.length === 0 || hosts.includes(URL.parse(url)?.hostname ?? '');
}

/** Refuses every address given in this request whose host is none of them; none listed = any. */
export function checkReturnHosts(
  body: Readonly<Record<string, unknown>>,
  reading: Reading,
  account: ReturnHosts,
): void {
  for (const name of NAMES) {
    const url = body[name];
    if (typeof url === 'string' && !mayLeadTo(url, account))
      reading.refuse(name, 'must be at a host that the account allows (return_url_hosts)');
  }
}
