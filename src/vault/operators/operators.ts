// The people who may ask for an export and approve one, each with a secret of their own. The first two are added at
// installation; every further one by an operator who is there already.
import { timingSafeEqual } from 'node:crypto';
import type { Chance } from '../../kit/clock.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { Database } from '../../kit/database.ts';
import { StartError } from '../../kit/start-error.ts';
import type { Auditor } from '../audit/audit.ts';
import { INSTALLATION, findOperator, findSomeOperators, insertOperator } from './store.ts';

export type OperatorTools = { readonly db: Database; readonly audit: Auditor; readonly chance: Chance };
export type Claim = { readonly name: string; readonly secret: string };

const NAME = /^[a-z][a-z0-9._-]{1,39}$/;

type NewOperator = {
  readonly name: string;
  /** Who adds; needed when two are there. */
  readonly by?: Claim | undefined;
  /** Called before the commit: who is there with a secret that nobody saw could not be added again. */
  show?(secret: string): void;
};

/** Adds one and gives the secret, which is kept nowhere else. */
export async function addOperator(tools: OperatorTools, { name, by, show }: NewOperator): Promise<string> {
  const { db, audit, chance } = tools;
  if (!NAME.test(name) || name === INSTALLATION)
    throw new StartError('The name of an operator is 2 to 40 small letters, digits, dots, - and _, a letter first.');
  const there = await findSomeOperators(db);
  if (there.length >= 2 && !by)
    throw new StartError(
      'There are two operators: a further one is added by one of them, with --by and --secret-file.',
    );
  if (by) await requireOperator(tools, by);
  // 256 random bits: no dictionary has it, so one fast hash is enough
  const secret = `florin_op_${chance.bytes(32).toString('base64url')}`;
  await db.begin(undefined, async (tx) => {
    const added_by = by?.name ?? INSTALLATION;
    if (!(await insertOperator(tx, { name, secret_hash: sha256(secret), added_by })))
      throw new StartError(`There is an operator ${name} already.`);
    await audit.write(tx, { action: 'operator added', object: name, detail: { added_by } });
    show?.(secret);
  });
  return secret;
}

/** The operator whose secret this is; StartError, the same for an unknown name and a wrong secret. */
export async function requireOperator({ db }: Pick<OperatorTools, 'db'>, { name, secret }: Claim): Promise<void> {
  const row = await findOperator(db, name);
  const given = Buffer.from(sha256(secret.trim()), 'hex');
  const wanted = Buffer.from(row?.secret_hash ?? '00'.repeat(32), 'hex');
  if (!timingSafeEqual(given, wanted)) throw new StartError(`The name and the secret do not belong together: ${name}.`);
}
