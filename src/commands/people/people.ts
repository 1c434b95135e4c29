// florin account and florin person: what makes a merchant account and invites people to it, beside the running service. The person who runs
// the deployment needs no account of the back office for it.
import { DEFAULT_RULES } from '../../core/risk/default-rules.ts';
import { StartError } from '../../kit/start-error.ts';
import { withTransaction } from '../../kit/database.ts';
import { DEPLOYMENT, writeAudit } from '../../backoffice/audit/audit.ts';
import { invite } from '../../backoffice/people/invite.ts';
import { ROLES, isRole } from '../../backoffice/rights.ts';
import { insertAccount, insertContract } from '../../payment/merchant/store.ts';
import { readWords } from '../arguments.ts';
import { accountOf } from '../ledger/ledger.ts';
import { openMoney } from '../ledger/session.ts';

const BY = { actor: 'command line', source: 'this machine' };
const ACCOUNT_USAGE = 'florin account create NAME';
const PERSON_USAGE = `florin person invite EMAIL --account ID [--role ${ROLES.join('|')}]`;

export async function accountCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: ACCOUNT_USAGE, texts: [] });
  const [verb, name = '', ...more] = words.rest;
  if (verb !== 'create' || name.trim() === '' || name.length > 100 || more.length > 0)
    throw new StartError(`Give one name, in quotes where it has spaces.\n\nUsage: ${ACCOUNT_USAGE}`);
  await using money = await openMoney();
  const { tools } = money;
  const id = tools.chance.id();
  await withTransaction(tools.db, id, async (tx) => {
    await insertAccount(tx, { name: name.trim(), rules: DEFAULT_RULES, by: 'florin account create' });
    if (tools.environment === 'sandbox')
      for (const [i, provider] of [...tools.providers.keys()].entries())
        await insertContract(tx, { id: tools.chance.id(), name: provider, provider, priority: i + 1 });
    await writeAudit(tx, BY, { action: 'account created', object: id, detail: { name: name.trim() } });
  });
  console.log(`The account ${id} is there. It has no key and nobody in it yet:

  florin person invite EMAIL --account ${id} --role owner`);
}

export async function personCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: PERSON_USAGE, texts: ['account', 'role'] });
  const [verb, email = '', ...more] = words.rest;
  const role = words.text('role') ?? 'owner';
  if (verb !== 'invite' || !/^[^@\s]+@[^@\s]+$/.test(email) || !isRole(role) || more.length > 0)
    throw new StartError(`Give one e-mail address, and a role that there is.\n\nUsage: ${PERSON_USAGE}`);
  const account = accountOf(words.needed('account')) ?? DEPLOYMENT;
  await using money = await openMoney();
  const { tools, config } = money;
  const path = await withTransaction(tools.db, account, (tx) =>
    invite(tools, tx, { email: email.toLowerCase(), role, by: BY }),
  ).catch((error: unknown) => {
    throw new StartError(`The account ${account} is not there, or the invitation could not be stored.`, {
      cause: error,
    });
  });
  const own = config.environment === 'production' ? '' : `http://${config.host}:${config.backoffice_port}`;
  console.log(`Hand over this link; it is good once, for three days (at your own address of the back office):

  ${config.backoffice_url || own}${path}`);
}
