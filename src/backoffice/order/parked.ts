// Messages of providers that could not be applied: not understood, not matched, or not theirs to say. Kept until a
// person sets it aside.
import { text } from '../../core/fields.ts';
import { isId } from '../../core/ids.ts';
import { required } from '../../core/shape.ts';
import { withTransaction } from '../../kit/database.ts';
import { listContracts } from '../../payment/merchant/contract-store.ts';
import { excerptOf } from '../../payment/order/facts/excerpt.ts';
import { listParkedEvents, setAside } from '../../payment/settlement/store.ts';
import {
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { REASON } from '../reason.ts';
import type { ParkedList, SetAsideForm } from '../wire/doubt.ts';

const MOST = 100;

export function parkedRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, { route: 'GET /parked-messages', right: 'read', handle: readParked }),
    backofficeRoute(context, {
      route: 'POST /parked-messages/:contract_id/set-aside',
      right: 'rule',
      body: { event_ref: required(text(255)), reason: REASON },
      handle: (asked) => putAside(context, asked, asked.body),
    }),
  ];
}

async function readParked({ db }: BackofficeRequest): Promise<ParkedList> {
  const [events, contracts] = await Promise.all([listParkedEvents(db, MOST + 1), listContracts(db)]);
  const messages = events.slice(0, MOST).map(({ body, ...event }) => ({
    ...event,
    contract: contracts.find(({ id }) => id === event.contract_id)?.name ?? event.contract_id,
    text: excerptOf({ status: 200, body: Buffer.from(body, 'hex') }, event.order_id === null ? [] : [event.order_id])
      .text,
  }));
  return { messages, more: events.length > MOST };
}

async function putAside(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  { event_ref, reason }: SetAsideForm,
): Promise<ParkedList> {
  const contract_id = asked.params['contract_id'] ?? '';
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    if (!isId(contract_id) || !(await setAside(tx, { contract_id, event_ref }))) throw unknown('message');
    await asked.record(tx, { action: 'message set aside', object: contract_id, reason, detail: { event_ref } });
  });
  return readParked(asked);
}
