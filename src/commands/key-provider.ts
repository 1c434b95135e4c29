// Opens the key provider that the settings name, and names the actor of audit records. The transit adapter is loaded
// only when it is needed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../settings/config.ts';
import type { Chance } from '../kit/clock.ts';
import type { Egress } from '../kit/egress.ts';
import type { Log } from '../kit/log.ts';
import { StartError, whyNot } from '../kit/start-error.ts';
import { type Auditor, auditor } from '../vault/audit/audit.ts';
import { fileProvider } from '../vault/keys/file-provider.ts';
import type { Pkcs11Binding } from '../vault/keys/pkcs11-provider.ts';
import type { KeyProvider } from '../vault/keys/provider.ts';

type Parts = { readonly config: Config; readonly chance: Chance; readonly egress: Egress };

export async function openKeyProvider({ config, chance, egress }: Parts): Promise<KeyProvider> {
  const { environment } = config;
  if (config.key_provider === 'pkcs11') return tokenProvider(config, chance);
  if (config.key_provider === 'file') return fileProvider({ folder: keyFolder(config), environment, chance });
  const { transitProvider } = await import('../vault/keys/transit-provider.ts');
  return transitProvider({
    origin: config.transit_url,
    mount: config.transit_mount,
    key: config.transit_key,
    environment,
    egress,
    token: () => readSecret('FLORIN_TRANSIT_TOKEN_FILE', config.transit_token_file),
  });
}

/** The folder of the file provider's key files. */
export function keyFolder(config: Config): string {
  return join(config.data_dir, 'keys');
}

/** The binding is compiled for its machine, so the operator installs it; the other providers work without it. */
async function tokenProvider(config: Config, chance: Chance): Promise<KeyProvider> {
  const { pkcs11Provider } = await import('../vault/keys/pkcs11-provider.ts');
  return pkcs11Provider({
    binding: loadBinding(config.pkcs11_binding),
    module: config.pkcs11_module,
    token: config.pkcs11_token,
    pin: readSecret('FLORIN_PKCS11_PIN_FILE', config.pkcs11_pin_file),
    environment: config.environment,
    chance,
  });
}

function loadBinding(name: string): Pkcs11Binding {
  try {
    const { PKCS11 }: { PKCS11: new () => Pkcs11Binding } = createRequire(import.meta.url)(name);
    return new PKCS11();
  } catch (error) {
    throw new StartError(
      `FLORIN_PKCS11_BINDING ${name} cannot be loaded: ${whyNot(error)} Install it with: npm install --no-save pkcs11js`,
    );
  }
}

function readSecret(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StartError(`${setting} ${file} cannot be read: ${whyNot(error)}`);
  }
}

/** Audit records name the actor, the machine and the process. */
export function auditorOf(actor: string, log: Log): Auditor {
  return auditor({ actor, source: `${hostname()} ${process.pid}`, log });
}
