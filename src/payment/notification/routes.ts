// The routes of contract 13.4.
import { type TableRoute, privateRoute } from '../../kit/http/route.ts';
import { withNotes } from '../../kit/http/schema.ts';
import type { Account } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import { activateEndpoint, createEndpoint, exchangeSecret, listAll, removeEndpoint } from './endpoint/manage.ts';
import { ENDPOINT, ENDPOINT_NOTES, ROTATION, ROTATION_NOTES, checkEndpoint } from './endpoint/request.ts';
import { tryEndpoint } from './endpoint/try.ts';
import { NOTIFICATION_QUERY, listNotifications } from './history/list.ts';
import { REPLAY, REPLAY_NOTES, replayMany, replayOne } from './history/replay.ts';
import {
  ACTIVATION_ANSWER,
  DONE_ANSWER,
  ENDPOINT_ANSWER,
  ENDPOINT_LIST,
  NOTIFICATION_LIST,
  REPLAY_ANSWER,
  TEST_ANSWER,
} from './schema.ts';

const tag = 'Notification';
const scope = 'notifications';

type NotificationRoute = TableRoute<Tools, Account>;

export function notificationRoutes(): readonly NotificationRoute[] {
  return [...endpointRoutes(), ...historyRoutes()];
}

function endpointRoutes(): readonly NotificationRoute[] {
  const create: NotificationRoute = privateRoute({
    method: 'POST',
    path: '/notification/endpoint',
    tag,
    scope,
    operation_id: 'createEndpoint',
    summary: 'Register an address that gets notifications of events',
    body: ENDPOINT,
    answer: ENDPOINT_ANSWER,
    // of a key whose endpoint was deleted since
    refusals: ['object_unknown'],
    check: checkEndpoint,
    handle: createEndpoint,
  });
  const rotate: NotificationRoute = privateRoute({
    method: 'POST',
    path: '/notification/endpoint/:endpoint_id/secret',
    tag,
    scope,
    operation_id: 'rotateEndpointSecret',
    summary: 'Make a new secret; for a while both are good',
    body: ROTATION,
    bodiless: true,
    answer: ENDPOINT_ANSWER,
    refusals: ['object_unknown'],
    handle: exchangeSecret,
  });
  return [
    noted(create, ENDPOINT_NOTES, {
      title: 'EndpointRequest',
      examples: [{ url: 'https://shop.example/florin', events: ['authorization_successful', 'capture_successful'] }],
    }),
    privateRoute({
      method: 'GET',
      path: '/notification/endpoint',
      tag,
      scope,
      operation_id: 'listEndpoints',
      summary: 'List the endpoints, with their health',
      answer: ENDPOINT_LIST,
      handle: (tools, { caller }) => listAll(tools, caller),
    }),
    privateRoute({
      method: 'DELETE',
      path: '/notification/endpoint/:endpoint_id',
      tag,
      scope,
      operation_id: 'deleteEndpoint',
      summary: 'Delete an endpoint; what waits for it is dropped',
      answer: DONE_ANSWER,
      refusals: ['object_unknown'],
      handle: removeEndpoint,
    }),
    privateRoute({
      method: 'POST',
      path: '/notification/endpoint/:endpoint_id/test',
      tag,
      scope,
      operation_id: 'testEndpoint',
      summary: 'Send a notification of the event test, and wait for the answer',
      answer: TEST_ANSWER,
      refusals: ['object_unknown'],
      handle: tryEndpoint,
    }),
    privateRoute({
      method: 'POST',
      path: '/notification/endpoint/:endpoint_id/activate',
      tag,
      scope,
      operation_id: 'activateEndpoint',
      summary: 'Switch an endpoint on again that an answer 410 had switched off',
      answer: ACTIVATION_ANSWER,
      refusals: ['object_unknown'],
      handle: activateEndpoint,
    }),
    noted(rotate, ROTATION_NOTES, { title: 'SecretRotation', examples: [{ overlap_hours: 24 }] }),
  ];
}

function historyRoutes(): readonly NotificationRoute[] {
  const range: NotificationRoute = privateRoute({
    method: 'POST',
    path: '/notification/replay',
    tag,
    scope,
    operation_id: 'replayNotifications',
    summary: 'Send the notifications of a range again',
    body: REPLAY,
    answer: REPLAY_ANSWER,
    handle: replayMany,
  });
  return [
    privateRoute({
      method: 'GET',
      path: '/notification',
      tag,
      scope,
      operation_id: 'listNotifications',
      summary: 'List notifications, newest first',
      query: NOTIFICATION_QUERY,
      answer: NOTIFICATION_LIST,
      handle: (tools, { caller, query }) => listNotifications(tools, caller, query),
    }),
    privateRoute({
      method: 'POST',
      path: '/notification/:notification_id/replay',
      tag,
      scope,
      operation_id: 'replayNotification',
      summary: 'Send a notification again, with the same id and body',
      answer: DONE_ANSWER,
      refusals: ['object_unknown'],
      handle: replayOne,
    }),
    noted(range, REPLAY_NOTES, { title: 'NotificationRange', examples: [{ endpoint_id: '66bf1a105d1c9a0e47b2f360' }] }),
  ];
}

function noted(
  route: NotificationRoute,
  notes: typeof ENDPOINT_NOTES,
  about: { title: string; examples: readonly object[] },
): NotificationRoute {
  return { ...route, body: route.body && withNotes(route.body, { Notification: notes }, about) };
}
