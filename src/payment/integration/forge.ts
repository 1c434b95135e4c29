// Tests what a receiver does with a forged notification: each endpoint gets one test, signed with a secret that is
// thrown away, and must refuse it. Only in sandboxes, and only when a person asks for it.
import type { TenantRunner } from '../../kit/database.ts';
import { bodyOf } from '../notification/body.ts';
import { post } from '../notification/dispatcher.ts';
import { listEndpoints } from '../notification/endpoint/store.ts';
import { makeSecret } from '../notification/sign.ts';
import { type Tools, noRequestLog } from '../tools.ts';

const SECRET_BYTES = 32;

/** What became of it at an endpoint. `no_answer`: whether the receiver looks at signatures is not known. */
export type Forged = { readonly endpoint_id: string; readonly became: 'taken' | 'refused' | 'no_answer' };

/** Sends it to each endpoint. It is in no list and no log. */
export async function sendForged(tools: Tools, db: TenantRunner): Promise<readonly Forged[]> {
  if (tools.environment === 'production') throw new Error('nothing is forged in production');
  const endpoints = (await listEndpoints(db)).filter(({ state }) => state === 'on');
  return Promise.all(endpoints.map(({ id, url }) => sendTo(tools, { db, endpoint_id: id, url })));
}

type Target = { readonly db: TenantRunner; readonly endpoint_id: string; readonly url: string };

async function sendTo(tools: Tools, { db, endpoint_id, url }: Target): Promise<Forged> {
  const { merchant_account_id } = db;
  const id = tools.chance.id();
  const at = tools.clock.now().toISOString().slice(0, 19);
  const facts = { at, code: null, order_version: null, told: null, more: null, request_id: id };
  const told = { event: 'test', merchant_account_id, order_id: null, sequence: 1, previous_sequence: null, facts };
  const body = bodyOf(told, tools);
  const secrets = [makeSecret(tools.chance.bytes(SECRET_BYTES))];
  const posting = { merchant_account_id, endpoint_id, id, order_id: null, url, secrets, body };
  const exchange = await post({ ...tools, request_log: noRequestLog }, posting);
  if (exchange.kind !== 'answered') return { endpoint_id, became: 'no_answer' };
  return { endpoint_id, became: exchange.status >= 200 && exchange.status < 300 ? 'taken' : 'refused' };
}
