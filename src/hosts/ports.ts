// The ports that callers see, with the names and settings by which an operator knows them.
import type { Config } from '../settings/config.ts';
import { type WantedPort, requireFree } from '../kit/http/listen.ts';

type Name = 'api' | 'vault' | 'backoffice';

export function portsOf(config: Config): Readonly<Record<Name, WantedPort>> {
  return {
    api: { name: 'payment API', port: config.api_port, setting: 'FLORIN_API_PORT' },
    vault: { name: 'vault', port: config.vault_port, setting: 'FLORIN_VAULT_PORT' },
    backoffice: { name: 'back office', port: config.backoffice_port, setting: 'FLORIN_BACKOFFICE_PORT' },
  };
}

/**
 * StartError that names all of these ports that are taken, all three unless said. Asked once the data folder is ours:
 * the error of a second start there names the folder, not the ports that the first one holds.
 */
export function requireFreePorts(
  config: Config,
  names: readonly Name[] = ['api', 'vault', 'backoffice'],
): Promise<void> {
  const ports = portsOf(config);
  return requireFree(
    config.host,
    names.map((name) => ports[name]),
  );
}
