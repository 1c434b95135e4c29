// Notes on an order by people of the account, for each other: written with the right `notes`, removed by their author
// alone. Both are in the audit, the text is not: an audit record stays for good, and a note may name a payer.
import { isId } from '../../../core/ids.ts';
import { NOTE_LENGTH } from '../../../core/people/limits.ts';
import { withTransaction } from '../../../kit/database.ts';
import { findOrder } from '../../../payment/order/facts/order-store.ts';
import {
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../../context.ts';
import { reasonOf } from '../../reason.ts';
import type { Notes } from '../../wire/notes.ts';
import { deleteNote, findNotes, insertNote } from './store.ts';

const MOST = 200;
const TEXT = reasonOf(NOTE_LENGTH);

export function noteRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /orders/:order_id/notes',
      right: 'read',
      handle: async (asked) => readNotes(asked, await requireOrder(asked)),
    }),
    backofficeRoute(context, {
      route: 'POST /orders/:order_id/notes',
      right: 'notes',
      body: { text: TEXT },
      handle: (asked) => add(context, asked, asked.body.text),
    }),
    backofficeRoute(context, {
      route: 'DELETE /orders/:order_id/notes/:id',
      right: 'notes',
      handle: (asked) => remove(context, asked),
    }),
  ];
}

async function requireOrder({ db, params }: BackofficeRequest): Promise<string> {
  const id = params['order_id'] ?? '';
  const order = isId(id) ? await findOrder(db, id) : undefined;
  if (!order) throw unknown('order');
  return order.id;
}

async function readNotes({ db, principal }: BackofficeRequest, order_id: string): Promise<Notes> {
  const rows = await findNotes(db, order_id, MOST);
  return {
    notes: rows.map(({ id, by_name, text, created_at, person_id }) => ({
      id,
      by: by_name,
      text,
      created_at: created_at.toISOString(),
      own: person_id === principal.person.id,
    })),
  };
}

async function add({ tools }: BackofficeContext, asked: BackofficeRequest, text: string): Promise<Notes> {
  const order_id = await requireOrder(asked);
  const { id: person_id, name: by_name } = asked.principal.person;
  const id = tools.chance.id();
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    await insertNote(tx, { id, order_id, person_id, by_name, text, created_at: tools.clock.now() });
    await asked.record(tx, { action: 'note added', object: order_id, detail: { note_id: id } });
  });
  return readNotes(asked, order_id);
}

async function remove({ tools }: BackofficeContext, asked: BackofficeRequest): Promise<Notes> {
  const order_id = await requireOrder(asked);
  const id = asked.params['id'] ?? '';
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    // another person's note is as unknown as one that does not exist
    const removed = isId(id) && (await deleteNote(tx, { id, order_id, person_id: asked.principal.person.id }));
    if (!removed) throw unknown('note of yours');
    await asked.record(tx, { action: 'note removed', object: order_id, detail: { note_id: id } });
  });
  return readNotes(asked, order_id);
}
