import { type Rows, rowsOf } from '../pages.ts';
import type { CallOptions, Connection } from '../send/send.ts';
import type {
  EndpointActivation,
  EndpointAnswer,
  EndpointList,
  EndpointRequest,
  EndpointTest,
  ListNotificationsQuery,
  Notification,
  NotificationDone,
  NotificationList,
  NotificationRange,
  NotificationReplay,
  SecretRotation,
} from '../wire/schemas.ts';
import { ask } from './call.ts';

export type Endpoints = {
  /** POST /notification/endpoint: where notifications go. The secret they are signed with is answered only here. */
  create(request: EndpointRequest, options?: CallOptions): Promise<EndpointAnswer>;
  /** GET /notification/endpoint: all of them, with their health. */
  list(options?: CallOptions): Promise<EndpointList>;
  /** DELETE /notification/endpoint/{endpoint_id}: what waits for it is dropped. */
  delete(endpoint_id: string, options?: CallOptions): Promise<NotificationDone>;
  /** POST …/test: sends one of event `test`, and answers what came back. */
  test(endpoint_id: string, options?: CallOptions): Promise<EndpointTest>;
  /** POST …/activate: goes on with an endpoint that an answer 410 had switched off. */
  activate(endpoint_id: string, options?: CallOptions): Promise<EndpointActivation>;
  /** POST …/secret: a new secret; the old one stays good for `overlap_hours`. */
  rotateSecret(endpoint_id: string, request?: SecretRotation, options?: CallOptions): Promise<EndpointAnswer>;
};

export type Notifications = {
  /** GET /notification: what was sent or waits, newest first. */
  list(query?: ListNotificationsQuery, options?: CallOptions): Rows<Notification>;
  /** POST /notification/{notification_id}/replay: sends one again, with the same id and body. */
  replay(notification_id: string, options?: CallOptions): Promise<NotificationDone>;
  /** POST /notification/replay: sends those of a range again; go on with `cursor` while `has_more`. */
  replayRange(range: NotificationRange, options?: CallOptions): Promise<NotificationReplay>;
};

export function endpointsOf(connection: Connection): Endpoints {
  return {
    create: (body, options) => ask(connection, 'createEndpoint', { body, options }),
    list: (options) => ask(connection, 'listEndpoints', { options }),
    delete: (endpoint_id, options) => ask(connection, 'deleteEndpoint', { params: { endpoint_id }, options }),
    test: (endpoint_id, options) => ask(connection, 'testEndpoint', { params: { endpoint_id }, options }),
    activate: (endpoint_id, options) => ask(connection, 'activateEndpoint', { params: { endpoint_id }, options }),
    rotateSecret: (endpoint_id, body = {}, options) =>
      ask(connection, 'rotateEndpointSecret', { params: { endpoint_id }, body, options }),
  };
}

export function notificationsOf(connection: Connection): Notifications {
  return {
    list: (query = {}, options) =>
      rowsOf(async (cursor) => {
        const list = await ask<NotificationList>(connection, 'listNotifications', {
          query: { ...query, cursor },
          options,
        });
        return { rows: list.notifications, next_cursor: list.next_cursor ?? undefined };
      }, query.cursor ?? undefined),
    replay: (notification_id, options) =>
      ask(connection, 'replayNotification', { params: { notification_id }, options }),
    replayRange: (body, options) => ask(connection, 'replayNotifications', { body, options }),
  };
}
