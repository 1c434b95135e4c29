// florin account and florin person: make a merchant account, name its existing keys, and invite people to it, beside
// the running service. The operator needs no account of the back office for it.
import { isId } from '../../core/ids.ts';
import { DEFAULT_RULES } from '../../core/risk/default-rules.ts';
import { StartError } from '../../kit/start-error.ts';
import { type TenantRunner, withTransaction } from '../../kit/database.ts';
import { belongsToNothing } from '../../kit/database/errors.ts';
import { DEPLOYMENT, writeAudit } from '../../backoffice/audit/audit.ts';
import { takeAddress } from '../../backoffice/people/address.ts';
import { invite } from '../../backoffice/people/invite.ts';
import { findHeld } from '../../backoffice/people/lock.ts';
import { listRoles } from '../../backoffice/people/role-store.ts';
import { lockMembers } from '../../backoffice/people/store.ts';
import { findPerson } from '../../backoffice/session/person-store.ts';
import { type HeldRole, ROLES, heldRole } from '../../backoffice/rights.ts';
import { hostUrl } from '../../hosts/ports.ts';
import { nameKeys } from '../../payment/merchant/named-keys-store.ts';
import { everyAccount } from '../../payment/ledger/verify/store.ts';
import { insertContract } from '../../payment/merchant/contract-store.ts';
import { insertAccount } from '../../payment/merchant/store.ts';
import type { Tools } from '../../payment/tools.ts';
import { type Words, readWords } from '../arguments.ts';
import { accountOf } from '../ledger/ledger.ts';
import { openMoney } from '../ledger/session.ts';
import { BY, freeKeyCommand } from './free-key.ts';
import { readKeyLines } from './key-lines.ts';

const ACCOUNT_USAGE = `florin account create NAME [--another]   although one of this name is there
       florin account keys ID --file FILE
       florin account free-key --file FILE [--used]`;
const PERSON_USAGE = `florin person invite EMAIL --account ID [--role ${ROLES.join('|')}|"A ROLE OF THE ACCOUNT"]
       florin person free-address EMAIL`;

export async function accountCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: ACCOUNT_USAGE, texts: ['file'], flags: ['used', 'another'] });
  const [verb, what = '', ...more] = words.rest;
  if (more.length === 0 && verb === 'keys') return keysOf(what, words);
  if (words.rest.length === 1 && verb === 'free-key') return freeKeyCommand(words);
  if (verb !== 'create' || what.trim() === '' || what.length > 100 || more.length > 0)
    throw new StartError(`Give one name, in quotes where it has spaces.\n\nUsage: ${ACCOUNT_USAGE}`);
  return create(what.trim(), words.flag('another'));
}

async function create(name: string, another: boolean): Promise<void> {
  await using money = await openMoney();
  const { tools } = money;
  // who was cut off behind the commit never saw its id, and runs it again
  if (!another) await refuseSecond(tools, name);
  const id = tools.chance.id();
  await withTransaction(tools.db, id, async (tx) => {
    await insertAccount(tx, { name, rules: DEFAULT_RULES, by: 'florin account create' });
    if (tools.environment === 'sandbox')
      for (const [i, provider] of [...tools.providers.keys()].entries())
        await insertContract(tx, { id: tools.chance.id(), name: provider, provider, priority: i + 1 });
    await writeAudit(tx, BY, { action: 'account created', object: id, detail: { name } });
  });
  console.log(`The account ${id} is there. It has no key and no people yet:

  florin person invite EMAIL --account ${id} --role owner`);
}

async function refuseSecond({ db }: Pick<Tools, 'db'>, wanted: string): Promise<void> {
  for await (const { merchant_account_id: id, name } of everyAccount(db))
    if (name === wanted)
      throw new StartError(
        `There is an account of this name, ${id}: nothing was made. Invite its owner, or give --another for one more.

  florin person invite EMAIL --account ${id} --role owner`,
      );
}

const MOST_NAMED = 100;

/** Names the existing keys that people of the account may import where other merchants are (decision 159). */
async function keysOf(id: string, words: Words): Promise<void> {
  if (!isId(id)) throw new StartError(`Give the 24 hex digits of the account.\n\nUsage: ${ACCOUNT_USAGE}`);
  const digests = readKeyLines(words.needed('file'), MOST_NAMED);
  await using money = await openMoney();
  const there = await withTransaction(money.tools.db, id, async (tx) => {
    if (!(await nameKeys(tx, digests))) return false;
    await writeAudit(tx, BY, { action: 'API keys named', object: id, detail: { keys: digests.length } });
    return true;
  });
  if (!there) throw new StartError(`There is no account ${id}.`);
  console.log(
    `The account ${id} may import ${digests.length === 1 ? 'this key' : `these ${digests.length} keys`}, and no other: page Keys of the back office.`,
  );
}

export async function personCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: PERSON_USAGE, texts: ['account', 'role'] });
  const [verb, email = '', ...more] = words.rest;
  const wanted = words.text('role') ?? 'owner';
  const known = verb === 'invite' || verb === 'free-address';
  if (!known || !/^[^@\s]+@[^@\s]+$/.test(email) || more.length > 0)
    throw new StartError(`Give one e-mail address.\n\nUsage: ${PERSON_USAGE}`);
  if (verb === 'free-address') return free(email.toLowerCase());
  const account = accountOf(words.needed('account')) ?? DEPLOYMENT;
  await using money = await openMoney();
  const { tools, config } = money;
  const path = await withTransaction(tools.db, account, async (tx) => {
    await lockMembers(tx);
    const { role, role_name } = await roleOf(tx, wanted);
    return invite(tools, tx, { email: email.toLowerCase(), role, role_name, by: BY });
  }).catch((error: unknown) => {
    throw belongsToNothing(error) ? new StartError(`There is no account ${account}.`, { cause: error }) : error;
  });
  const at = config.environment === 'production' ? config.backoffice_url : hostUrl(config, 'backoffice');
  console.log(`Hand over this link; it is good once, for three days (at your own address of the back office):

  ${at}${path}`);
}

/** Frees an address, for a deployment in which no mail proves who owns it (decision 161). */
async function free(email: string): Promise<void> {
  await using money = await openMoney();
  const { db } = money.tools;
  const holder = await findPerson(db, { email, network: '' });
  if (holder?.address_proved)
    throw new StartError(`The person with the address ${email} proved it by a mail: it stays theirs.`);
  if (!holder || !(await takeAddress(db, holder, BY)))
    throw new StartError(`Nobody who works in an account has the address ${email}.`);
  console.log(`The address ${email} is free. Who had it stays in their accounts without it, as the pages Team show.`);
}

/** Finds a role by its name, or one of the account's own roles by its id. */
async function roleOf(tx: TenantRunner, wanted: string): Promise<HeldRole> {
  const own = await listRoles(tx);
  const named = own.find(({ role_name }) => role_name.toLowerCase() === wanted.trim().toLowerCase());
  const held = named ? heldRole(named) : await findHeld(tx, wanted);
  if (held) return held;
  const names = [...ROLES, ...own.map(({ role_name }) => role_name)];
  throw new StartError(`There is no role ${wanted}: give one of ${names.join(', ')}.\n\nUsage: ${PERSON_USAGE}`);
}
