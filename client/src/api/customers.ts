import type { CallOptions, Connection } from '../send/send.ts';
import type { Customer, SavedCardRemoval } from '../wire/schemas.ts';
import { ask } from './call.ts';

export type Customers = {
  /** GET /payment/information/{customer_id}: a customer with the cards they saved. */
  read(customer_id: string, options?: CallOptions): Promise<Customer>;
  /** DELETE /payment/information/id: removes one saved card, or all where neither token nor id is given. */
  removeSavedCards(removal: SavedCardRemoval, options?: CallOptions): Promise<Customer>;
};

export function customersOf(connection: Connection): Customers {
  return {
    read: (customer_id, options) => ask(connection, 'readCustomer', { params: { customer_id }, options }),
    removeSavedCards: (body, options) => ask(connection, 'removeSavedCards', { body, options }),
  };
}
