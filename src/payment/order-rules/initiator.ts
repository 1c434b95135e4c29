// Who makes a payment: asked by the limits of card schemes, by later tries, and by routing.

/** p: the payer is there; m: the merchant pays alone, with a card that was stored. */
export type Initiator = 'p' | 'm';

type Order = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly checkout_id: string | null;
};

export function initiatorOf({ body, checkout_id }: Order): Initiator {
  return initiatorBy({ channel: body['payment_channel'], by_checkout: checkout_id !== null });
}

/** Payments without the payer are those of the channel recurring without a checkout (contract 4.1). */
export function initiatorBy({ channel, by_checkout }: { readonly channel: unknown; by_checkout: boolean }): Initiator {
  return channel === 'recurring' && !by_checkout ? 'm' : 'p';
}

/** As routing rules name it. */
export const INITIATOR_WORDS = { p: 'payer', m: 'merchant' } as const satisfies Readonly<Record<Initiator, string>>;
