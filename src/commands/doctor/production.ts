// florin doctor --production HOST: makes every check of a host that is possible before its first start. It sends no
// request to a provider, and changes nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, inspectConfig, settingsGiven } from '../../settings/config.ts';
import type { Clock } from '../../kit/clock.ts';
import { openEgress } from '../../kit/egress.ts';
import { HARD_OPTIONS, processProblems } from '../../kit/process/hardening.ts';
import { isLoopback } from '../../settings/loopback.ts';
import { lookAtApplePay } from './apple-pay.ts';
import { lookAtContracts } from './contracts.ts';
import { lookAtDatabase } from './database.ts';
import { lookAtDestinations } from './destinations.ts';
import { type ProductionHost, lookAtIdentity, lookAtKeyFiles, lookAtPublicCertificate } from './files.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { lookAtGooglePay } from './google-pay.ts';
import {
  lookAtCertificates,
  lookAtDisk,
  lookAtHosts,
  lookAtNetwork,
  lookAtOpenFiles,
  lookAtProxy,
  lookAtWallets,
  tlsOfHosts,
} from './machine.ts';

export const PRODUCTION_HOSTS = ['all', 'payment', 'vault', 'worker'] as const satisfies readonly ProductionHost[];

export async function examineProduction(host: ProductionHost, clock: Clock): Promise<readonly Finding[]> {
  const { config: given } = inspectConfig(host);
  // a host without the production setting is checked as if it had it, so that one run reports everything
  const { config, problems } = inspectConfig(host, { FLORIN_ENVIRONMENT: 'production' });
  const zones = (['payment', 'vault'] as const).filter((zone) => has(host, zone) && isGiven(config, zone));
  const found = [
    lookAtEnvironment(given),
    ...lookAtSettings(problems),
    ...lookAtSandbox(config),
    lookAtNode(config),
    lookAtDisk(config),
    ...lookAtNetwork(),
    ...lookAtOpenFiles(),
    ...(host === 'worker' ? [] : lookAtProxy(config)),
    ...lookAtAddresses(config, host),
    ...lookAtCertificates(config, clock),
    ...lookAtPublicCertificate(config, host),
    ...lookAtIdentity(config, host),
    ...lookAtKeyFiles(config, host),
    ...(has(host, 'vault') ? lookAtWallets(config, clock) : []),
    ...(await lookAtDestinations(config)),
  ];
  for (const zone of zones) found.push(...(await lookAtDatabase(config, zone, clock)));
  const migrated = (zone: 'payment' | 'vault') =>
    found.some(({ check, level }) => check === `${zone} database: schema` && level !== 'problem');
  if (zones.includes('payment') && migrated('payment')) found.push(...(await lookAtContracts(config)));
  if (zones.includes('vault') && migrated('vault')) found.push(...(await lookAtOwnWallets(config, clock)));
  const egress = openEgress({ tls: () => tlsOfHosts(config) });
  try {
    return [...found, ...(await lookAtHosts(config, egress, PORTS[host]))];
  } finally {
    await egress.close();
  }
}

async function lookAtOwnWallets(config: Config, clock: Clock): Promise<readonly Finding[]> {
  return [...(await lookAtApplePay(config, clock)), ...(await lookAtGooglePay(config, clock))];
}

/** A worker belongs to the money zone. */
function has(host: ProductionHost, zone: 'payment' | 'vault'): boolean {
  return host === 'all' || host === zone || (host === 'worker' && zone === 'payment');
}

const isGiven = (config: Config, zone: 'payment' | 'vault') =>
  (zone === 'payment' ? config.database_url : config.vault_database_url) !== '';

const PORTS = {
  all: ['api', 'vault', 'backoffice'],
  payment: ['api', 'backoffice'],
  vault: ['vault'],
  worker: [],
} as const;

function lookAtEnvironment({ environment }: Config): Finding {
  return environment === 'production'
    ? ok('environment', 'production')
    : problem(
        'environment',
        `is ${environment}: no real provider is ever called`,
        'Set FLORIN_ENVIRONMENT=production.',
      );
}

function lookAtSettings(problems: readonly string[]): readonly Finding[] {
  if (problems.length === 0) return [ok('settings', 'are complete for this host')];
  return problems.map((says) =>
    problem('settings', says, 'docs/settings.md says what it takes, docs/going-live.md when.'),
  );
}

/** Settings of a sandbox, which a production start ignores: they suggest that a sandbox was meant. */
const OF_A_SANDBOX = /^FLORIN_(?:SIMULATOR_\w+|SANDBOX_\w+|SHOP_PORT|WITH|DEMO_\w+)$/;
const LEFT_BY_A_SANDBOX = ['demo-account.json', 'demo-page-inputs.json', 'postgres', 'simulator'];

function lookAtSandbox({ data_dir }: Config): readonly Finding[] {
  const set = settingsGiven().filter((name) => OF_A_SANDBOX.test(name));
  const left = LEFT_BY_A_SANDBOX.filter((name) => existsSync(join(data_dir, name)));
  if (set.length + left.length === 0) return [ok('sandbox', 'nothing of one is set, and nothing of one is left')];
  return [
    ...set.map((name) =>
      problem('sandbox', `${name} is set, and means something in a sandbox only`, `Take ${name} away.`),
    ),
    ...left.map((name) =>
      problem('sandbox', `${join(data_dir, name)} is of a sandbox`, 'Set FLORIN_DATA_DIR to a folder of its own.'),
    ),
  ];
}

/** bin/florin.mjs passes the options of the start itself; NODE_OPTIONS can add others, and those are checked. */
function lookAtNode({ node_options }: Config): Finding {
  const says = processProblems({
    options: [...HARD_OPTIONS, '--permission'],
    inherited: node_options,
    limits: undefined,
    confined: true,
  });
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 24 || (major === 24 && minor < 18))
    return problem('Node', `is ${process.versions.node}, and 24.18 is needed`, 'Start Florin by bin/florin.mjs.');
  if (says.length > 0) return problem('Node', says.join('; '), 'Take it out of NODE_OPTIONS.');
  return ok('Node', `${process.versions.node}, with no option that a host refuses`);
}

/** Checks the addresses by which payers, merchants and providers reach the hosts. */
function lookAtAddresses(config: Config, host: ProductionHost): readonly Finding[] {
  if (host === 'worker') return [];
  const addresses = {
    FLORIN_BASE_URL: config.base_url,
    FLORIN_VAULT_URL: config.vault_url,
    ...(host !== 'vault' && { FLORIN_BACKOFFICE_URL: config.backoffice_url }),
  };
  return Object.entries(addresses).flatMap(([name, url]) => {
    const check = `address of ${name}`;
    const parsed = URL.parse(url);
    // the check of the settings reports the other two
    const says = url === '' ? 'is not set' : `${url} is not https`;
    if (parsed?.protocol !== 'https:')
      return name === 'FLORIN_BACKOFFICE_URL' ? [problem(check, says, `Set ${name} to its https address.`)] : [];
    const own = isLoopback(parsed.hostname);
    return [own ? warning(check, `${url} is this machine itself`, 'Others reach a public name only.') : ok(check, url)];
  });
}
