// Notifications: endpoints and their secrets, what was sent to whom, sent again, a test.
import { id24 } from '../core/fields.ts';
import { refuseProblems } from '../core/refusals.ts';
import { type Read, Reading, required } from '../core/shape.ts';
import {
  activateEndpoint,
  createEndpoint,
  exchangeSecret,
  removeEndpoint,
} from '../payment/notification/endpoint/manage.ts';
import type { Answer } from '../kit/http/route.ts';
import { shortened } from '../kit/outside/place.ts';
import { ENDPOINT, type EndpointRequest, ROTATION, checkEndpoint } from '../payment/notification/endpoint/request.ts';
import { listEndpoints } from '../payment/notification/endpoint/store.ts';
import { tryEndpoint } from '../payment/notification/endpoint/try.ts';
import { EVENTS } from '../payment/notification/events.ts';
import { NOTIFICATION_QUERY, notificationPage } from '../payment/notification/history/list.ts';
import { REPLAY, rangeOf, replayMany, replayOne } from '../payment/notification/history/replay.ts';
import { type BackofficeRequest, type BackofficeContext, type BackofficeRoute, backofficeRoute } from './context.ts';
import { mayRole } from './rights.ts';
import { asRequest } from './verb.ts';
import type { Done } from './wire.ts';
import type { DeliveryPage, Endpoints, NewEndpoint, Replayed, TestSend } from './wire/notifications.ts';

type Query = Parameters<typeof notificationPage>[2];

export function notificationRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'notifications' } as const;
  return [
    backofficeRoute(context, { route: 'GET /notifications', right: 'read', handle: readEndpoints }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /notifications/endpoints',
      body: ENDPOINT,
      handle: (asked) => create(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'DELETE /notifications/endpoints/:endpoint_id',
      handle: (asked) => remove(context, asked),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /notifications/endpoints/:endpoint_id/activate',
      handle: (asked) => activate(context, asked),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /notifications/endpoints/:endpoint_id/secret',
      body: { overlap_hours: required(ROTATION.overlap_hours) },
      handle: (asked) => rotate(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /notifications/endpoints/:endpoint_id/test',
      handle: (asked) => sendTest(context, asked),
    }),
    ...deliveryRoutes(context),
  ];
}

function deliveryRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'notifications' } as const;
  return [
    backofficeRoute(context, {
      route: 'GET /notifications/deliveries',
      right: 'read',
      query: { ...NOTIFICATION_QUERY, endpoint_id: id24 },
      handle: (asked) => readDeliveries(context, asked, asked.query),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /notifications/deliveries/:notification_id/replay',
      handle: (asked) => replay(context, asked),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /notifications/replay',
      body: REPLAY,
      handle: (asked) => replayRange(context, asked, asked.body),
    }),
  ];
}

async function readEndpoints({ db, principal }: BackofficeRequest): Promise<Endpoints> {
  const rows = await listEndpoints(db);
  const may_change = mayRole(principal.account, 'notifications');
  const endpoints = rows.map(({ id, url, events, description, state, created_at, failing_since, waiting }) => ({
    id,
    url: may_change ? url : shortened(url),
    events,
    description,
    active: state === 'on',
    created_at: created_at.toISOString(),
    health: {
      state: state === 'off' ? 'off' : failing_since ? 'failing' : 'ok',
      failing_since: failing_since?.toISOString() ?? null,
      waiting: Number(waiting),
    },
  }));
  return { endpoints, events: EVENTS };
}

function madeOf(answer: Pick<Answer, 'body'>): { readonly id: string; readonly secret: string } {
  const { endpoint } = answer.body;
  const made: Readonly<Record<string, unknown>> =
    typeof endpoint === 'object' && endpoint !== null ? { ...endpoint } : {};
  return { id: String(made['_id']), secret: String(made['secret']) };
}

async function create(
  context: BackofficeContext,
  asked: BackofficeRequest,
  body: EndpointRequest,
): Promise<NewEndpoint> {
  const reading = new Reading(context.tools.environment === 'production');
  checkEndpoint(body, reading, context);
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  const made = await createEndpoint(context.tools, {
    ...(await asRequest(context, asked, body)),
    also: (tx, { id, url }) =>
      asked.record(tx, { action: 'endpoint created', object: id, detail: { url: shortened(url) } }),
  });
  return { ...(await readEndpoints(asked)), ...madeOf(made) };
}

async function remove(context: BackofficeContext, asked: BackofficeRequest): Promise<Endpoints> {
  const object = asked.params['endpoint_id'] ?? '';
  await removeEndpoint(context.tools, {
    ...(await asRequest(context, asked, {})),
    also: (tx) => asked.record(tx, { action: 'endpoint removed', object }),
  });
  return readEndpoints(asked);
}

async function activate(context: BackofficeContext, asked: BackofficeRequest): Promise<Endpoints> {
  const object = asked.params['endpoint_id'] ?? '';
  await activateEndpoint(context.tools, {
    ...(await asRequest(context, asked, {})),
    also: async (tx, was_off) => {
      if (was_off) await asked.record(tx, { action: 'endpoint switched on', object });
    },
  });
  return readEndpoints(asked);
}

async function rotate(
  context: BackofficeContext,
  asked: BackofficeRequest,
  body: { readonly overlap_hours: number },
): Promise<NewEndpoint> {
  const made = await exchangeSecret(context.tools, {
    ...(await asRequest(context, asked, body)),
    also: (tx, { id }) => asked.record(tx, { action: 'endpoint secret changed', object: id, detail: body }),
  });
  return { ...(await readEndpoints(asked)), ...madeOf(made) };
}

/** The sending is outside of any transaction; its record is in the one that makes the test. */
async function sendTest({ tools }: BackofficeContext, asked: BackofficeRequest): Promise<TestSend> {
  const object = asked.params['endpoint_id'] ?? '';
  const answer = await tryEndpoint(tools, {
    ...(await asRequest({ tools }, asked, {})),
    also: (tx) => asked.record(tx, { action: 'test notification sent', object }),
  });
  const { delivered, http_status, duration_ms } = answer.body;
  return {
    delivered: delivered === true,
    http_status: typeof http_status === 'number' ? http_status : null,
    duration_ms: Number(duration_ms),
  };
}

async function readDeliveries(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  query: Query,
): Promise<DeliveryPage> {
  const { notifications, next_cursor } = await notificationPage(tools, asked.account_id, query);
  const deliveries = notifications.map(({ _id, next_try_date, createdAt, order_id, ...row }) => ({
    ...row,
    id: _id,
    next_try_at: next_try_date,
    created_at: createdAt,
    order_id: order_id === '' ? null : order_id,
  }));
  return { deliveries, next_cursor };
}

async function replay(context: BackofficeContext, asked: BackofficeRequest): Promise<Done> {
  const object = asked.params['notification_id'] ?? '';
  await replayOne(context.tools, {
    ...(await asRequest(context, asked, {})),
    also: (tx) => asked.record(tx, { action: 'notifications replayed', object, detail: { replayed: 1 } }),
  });
  return { done: true };
}

async function replayRange(
  context: BackofficeContext,
  asked: BackofficeRequest,
  body: Read<typeof REPLAY>,
): Promise<Replayed> {
  let range = rangeOf({ count: 0, last: null });
  await replayMany(context.tools, {
    ...(await asRequest(context, asked, body)),
    also: (tx, done) => {
      range = rangeOf(done);
      const detail = { ...body, replayed: done.count };
      return asked.record(tx, { action: 'notifications replayed', object: body.endpoint_id, detail });
    },
  });
  return range;
}
