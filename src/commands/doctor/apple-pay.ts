// The doctor's checks of Apple Pay on the hosted page, on the vault's host: what each account has and lacks, the
// association file at the vault's address, and whether Apple's host answers with the pinned certificate. The connection
// is opened and closed; the doctor sends Apple no request.
import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { DAY_MS } from '../../core/durations.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Destinations } from '../../provider/send/destinations.ts';
import { readDestinations } from '../../provider/send/signed.ts';
import type { Config } from '../../settings/config.ts';
import { ASSOCIATION_PATHS, readAssociation } from '../../vault/wallet/apple/association.ts';
import {
  APPLE_SESSION,
  type AppleIdentity,
  type AppleTools,
  identityOf,
  lacksOf,
} from '../../vault/wallet/apple/identity.ts';
import { readWalletRoots } from '../../vault/wallet/recipients.ts';
import { lookAtHost } from './destinations.ts';
import { type Finding, asFinding, ok, problem, warning } from './finding.ts';
import { askOwn, lookAtWalletAccounts } from './wallet-accounts.ts';

const SOON_DAYS = 30;
const RENEW = 'Have Apple make another, and set it: florin wallet-keys apple_pay_identity.';

/** Reports nothing if neither an account nor the deployment uses Apple Pay. */
export async function lookAtApplePay(config: Config, clock: Clock): Promise<readonly Finding[]> {
  let association: Buffer | undefined;
  try {
    association = readAssociation(config.apple_pay_association_file);
  } catch (error) {
    return [asFinding(FILE, error, 'Fetch it again from Apple’s console.')];
  }
  const accounts = lookAtAccounts(config, clock, association);
  return [...(await lookAtAssociation(config, association)), ...(await accounts)];
}

const FILE = 'Apple Pay: association file';

/** Apple fetches the file from the vault's own address, and follows no redirect. */
async function lookAtAssociation({ vault_url }: Config, wanted: Buffer | undefined): Promise<readonly Finding[]> {
  if (!wanted || !URL.canParse(vault_url)) return [];
  const found: Finding[] = [];
  for (const path of ASSOCIATION_PATHS) {
    const said = await askOwn(vault_url, path);
    if (!said)
      return [warning(FILE, `${vault_url} does not answer`, 'Start florin vault; Apple fetches the file from there.')];
    if (said.status !== 200 || !said.body.equals(wanted))
      found.push(
        problem(FILE, `is not what ${vault_url}${path} answers`, 'Start the vault again; no proxy may stand before.'),
      );
  }
  return found.length > 0 ? found : [ok(FILE, `is served by ${vault_url}`)];
}

function lookAtAccounts(config: Config, clock: Clock, association: Buffer | undefined): Promise<readonly Finding[]> {
  return lookAtWalletAccounts({ config, clock, destination: APPLE_SESSION.destination }, async (opened, accounts) => {
    const destinations = await destinationsOf(config);
    const tools = { ...opened, destinations, association, wallet_roots: readWalletRoots(config) };
    const found: Finding[] = [];
    for (const account of accounts) found.push(...(await lookAtAccount(tools, account)));
    const identities = await Promise.all(accounts.map((account) => identityOf(tools, account)));
    const identity = identities.find((one) => one !== undefined);
    return [...found, ...(await lookAtAppleHost(destinations, identity))];
  });
}

/** No destinations if the file is missing; the check of the settings reports that. */
async function destinationsOf(config: Config): Promise<Destinations> {
  const { destinations_file: file, destinations_key_file: key_file, environment } = config;
  return new Map(
    existsSync(file) && existsSync(key_file) ? await readDestinations({ file, key_file, environment }) : [],
  );
}

async function lookAtAccount(tools: AppleTools, account: string): Promise<readonly Finding[]> {
  const check = `Apple Pay of ${account}`;
  const lacks = await lacksOf(tools, account);
  if (lacks.length > 0) return lacks.map(({ says, fix }) => problem(check, `is not shown: ${says}`, fix));
  const identity = await identityOf(tools, account);
  if (!identity) return [];
  const ends = new X509Certificate(identity.certificate).validToDate;
  const says = `${identity.merchant_id}: the merchant identity ends on ${ends.toISOString().slice(0, 10)}`;
  const days = (ends.getTime() - tools.clock.now().getTime()) / DAY_MS;
  return [days < SOON_DAYS ? warning(check, says, RENEW) : ok(check, says)];
}

/** Apple's host asks for a client certificate, so one account's identity is shown if there is one. */
async function lookAtAppleHost(
  destinations: Destinations,
  identity: AppleIdentity | undefined,
): Promise<readonly Finding[]> {
  const { hosts = {}, reach = 'public' } = destinations.get(APPLE_SESSION.destination) ?? {};
  const shown = identity && { cert: identity.certificate, key: identity.private_key };
  const reached = Object.entries(hosts).flatMap(([name, host]) =>
    host.tls && 'origin' in host
      ? [lookAtHost(`destination ${APPLE_SESSION.destination}.${name}`, host.origin, { tls: host.tls, reach, shown })]
      : [],
  );
  return Promise.all(reached);
}
