// Statements on notes.
import { type TenantRunner, bytes } from '../../../kit/database.ts';

export type NoteRow = {
  readonly id: string;
  readonly person_id: string;
  readonly by_name: string;
  readonly text: string;
  readonly created_at: Date;
};

/** The newest first. */
export async function findNotes(db: TenantRunner, order_id: string, room: number): Promise<readonly NoteRow[]> {
  return db.run<NoteRow>(
    'find_notes',
    `SELECT id, person_id, by_name, text, created_at
     FROM payment.order_notes
     WHERE merchant_account_id = :merchant_account_id
       AND order_id = :order_id
     ORDER BY id DESC
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), order_id: bytes(order_id), room },
  );
}

export async function insertNote(db: TenantRunner, note: NoteRow & { readonly order_id: string }): Promise<void> {
  await db.run(
    'insert_note',
    `INSERT INTO payment.order_notes (
       id, merchant_account_id, order_id, person_id, by_name, text, created_at)
     VALUES (:id, :merchant_account_id, :order_id, :person_id, :by_name, :text, :created_at)`,
    {
      ...note,
      id: bytes(note.id),
      order_id: bytes(note.order_id),
      person_id: bytes(note.person_id),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
}

/** False: there is no such note of this person. */
export async function deleteNote(
  db: TenantRunner,
  note: { readonly id: string; readonly order_id: string; readonly person_id: string },
): Promise<boolean> {
  const rows = await db.run(
    'delete_note',
    `DELETE FROM payment.order_notes
     WHERE merchant_account_id = :merchant_account_id
       AND order_id = :order_id
       AND id = :id
       AND person_id = :person_id
     RETURNING 1`,
    {
      id: bytes(note.id),
      order_id: bytes(note.order_id),
      person_id: bytes(note.person_id),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
  return rows.length > 0;
}
