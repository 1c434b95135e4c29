// Endpoints: made, listed, deleted, their secrets exchanged (contract 13.4). A secret is answered once, when it is
// made.
import { isId } from '../../../core/ids.ts';
import { Refusal, refuseField, refuseUnknown } from '../../../core/refusals.ts';
import { result } from '../../../core/results.ts';
import type { Answer, RouteRequest } from '../../../kit/http/route.ts';
import type { Account } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import { USUAL_EVENTS } from '../events.ts';
import { type WriteRequest, once } from '../../merchant/once.ts';
import { openSecret, sealSecret } from '../secret.ts';
import { makeSecret } from '../sign.ts';
import type { EndpointRequest, RotationRequest } from './request.ts';
import {
  type EndpointRow,
  type Tx,
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  rotateSecret,
  switchEndpointOn,
} from './store.ts';

const MOST_ENDPOINTS = 16;
const SECRET_BYTES = 32;
const OVERLAP_HOURS = 24;
const DONE = { result: result('request_completed') };

type Creation = WriteRequest<EndpointRequest, EndpointRow>;

export function createEndpoint(tools: Tools, request: Creation): Promise<Answer> {
  const { url, events = USUAL_EVENTS, description = '', secret: given } = request.body;
  const id = tools.chance.id();
  const whose = { merchant_account_id: request.caller.merchant_account_id, endpoint_id: id };
  const secret = given ?? makeSecret(tools.chance.bytes(SECRET_BYTES));
  return once(tools, request, {
    object_id: id,
    work: async (tx) => {
      const sealed = sealSecret(tools, whose, secret);
      if (!(await insertEndpoint(tx, { id, url, events, description, sealed }, MOST_ENDPOINTS)))
        throw refuseField(
          'url',
          'parameter_invalid',
          `is one too many: an account has at most ${MOST_ENDPOINTS} endpoints`,
        );
      return getEndpoint(tx, id);
    },
    answer: async (row) => shown(row, secret),
    again: (same) => shownAgain(tools, whose.merchant_account_id, same),
  });
}

export async function listAll(tools: Tools, { merchant_account_id }: Account): Promise<Answer> {
  const rows = await listEndpoints(tools.db.tenant(merchant_account_id));
  const endpoints = rows.map((row) => ({
    ...view(row),
    health: {
      state: row.state === 'off' ? 'off' : row.failing_since ? 'failing' : 'ok',
      failing_since: row.failing_since?.toISOString() ?? null,
      waiting: Number(row.waiting),
    },
  }));
  return { body: { ...DONE, endpoints } };
}

export function removeEndpoint(tools: Tools, request: WriteRequest<unknown, void>): Promise<Answer> {
  const id = idOf(request);
  return once(tools, request, {
    object_id: id,
    work: async (tx) => {
      if (!(await deleteEndpoint(tx, id))) throw unknown();
    },
    answer: async () => ({ body: DONE }),
    again: async () => ({ body: DONE }),
  });
}

/**
 * Switches an endpoint on again after an answer 410 had switched it off. Notifications that waited then are parked, and
 * a replay sends them; those since then were not stored for it.
 */
export function activateEndpoint(tools: Tools, request: WriteRequest<unknown, boolean>): Promise<Answer> {
  const id = idOf(request);
  return once(tools, request, {
    object_id: id,
    work: async (tx) => {
      const was_off = await switchEndpointOn(tx, id);
      if (!was_off) await getEndpoint(tx, id);
      return was_off;
    },
    answer: async (was_off) => ({ body: { ...DONE, was_off } }),
    keep: (was_off) => ({ was_off }),
    again: async (_, kept) => ({ body: { ...DONE, was_off: false, ...kept } }),
  });
}

type Rotation = WriteRequest<RotationRequest, EndpointRow>;

export function exchangeSecret(tools: Tools, request: Rotation): Promise<Answer> {
  const id = idOf(request);
  const { merchant_account_id } = request.caller;
  const { overlap_hours = OVERLAP_HOURS } = request.body;
  const secret = makeSecret(tools.chance.bytes(SECRET_BYTES));
  return once(tools, request, {
    object_id: id,
    work: async (tx) => {
      const sealed = sealSecret(tools, { merchant_account_id, endpoint_id: id }, secret);
      if (!(await rotateSecret(tx, { id, sealed, overlap_hours }))) throw unknown();
      return getEndpoint(tx, id);
    },
    answer: async (row) => shown(row, secret),
    again: (same) => shownAgain(tools, merchant_account_id, same),
  });
}

/** Throws `object_unknown`, also for one of another account. */
export async function getEndpoint(db: Tx, id: string): Promise<EndpointRow> {
  const row = isId(id) ? await findEndpoint(db, id) : undefined;
  if (!row) throw unknown();
  return row;
}

export function idOf({ params }: RouteRequest<Account, unknown, unknown>): string {
  const id = params['endpoint_id'] ?? '';
  if (!isId(id)) throw unknown();
  return id;
}

function unknown(): Refusal {
  return refuseUnknown('endpoint');
}

/** The answer to the same request again: the caller may not have got the first one, and with it the secret. */
async function shownAgain(tools: Tools, merchant_account_id: string, id: string): Promise<Answer> {
  const row = await findEndpoint(tools.db.tenant(merchant_account_id), id);
  if (!row) throw refuseUnknown('endpoint', 'the one that this Idempotency-Key stands for was deleted since');
  return shown(row, openSecret(tools, { merchant_account_id, endpoint_id: id }, row.secret_sealed));
}

function shown(row: EndpointRow, secret: string): Answer {
  return { body: { ...DONE, endpoint: { ...view(row), secret } } };
}

function view({ id, url, events, description, state, created_at }: EndpointRow) {
  return { _id: id, url, events, description, active: state === 'on', createdAt: created_at.toISOString() };
}
