// The one question the vault asks the money zone: may a token be bound to this checkout? As a route of the payment host's link,
// and as the vault's host asks it over that link.
import { isId } from '../../core/ids.ts';
import type { LinkClient } from '../../kit/link/client.ts';
import { LinkRefusal, type LinkRoute } from '../../kit/link/server.ts';
import { checkoutState } from '../checkout/read.ts';
import type { Tools } from '../tools.ts';

/** The vault waits no longer than this, and the order checks again (vault.md 3). */
const QUESTION_MS = 1000;

export function checkoutRoutes(tools: Pick<Tools, 'db'>): readonly LinkRoute[] {
  return [
    {
      method: 'GET',
      path: '/internal/checkouts/:/:',
      peers: ['vault'],
      run: async ({ parameters: [checkout_id = '', merchant_account_id = ''] }) => {
        if (!isId(checkout_id) || !isId(merchant_account_id)) throw new LinkRefusal('the path must hold two ids');
        return { state: await checkoutState(tools, checkout_id, merchant_account_id) };
      },
    },
  ];
}

export function remoteQuestion(link: LinkClient) {
  return async (checkout_id: string, merchant_account_id: string): Promise<'open' | 'closed'> => {
    const path = `/internal/checkouts/${checkout_id}/${merchant_account_id}`;
    const exchange = await link.ask({ method: 'GET', path, deadline_ms: QUESTION_MS });
    if (exchange.kind !== 'answered' || exchange.status !== 200)
      throw new Error('the payment host did not say whether a checkout is open');
    return exchange.body.equals(CLOSED) ? 'closed' : 'open';
  };
}

const CLOSED = Buffer.from(JSON.stringify({ state: 'closed' }));
