// The demo shop of a world, and a cart of it.
import { systemChance, systemClock } from '../../src/kit/clock.ts';
import type { Egress } from '../../src/kit/egress.ts';
import { type Shop, startShop } from '../../src/shop/shop.ts';
import type { World } from '../world.ts';

export function openShop(w: World, egress: Egress, page_inputs: World['keys'] = w.keys): Promise<Shop> {
  const { base_url, vault_url } = w.service.addresses;
  return startShop({
    host: '127.0.0.1',
    port: 0,
    api_url: base_url,
    vault_url,
    brand: 'florin',
    environment: 'sandbox',
    egress,
    chance: systemChance(systemClock()),
    keys: { elements: w.keys, 'page-inputs': page_inputs, hosted: w.keys },
  });
}

export const CART = {
  id: 'abc',
  way: 'elements',
  amount: '42.50',
  lang: 'en',
  checkout_id: '',
  redirect_url: '',
  payment_methods: {},
  order_id: '',
  unanswered: undefined,
} as const;
