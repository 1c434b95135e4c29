// The doctor's checks of files before a first start: keys and certificates, whether they match, and who may read them.
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../settings/config.ts';
import type { HostRole } from '../../hosts/needs.ts';
import { systemChance, systemClock } from '../../kit/clock.ts';
import { openToOthers } from '../../kit/process/private-folder.ts';
import { whyNot } from '../../kit/start-error.ts';
import { IDENTITY_FILE, readIdentity } from '../../kit/tls/identity.ts';
import { keyProblem } from '../../payment/secret-key.ts';
import { fileProvider, refsIn } from '../../vault/keys/file-provider.ts';
import { keyFolder } from '../key-provider.ts';
import { type Finding, asFinding, ok, problem } from './finding.ts';

/** `all`: every part in one host; else one host alone. */
export type ProductionHost = Exclude<HostRole, 'simulator'>;

/** Checks that the certificate of the public hosts has the right key and covers every host name in the settings. */
export function lookAtPublicCertificate(config: Config, host: ProductionHost): readonly Finding[] {
  const { tls_cert_file: file, tls_key_file: key_file } = config;
  if (host === 'worker' || !existsSync(file) || !existsSync(key_file)) return [];
  const check = 'public certificate';
  const urls = {
    all: [config.base_url, config.vault_url, config.backoffice_url, config.wallet_url],
    payment: [config.base_url, config.backoffice_url],
    vault: [config.vault_url, config.wallet_url],
  };
  try {
    const certificate = new X509Certificate(readFileSync(file));
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(key_file))))
      return [
        problem(
          check,
          `${key_file} is not the key of ${file}`,
          'Put the key there that the certificate was issued for.',
        ),
      ];
    const names = urls[host].flatMap((url) => URL.parse(url)?.hostname ?? []);
    const missing = names.filter((name) => certificate.checkHost(name) === undefined);
    return [
      missing.length > 0
        ? problem(check, `${file} is not of ${missing.join(', ')}`, 'Have one issued with every name of this host.')
        : ok(check, `is of ${[...new Set(names)].join(', ')}`),
      privacyOf(check, key_file),
    ];
  } catch (error) {
    return [problem(check, `cannot be used: ${whyNot(error)}`, 'Put a PEM chain and its key there.')];
  }
}

/** Checks the certificate for the links between hosts. */
export function lookAtIdentity({ tls_dir }: Config, host: ProductionHost): readonly Finding[] {
  if (host === 'all' || tls_dir === '') return [];
  const check = 'link certificate';
  try {
    readIdentity(tls_dir, host, () => undefined);
    return [ok(check, `is that of the ${host} host`), privacyOf(check, join(tls_dir, IDENTITY_FILE))];
  } catch (error) {
    return [asFinding(check, error, 'Make them with florin certs, and carry each folder to its own host.')];
  }
}

export function lookAtKeyFiles(config: Config, host: ProductionHost): readonly Finding[] {
  return [
    lookAtFolder(config),
    ...(host !== 'vault' ? [lookAtPaymentKey(config)] : []),
    ...(host === 'vault' || host === 'all' ? lookAtVaultKeys(config) : []),
  ];
}

/** A production start does not repair open permissions: it refuses them. */
function lookAtFolder({ data_dir }: Config): Finding {
  const check = 'data folder';
  try {
    const open = openToOthers(data_dir);
    return open.length === 0
      ? ok(check, `only its owner may read ${data_dir}`)
      : problem(check, `others may read ${open.join(', ')}`, `chmod -R go= ${data_dir}`);
  } catch (error) {
    return asFinding(check, error, `Make ${data_dir} a folder of the account that this host runs as.`);
  }
}

function lookAtPaymentKey(config: Config): Finding {
  const check = 'payment key file';
  const file = join(keyFolder(config), 'payment-key.json');
  const fix = 'florin make-keys payment makes it once; all payment and worker hosts have a copy of it.';
  if (!existsSync(file)) return problem(check, `there is no ${file}`, fix);
  const says = keyProblem(config, undefined);
  return says === undefined ? ok(check, `${file} is one of production`) : problem(check, says, fix);
}

function lookAtVaultKeys(config: Config): readonly Finding[] {
  const check = 'vault keys';
  if (config.key_provider !== 'file') return [ok(check, `are kept by ${config.key_provider}; the start opens it`)];
  const folder = keyFolder(config);
  try {
    const provider = fileProvider({ folder, environment: 'production', chance: systemChance(systemClock()) });
    provider.close();
    return [ok(check, 'both parts belong together')];
  } catch (error) {
    return [asFinding(check, error, 'florin make-keys makes them once, and two people keep a copy each.')];
  }
}

/** The key that the vault's database is sealed with: another one may be here, as a rotation is run on one vault. */
export function lookAtKeyInUse(config: Config, check: string, ref: string | null): Finding {
  if (ref === null) return ok(check, 'no process has used one yet');
  const folder = keyFolder(config);
  try {
    if (refsIn({ folder, environment: config.environment }).includes(ref)) return ok(check, 'is on this host');
  } catch (error) {
    return asFinding(check, error, 'Restore both parts from their backup.');
  }
  return problem(
    check,
    `the key in use, ${ref}, is not in ${folder}`,
    'Copy both of its parts here, from the vault that rotated it or from the people who keep them: until then this vault seals and opens nothing new, and does not start again.',
  );
}

/** Only its owner may read a secret. */
function privacyOf(check: string, file: string): Finding {
  const mode = statSync(file).mode & 0o077;
  return mode === 0
    ? ok(`${check}: file`, `only its owner may read ${file}`)
    : problem(`${check}: file`, `others may read ${file}`, `chmod go= ${file}`);
}
