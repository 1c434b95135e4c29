// How a route of the back office calls a verb that the API has too: what it is given, in which commit, and what it answers.
import { Reading } from '../core/shape.ts';
import { type Database, type TenantRunner, together } from '../kit/database.ts';
import type { Answer, Incoming } from '../kit/http/route.ts';
import { type Account, findAccount } from '../payment/merchant/account.ts';
import type { Tools } from '../payment/tools.ts';
import { type Asked, type Desk, unknown } from './desk.ts';

/**
 * Runs a verb of the money zone within one transaction, with the tools it is to be given: whatever it reads and writes, and the
 * record of it, are one commit. For verbs that call nobody else.
 */
export function inOneCommit<T>(
  { tools }: Pick<Desk, 'tools'>,
  account_id: string,
  work: (tools: Tools, tx: TenantRunner) => Promise<T>,
): Promise<T> {
  return together(tools.db, account_id, (tx) => {
    const db: Database = { ...tools.db, tenant: () => tx, begin: (_, inner) => inner(tx) };
    return work({ ...tools, db }, tx);
  });
}

/**
 * The same, for a verb that is given a request. The request is made before: whoever holds a connection must not wait for a second
 * one, or as many as there are connections would wait for each other.
 */
export async function asOneCommit<B, T>(
  desk: Pick<Desk, 'tools'>,
  { asked, body }: { readonly asked: Asked; readonly body: B },
  work: (tools: Tools, request: Incoming<Account, B, unknown>, tx: TenantRunner) => Promise<T>,
): Promise<T> {
  const request = await asRequest(desk, asked, body);
  return inOneCommit(desk, asked.account_id, (tools, tx) => work(tools, request, tx));
}

/** What a route of the API would have been given for the same wish. */
export async function asRequest<B>(
  { tools }: Pick<Desk, 'tools'>,
  { account_id, params, path, request_id, client_ip, canonical }: Asked,
  body: B,
): Promise<Incoming<Account, B, unknown>> {
  const caller = await findAccount(tools, account_id);
  if (!caller) throw unknown('account');
  return {
    ...{ caller, body, query: {}, params, path, request_id, client_ip, headers: {}, canonical },
    ...{ idempotency_key: undefined, wait_s: undefined, reading: new Reading(false) },
  };
}

/** The members of an answer of the API. */
export function membersOf({ body }: Answer): Readonly<Record<string, unknown>> {
  return Buffer.isBuffer(body) ? {} : body;
}
