// @florin/client: what a merchant's server pays with. No card comes near it: see @florin/client/vault.
import { type Checkouts, checkoutsOf } from './api/checkouts.ts';
import { type Customers, customersOf } from './api/customers.ts';
import { type Endpoints, type Notifications, endpointsOf, notificationsOf } from './api/endpoints.ts';
import { type Links, linksOf } from './api/links.ts';
import { type Orders, ordersOf } from './api/orders.ts';
import { type Sandbox, sandboxOf } from './api/sandbox.ts';
import { type Clock, SYSTEM_CLOCK } from './send/clock.ts';
import { checkPrivateKey, originOf } from './send/origin.ts';
import type { CallOptions, Fetch } from './send/send.ts';

export type FlorinOptions = {
  /** The address of the payment API. */
  readonly base_url: string;
  /** A private key. */
  readonly key: string;
  /** For every call that says nothing else. */
  readonly defaults?: Omit<CallOptions, 'idempotency_key' | 'signal'>;
  /** Instead of the runtime's own, for a proxy of yours. */
  readonly fetch?: Fetch;
  /** Instead of the runtime's own, for tests. */
  readonly clock?: Clock;
};

/** One method for each route that a merchant calls. */
export class Florin {
  readonly checkouts: Checkouts;
  readonly orders: Orders;
  readonly customers: Customers;
  readonly links: Links;
  readonly endpoints: Endpoints;
  readonly notifications: Notifications;
  readonly sandbox: Sandbox;

  constructor({ base_url, key, defaults = {}, fetch: own, clock = SYSTEM_CLOCK }: FlorinOptions) {
    checkPrivateKey(key);
    const request: Fetch = own ?? ((url, init) => fetch(url, init));
    const connection = { origin: originOf('base_url', base_url), key, fetch: request, clock, defaults };
    this.checkouts = checkoutsOf(connection);
    this.orders = ordersOf(connection);
    this.customers = customersOf(connection);
    this.links = linksOf(connection);
    this.endpoints = endpointsOf(connection);
    this.notifications = notificationsOf(connection);
    this.sandbox = sandboxOf(connection);
  }
}

export type { Checkouts, Clock, Customers, Endpoints, Fetch, Links, Notifications, Orders, Sandbox };
export type { CallOptions, RepeatOptions } from './send/send.ts';
export type { Waitable, WaitOptions } from './api/wait.ts';
export type { Page, Rows } from './pages.ts';
export * from './errors.ts';
export * from './money.ts';
export * from './outcome.ts';
export type * from './operation.ts';
export type * from './wire/schemas.ts';
export type { ResultName } from './wire/codes.ts';
