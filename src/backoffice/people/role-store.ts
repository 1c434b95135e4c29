// Statements on the roles that an account made.
import { type TenantRunner, bytes } from '../../kit/database.ts';

export type RoleRow = {
  readonly role: string;
  readonly role_name: string;
  readonly role_rights: readonly string[];
};

/** The roles of the account, by name. */
export async function listRoles(db: TenantRunner): Promise<readonly RoleRow[]> {
  return db.run<RoleRow>(
    'list_roles',
    `SELECT encode(id, 'hex') AS role, name AS role_name, rights AS role_rights
     FROM payment.roles
     WHERE merchant_account_id = :merchant_account_id
     ORDER BY lower(name)`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export async function findRole(db: TenantRunner, id: string): Promise<RoleRow | undefined> {
  const rows = await db.run<RoleRow>(
    'find_role',
    `SELECT encode(id, 'hex') AS role, name AS role_name, rights AS role_rights
     FROM payment.roles
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0];
}

type Changed = { readonly id: string; readonly name: string; readonly rights: readonly string[] };

export async function insertRole(db: TenantRunner, { id, name, rights }: Changed): Promise<void> {
  await db.run(
    'insert_role',
    `INSERT INTO payment.roles (id, merchant_account_id, name, rights)
     VALUES (:id, :merchant_account_id, :name, :rights::text[])`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id), name, rights: [...rights] },
  );
}

export async function changeRights(db: TenantRunner, { id, name, rights }: Changed): Promise<void> {
  await db.run(
    'change_rights_of_role',
    `UPDATE payment.roles
     SET name = :name, rights = :rights::text[]
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id), name, rights: [...rights] },
  );
}

/** False: a person has it. */
export async function deleteRole(db: TenantRunner, id: string): Promise<boolean> {
  const rows = await db.run(
    'delete_role',
    `DELETE FROM payment.roles r
     WHERE r.merchant_account_id = :merchant_account_id
       AND r.id = :id
       AND NOT EXISTS (
         SELECT 1
         FROM payment.members m
         WHERE m.merchant_account_id = r.merchant_account_id
           AND m.role_id = r.id
       )
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows.length > 0;
}
