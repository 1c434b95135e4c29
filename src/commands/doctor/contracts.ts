// The doctor's checks of merchants' contracts: their credentials, and the address to which each provider sends its
// messages.
import type { Config } from '../../settings/config.ts';
import { openPaymentBeside } from '../../hosts/databases.ts';
import { openLog } from '../../kit/log.ts';
import { StartError } from '../../kit/start-error.ts';
import { findAccountsAfter } from '../../payment/ledger/verify/store.ts';
import { type ContractDetails, listContracts } from '../../payment/merchant/contract-store.ts';
import type { Provider } from '../../provider/contract.ts';
import { providers } from '../../provider/registry.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** A person would not read about more accounts than this, so the rest is not checked. */
const MOST_ACCOUNTS = 100;

export async function lookAtContracts(config: Config): Promise<readonly Finding[]> {
  const known = providers(config);
  try {
    const { db, close } = await openPaymentBeside(config, openLog('silent'));
    try {
      const accounts = await findAccountsAfter(db, '0'.repeat(24), MOST_ACCOUNTS);
      const lists = accounts.map(async ({ merchant_account_id: id, name }) =>
        (await listContracts(db.tenant(id))).flatMap((one) =>
          findingsOf(config, one, { whose: `${name}, ${one.name}`, provider: known.get(one.provider) }),
        ),
      );
      const found = (await Promise.all(lists)).flat();
      return found.length > 0 ? found : [ok('contracts', 'there is none yet: docs/going-live.md, “A merchant”')];
    } finally {
      await close();
    }
  } catch (error) {
    // the check of the database has already reported this
    if (error instanceof StartError) return [];
    throw error;
  }
}

function findingsOf(
  { base_url }: Config,
  { id, provider: name, credentials_set, checks_set }: ContractDetails,
  { whose, provider }: { readonly whose: string; readonly provider: Provider | undefined },
): readonly Finding[] {
  const check = `contract ${whose}`;
  if (!provider) return [problem(check, `${name} is no provider of this build`, 'Disable it in the back office.')];
  const missing = provider.credentials
    .filter(
      ({ required, use, name: one }) => required && (use === 'send' ? credentials_set : checks_set)[one] === undefined,
    )
    .map((one) => one.name);
  const proves = provider.credentials.filter(({ use }) => use === 'check').map((one) => one.name);
  const silent = proves.length > 0 && proves.every((one) => checks_set[one] === undefined);
  return [
    missing.length > 0
      ? problem(check, `has no ${missing.join(', ')}`, 'Set it in the back office, under Providers.')
      : ok(check, 'has the credentials it needs'),
    ...(provider.notices === undefined
      ? []
      : [messagesOf(check, `${base_url}/provider/${name}/${id}/events`, silent ? proves : [])]),
  ];
}

function messagesOf(contract: string, url: string, missing: readonly string[]): Finding {
  const check = `${contract}: messages`;
  return missing.length === 0
    ? ok(check, `are taken at ${url}`)
    : warning(
        check,
        `${url} takes none: nothing proves them`,
        `Register that address at the provider, and set ${missing.join(', ')} in the back office.`,
      );
}
