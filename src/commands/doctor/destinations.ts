// The doctor's checks of the signed destinations: signature, tables, accounts, and whether each host answers with the
// pinned certificate. A connection is opened and closed; the doctor sends providers no request.
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ConnectionOptions, type TLSSocket, connect } from 'node:tls';
import type { Config } from '../../settings/config.ts';
import { pinnedTls } from '../../kit/tls/pinned.ts';
import { providers } from '../../provider/registry.ts';
import type { Destination } from '../../provider/send/destinations.ts';
import { readDestinations } from '../../provider/send/signed.ts';
import { APPLE_SESSION } from '../../vault/wallet/apple/identity.ts';
import { type Finding, asFinding, ok, problem } from './finding.ts';

const REACH_MS = 5000;

export async function lookAtDestinations(config: Config): Promise<readonly Finding[]> {
  const { destinations_file: file, destinations_key_file: key_file } = config;
  if (!existsSync(file) || !existsSync(key_file)) return [];
  const check = 'destinations';
  try {
    const found = await readDestinations({ file, key_file, environment: 'production' });
    const all = await Promise.all(found.map(([id, one]) => lookAtOne(config, id, one)));
    const none = found.length === 0 ? [problem(check, 'name no provider', 'Add one, and sign the file again.')] : [];
    return [ok(check, `are signed, and their tables are those of this build`), ...none, ...all.flat()];
  } catch (error) {
    return [asFinding(check, error, 'florin destinations check says the same where the file is signed.')];
  }
}

async function lookAtOne(config: Config, id: string, destination: Destination): Promise<readonly Finding[]> {
  if (id === APPLE_SESSION.destination)
    return [
      ok(`destination ${id}`, 'is the vault’s own; there it is looked at once an account has an identity at Apple'),
    ];
  const provider = providers(config).get(id);
  if (!provider)
    return [problem(`destination ${id}`, 'is no provider of this build, and is never called', 'Correct its name.')];
  const wanted = provider.credentials.filter(({ use }) => use === 'send').map(({ name }) => name);
  const reached = Object.entries(destination.hosts).flatMap(([name, host]) =>
    // opening an ISO 8583 line signs on, and only a start may do that
    host.tls && 'origin' in host
      ? [lookAtHost(`destination ${id}.${name}`, host.origin, { tls: host.tls, reach: destination.reach })]
      : [],
  );
  return [lookAtAllow(id, wanted, destination), ...(await Promise.all(reached))];
}

/** Without `allow`, an intruder on a payment host could send cards to their own account at this provider. */
function lookAtAllow(id: string, wanted: readonly string[], { allow }: Destination): Finding {
  const check = `destination ${id}: allow`;
  const named = wanted.filter((name) => allow.has(name));
  return wanted.length > 0 && named.length === 0
    ? problem(
        check,
        `pins none of ${wanted.join(', ')}: any account there may be paid to`,
        'Name yours (secrets by their SHA-256), and sign again.',
      )
    : ok(check, wanted.length === 0 ? 'there is no credential to pin' : `pins ${named.join(', ')}`);
}

type Pin = {
  readonly tls: Parameters<typeof pinnedTls>[0];
  readonly reach: Destination['reach'];
  /** Our client certificate, for a host that asks for one. */
  readonly shown?: Pick<ConnectionOptions, 'cert' | 'key'> | undefined;
};

export function lookAtHost(check: string, origin: string, { tls, reach, shown }: Pin): Promise<Finding> {
  const { hostname, port, host } = new URL(origin);
  return new Promise((resolve) => {
    const end = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    const failed = (why: string) =>
      end(
        problem(
          check,
          `${host} is not there as it is pinned: ${why}`,
          'Is the network open to it, and is its certificate the one that was signed?',
        ),
      );
    const socket: TLSSocket = connect({
      ...pinnedTls(tls, reach),
      ...shown,
      host: hostname,
      port: port === '' ? 443 : Number(port),
      ...(isIP(hostname) === 0 && { servername: hostname }),
    });
    socket.setTimeout(REACH_MS, () => failed('it does not answer'));
    socket.on('error', (error) => failed(error.message));
    socket.on('secureConnect', () =>
      end(ok(check, `${host} is there, ${socket.getProtocol() ?? 'TLS'}, with a certificate that is trusted`)),
    );
  });
}
