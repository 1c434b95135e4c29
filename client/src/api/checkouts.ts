import type { CallOptions, Connection } from '../send/send.ts';
import type { CheckoutAnswer, CheckoutRequest } from '../wire/schemas.ts';
import { ask } from './call.ts';

export type Checkouts = {
  /** POST /payment/checkout: says what is to be paid, and until when. */
  create(request: CheckoutRequest, options?: CallOptions): Promise<CheckoutAnswer>;
  /** GET /payment/checkout/{checkout_id}: the checkout as it stands now, with its orders. */
  read(checkout_id: string, options?: CallOptions): Promise<CheckoutAnswer>;
};

export function checkoutsOf(connection: Connection): Checkouts {
  return {
    create: (body, options) => ask(connection, 'createCheckout', { body, options }),
    read: (checkout_id, options) => ask(connection, 'readCheckout', { params: { checkout_id }, options }),
  };
}
