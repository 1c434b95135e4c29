// A merchant's server that uses the client library.
import {
  Florin,
  type OrderAnswer,
  type OrderRequest,
  type PaymentOutcome,
  type Waitable,
} from '../../client/src/florin.ts';
import { type FlorinVault, openVault } from '../../client/src/vault.ts';
import { GOOD_CARD } from '../client.ts';
import type { World } from '../world.ts';

export type Merchant = {
  readonly florin: Florin;
  readonly vault: FlorinVault;
  /** Pays a sale with a card, under a reference of its own. */
  pay(card_number?: string, fields?: OrderRequest, wait_seconds?: number): Promise<Waitable<OrderAnswer>>;
};

export const SALE = { operation_type: 'direct_capture', amount: '42.50', currency: 'EUR' } as const;
let carts = 0;
export const cart = () => ({ order_merchant_id: `cart-${process.pid}-${carts++}` });

export function merchantAt(w: World): Merchant {
  const { base_url, vault_url } = w.service.addresses;
  const florin = new Florin({ base_url, key: w.keys.private_key });
  const vault = openVault({ vault_url, key: w.keys.public_key });
  return {
    florin,
    vault,
    pay: async (card_number = GOOD_CARD.card_number, fields = {}, wait_seconds = 10) => {
      const { token } = await vault.tokenize({ ...GOOD_CARD, card_number });
      return florin.orders.create({ ...SALE, ...cart(), token, ...fields }, { wait_seconds });
    },
  };
}

/** Throws where the outcome knows of no order. */
export function orderOf(outcome: PaymentOutcome): string {
  if (outcome.order_id === undefined) throw new Error('no order');
  return outcome.order_id;
}
