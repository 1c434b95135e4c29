// A person asks for their data, or to be erased: who may answer it, and what is written down of it.
import { Readable } from 'node:stream';
import { text } from '../../core/fields.ts';
import { required } from '../../core/shape.ts';
import { withTransaction } from '../../kit/database.ts';
import type { Answer } from '../../kit/http/route.ts';
import { askToErase } from '../../payment/privacy/erase.ts';
import { dataOf } from '../../payment/privacy/gather.ts';
import { STAYS } from '../../payment/privacy/personal.ts';
import { listErasures } from '../../payment/privacy/store.ts';
import {
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { REASON } from '../reason.ts';
import { NOT_PROVED } from '../session/proof.ts';
import type { EraseForm, Erasures } from '../wire/privacy.ts';

const CUSTOMER_ID = required(text(255));

export function privacyRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /customers/data',
      right: 'export',
      query: { customer_id: CUSTOMER_ID },
      handle: (asked) => takeOut(context, asked, asked.query.customer_id),
    }),
    backofficeRoute(context, { route: 'GET /customers/erasures', right: 'read', handle: readErasures }),
    backofficeRoute(context, {
      route: 'POST /customers/erase',
      right: 'erase',
      body: { customer_id: CUSTOMER_ID, reason: REASON },
      handle: (asked) => erase(context, asked, asked.body),
    }),
  ];
}

/** The record names no person: it would be one more place where they stand. */
async function takeOut({ tools }: BackofficeContext, asked: BackofficeRequest, customer_id: string): Promise<Answer> {
  const data = await dataOf(tools, { merchant_account_id: asked.account_id, customer_id });
  if (!data) throw unknown('customer');
  await withTransaction(tools.db, asked.account_id, (tx) =>
    asked.record(tx, { action: "customer's data taken out", object: 'a customer' }),
  );
  return {
    body: {},
    file: Readable.from(data),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="customer.json"',
    },
  };
}

async function readErasures({ db }: BackofficeRequest): Promise<Erasures> {
  const rows = await listErasures(db);
  return {
    stays: STAYS,
    erasures: rows.map(({ customer_id: _, seen_to: __, created_at, ended_at, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
    })),
  };
}

async function erase(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  { customer_id, reason }: EraseForm,
): Promise<Erasures> {
  if (!asked.principal.session.proved) throw NOT_PROVED;
  const id = await askToErase(tools, {
    merchant_account_id: asked.account_id,
    customer_id,
    by: asked.principal.person.email,
    also: (tx) => asked.record(tx, { action: 'customer erased', object: 'a customer', reason }),
  });
  if (id === undefined) throw unknown('customer');
  return readErasures(asked);
}
