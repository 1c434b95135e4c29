// Wire: notifications (contract 13.4).
//
//   POST   /api/notifications/endpoints                      EndpointForm → NewEndpoint
//   DELETE /api/notifications/endpoints/{id}                 Endpoints
//   POST   /api/notifications/endpoints/{id}/activate        Endpoints
//   POST   /api/notifications/endpoints/{id}/secret          {overlap_hours} → NewEndpoint
//   POST   /api/notifications/endpoints/{id}/test            TestSend
//   GET    /api/notifications/deliveries?…DeliveryFilters    DeliveryPage
//   POST   /api/notifications/deliveries/{id}/replay         Done
//   POST   /api/notifications/replay                         ReplayForm → Replayed
import type { Page } from '../wire.ts';

export type Endpoint = {
  readonly id: string;
  /** Shortened to its origin for those who may not change endpoints: path and query may hold a token. */
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly active: boolean;
  readonly created_at: string;
  readonly health: { readonly state: string; readonly failing_since: string | null; readonly waiting: number };
};
export type Endpoints = { readonly endpoints: readonly Endpoint[]; readonly events: readonly string[] };
export type EndpointForm = {
  readonly url: string;
  readonly events?: readonly string[];
  readonly description?: string;
  /** A secret that the receiver has already; if absent, we make one. */
  readonly secret?: string;
};
/** `secret` is shown this once. */
export type NewEndpoint = Endpoints & { readonly id: string; readonly secret: string };
export type TestSend = {
  readonly delivered: boolean;
  readonly http_status: number | null;
  readonly duration_ms: number;
};
export type DeliveryFilters = {
  readonly endpoint_id?: string;
  readonly order_id?: string;
  readonly event?: string;
  readonly state?: 'waiting' | 'delivered' | 'parked';
  readonly created_from?: string;
  readonly created_to?: string;
  readonly cursor?: string;
};
export type Delivery = {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event: string;
  readonly order_id: string | null;
  readonly sequence: number | null;
  readonly state: string;
  readonly tries: number;
  readonly last_http_status: number | null;
  readonly last_error: string | null;
  readonly next_try_at: string | null;
  readonly created_at: string;
  readonly body: unknown;
};
export type DeliveryPage = Page & { readonly deliveries: readonly Delivery[] };
/** `state`: parked unless given. */
export type ReplayForm = {
  readonly endpoint_id: string;
  readonly state?: 'parked' | 'delivered';
  readonly created_from?: string;
  readonly created_to?: string;
  /** `next_cursor` of the piece before. */
  readonly cursor?: string;
};
/** One part of a range; the next part begins after it. */
export type Replayed = Page & { readonly replayed: number; readonly has_more: boolean };
