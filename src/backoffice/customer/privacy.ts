// A person asks for their data, or to be erased: who may answer it, and what is written down of it.
import { Readable } from 'node:stream';
import { email, text } from '../../core/fields.ts';
import { required } from '../../core/shape.ts';
import { withTransaction } from '../../kit/database.ts';
import type { Answer } from '../../kit/http/route.ts';
import { askToErase } from '../../payment/privacy/erase.ts';
import { dataOf } from '../../payment/privacy/gather.ts';
import { STAYS } from '../../payment/privacy/personal.ts';
import { type Whose, listErasures } from '../../payment/privacy/store.ts';
import {
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { REASON } from '../reason.ts';
import { NOT_PROVED } from '../session/proof.ts';
import type { Erasures } from '../wire/privacy.ts';

const CUSTOMER_ID = required(text(255));
const EMAIL = required(email);
/** By the merchant's id of them. */
const customer = (customer_id: string): Whose => ({ customer_id, email: null });
/** Who was never given an id: by their e-mail. */
const guest = (customer_email: string): Whose => ({ customer_id: null, email: customer_email });

export function privacyRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /customers/data',
      right: 'export',
      query: { customer_id: CUSTOMER_ID },
      handle: (asked) => takeOut(context, asked, customer(asked.query.customer_id)),
    }),
    backofficeRoute(context, {
      route: 'GET /guests/data',
      right: 'export',
      query: { customer_email: EMAIL },
      handle: (asked) => takeOut(context, asked, guest(asked.query.customer_email)),
    }),
    backofficeRoute(context, { route: 'GET /customers/erasures', right: 'read', handle: readErasures }),
    backofficeRoute(context, {
      route: 'POST /customers/erase',
      right: 'erase',
      body: { customer_id: CUSTOMER_ID, reason: REASON },
      handle: (asked) => erase(context, asked, { whose: customer(asked.body.customer_id), reason: asked.body.reason }),
    }),
    backofficeRoute(context, {
      route: 'POST /guests/erase',
      right: 'erase',
      body: { customer_email: EMAIL, reason: REASON },
      handle: (asked) => erase(context, asked, { whose: guest(asked.body.customer_email), reason: asked.body.reason }),
    }),
  ];
}

const wordsOf = ({ customer_id }: Whose) => (customer_id === null ? 'a guest' : 'a customer');

/** The record names no person: it would be one more place where they stand. */
async function takeOut({ tools }: BackofficeContext, asked: BackofficeRequest, whose: Whose): Promise<Answer> {
  const data = await dataOf(tools, asked.account_id, whose);
  if (!data) throw unknown('customer');
  await withTransaction(tools.db, asked.account_id, (tx) =>
    asked.record(tx, { action: "customer's data taken out", object: wordsOf(whose) }),
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
    erasures: rows.map(({ customer_id: _, email: __, seen_to: ___, created_at, ended_at, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
    })),
  };
}

async function erase(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  { whose, reason }: { readonly whose: Whose; readonly reason: string },
): Promise<Erasures> {
  if (!asked.principal.session.proved) throw NOT_PROVED;
  const id = await askToErase(tools, {
    merchant_account_id: asked.account_id,
    whose,
    by: asked.principal.person.email,
    also: (tx) => asked.record(tx, { action: 'customer erased', object: wordsOf(whose), reason }),
  });
  if (id === undefined) throw unknown('customer');
  return readErasures(asked);
}
