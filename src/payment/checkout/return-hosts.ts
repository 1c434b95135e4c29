// Where a payer may be led: the hosts that the account allows (return_url_hosts). A key that was stolen leads no payer
// elsewhere.
import type { Reading } from '../../core/shape.ts';
import type { Account } from '../merchant/account.ts';
import { RETURN_URLS } from './groups.ts';

const NAMES = Object.keys(RETURN_URLS);

/** Refuses every address given in this request whose host is none of them; none listed = any. */
export function checkReturnHosts(
  body: Readonly<Record<string, unknown>>,
  reading: Reading,
  { settings: { return_url_hosts: hosts } }: Pick<Account, 'settings'>,
): void {
  if (hosts.length === 0) return;
  for (const name of NAMES) {
    const url = body[name];
    if (typeof url === 'string' && !hosts.includes(URL.parse(url)?.hostname ?? ''))
      reading.refuse(name, 'must be at a host that the account allows (return_url_hosts)');
  }
}
