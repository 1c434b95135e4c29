// Which authentication an order asks for (contract 4.1). Orders keep what was asked for: one that is tried again on
// another channel is authenticated as it says.
import { initiatorOf } from './initiator.ts';

type Order = Parameters<typeof initiatorOf>[0];

/**
 * no_3ds, ask_3ds or force_3ds; undefined: nothing was said. moto, and recurring without a checkout, are never
 * authenticated.
 */
export function indicatorOf(order: Order): string | undefined {
  const { payment_channel, authentication_indicator: said } = order.body;
  if (payment_channel === 'moto' || initiatorOf(order) === 'm') return 'no_3ds';
  return typeof said === 'string' ? said : undefined;
}

/**
 * The same as it holds. Nobody has authenticated the card's own number from a wallet: no_3ds, or nothing, counts as
 * ask_3ds (contract 6.6).
 */
export function demandedOf(order: Order): string | undefined {
  const said = indicatorOf(order);
  return order.body['wallet_card'] === true && (said === undefined || said === 'no_3ds') ? 'ask_3ds' : said;
}
