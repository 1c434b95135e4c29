// The one thing the vault tells the money zone: a key was used there, so that the back office shows it. As a route of the payment
// host's link, and as the vault's host says it over that link. A hint: nothing hangs on its arrival.
import { isId, isToken } from '../../core/ids.ts';
import type { LinkClient } from '../../kit/link/client.ts';
import { LinkRefusal, type LinkRoute } from '../../kit/link/server.ts';
import { touchKey } from '../merchant/store.ts';
import type { Tools } from '../tools.ts';

const TELLING_MS = 1000;

export type KeyUse = {
  readonly merchant_account_id: string;
  readonly digest: string;
  /** A browser brought it, and it is a private one. */
  readonly in_page: boolean;
};

export function noteKeyUse({ db }: Pick<Tools, 'db'>, { merchant_account_id, digest, in_page }: KeyUse): Promise<void> {
  return touchKey(db.tenant(merchant_account_id), digest, in_page);
}

export function keyUseRoutes(tools: Pick<Tools, 'db'>): readonly LinkRoute[] {
  return [
    {
      method: 'PUT',
      path: '/internal/key_uses/:/:',
      peers: ['vault'],
      run: async ({ parameters: [merchant_account_id = '', digest = ''], body }) => {
        if (!isId(merchant_account_id) || !isToken(digest))
          throw new LinkRefusal('the path must hold an id and a digest');
        const in_page = typeof body === 'object' && body !== null && 'in_page' in body && body.in_page === true;
        await noteKeyUse(tools, { merchant_account_id, digest, in_page });
      },
    },
  ];
}

export function remoteKeyUses(link: LinkClient): (use: KeyUse) => Promise<void> {
  return async ({ merchant_account_id, digest, in_page }) => {
    const path = `/internal/key_uses/${merchant_account_id}/${digest}`;
    const exchange = await link.ask({ method: 'PUT', path, body: { in_page }, deadline_ms: TELLING_MS });
    if (exchange.kind !== 'answered' || exchange.status !== 200)
      throw new Error('the payment host was not told that a key is used');
  };
}
