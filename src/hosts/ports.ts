// The ports that callers see, with the names and settings by which an operator knows them.
import type { Config } from '../settings/config.ts';
import { type WantedPort, requireFree, urlAt } from '../kit/http/listen.ts';

type Name = 'api' | 'vault' | 'backoffice';

export function portsOf(config: Config): Readonly<Record<Name, WantedPort>> {
  return {
    api: { name: 'payment API', port: config.api_port, setting: 'FLORIN_API_PORT' },
    vault: { name: 'vault', port: config.vault_port, setting: 'FLORIN_VAULT_PORT' },
    backoffice: { name: 'back office', port: config.backoffice_port, setting: 'FLORIN_BACKOFFICE_PORT' },
  };
}

/** The address at which this machine itself reaches a host of its own. */
export function ownUrl(config: Config, name: Name): string {
  return urlAt(config.host, portsOf(config)[name].port, config.tls_cert_file === '' ? 'http' : 'https');
}

/** The address of a running host, for a command beside it: the one that callers have, or this machine's own. */
export function hostUrl(config: Config, name: Name): string {
  const { base_url, vault_url, backoffice_url } = config;
  return { api: base_url, vault: vault_url, backoffice: backoffice_url }[name] || ownUrl(config, name);
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
