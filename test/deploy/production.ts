// The folders of production hosts, as docs/going-live.md makes them, put where deploy/ has them: /etc/florin/HOST.
import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { type Server, connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { type Embedded, startEmbedded } from '../../src/kit/embedded.ts';
import { fileOf, newAuthority, settingsOf } from '../hosts/going-live.ts';
import { ownPort } from '../ports.ts';
import { outcomeOf } from '../start/child.ts';

export const HOSTS = ['vault', 'payment', 'worker'] as const;
export type Host = (typeof HOSTS)[number];

export type Production = AsyncDisposable & {
  /** The folder that is seen as /etc/florin/HOST. */
  readonly folders: Readonly<Record<Host, string>>;
  readonly ports: { readonly api: number; readonly office: number; readonly vault: number };
  /** Settings of a host, as systemd reads EnvironmentFile. */
  settings(host: Host): Readonly<Record<string, string>>;
};

/** A database of two zones, and the files of the hosts. `uid` owns them. */
export async function openProduction(folder: string, uid: number): Promise<Production> {
  const server = await startEmbedded({ data_dir: join(folder, 'database') });
  const admin = new pg.Client({ host: server.socket_dir, user: server.user, database: 'postgres' });
  await admin.connect();
  for (const name of ['vault', 'payment']) await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const way = await wayTo(server);
  const [api, office, vault, vault_link, payment_link] = [
    await ownPort(),
    await ownPort(),
    await ownPort(),
    await ownPort(),
    await ownPort(),
  ];
  const here = { FLORIN_HOST: '127.0.0.1', FLORIN_LINK_HOST: '127.0.0.1' };
  const url = (login: string, database: string) => `postgres://${login}@127.0.0.1:${way.port}/${database}`;
  const money = {
    FLORIN_DATABASE_URL: url('payment_app', 'payment'),
    FLORIN_VAULT_LINK_URL: `https://127.0.0.1:${vault_link}`,
  };
  const places: Readonly<Record<Host, Record<string, string>>> = {
    vault: {
      ...here,
      FLORIN_VAULT_DATABASE_URL: url('vault_app', 'vault'),
      FLORIN_VAULT_PORT: String(vault),
      FLORIN_VAULT_LINK_PORT: String(vault_link),
      FLORIN_PAYMENT_LINK_URL: `https://127.0.0.1:${payment_link}`,
    },
    payment: {
      ...here,
      ...money,
      FLORIN_API_PORT: String(api),
      FLORIN_BACKOFFICE_PORT: String(office),
      FLORIN_PAYMENT_LINK_PORT: String(payment_link),
    },
    worker: money,
  };
  await fill(folder, { places, owner: (database) => url(server.user, database) });
  const live = join(folder, 'live');
  for (const host of HOSTS) give(join(live, host), uid);
  return {
    folders: { vault: join(live, 'vault'), payment: join(live, 'payment'), worker: join(live, 'worker') },
    ports: { api, office, vault },
    settings: (host) => environmentIn(readFileSync(join(live, host, 'settings.env'), 'utf8')),
    [Symbol.asyncDispose]: async () => {
      way.server.close();
      await server.stop();
    },
  };
}

type Filling = { readonly places: Readonly<Record<Host, Record<string, string>>>; owner(database: string): string };

async function fill(folder: string, { places, owner }: Filling): Promise<void> {
  const florin = async (command: readonly string[], settings: Record<string, string> = {}) => {
    // the database of a production host may lose nothing
    const { code, said } = await outcomeOf({
      cwd: folder,
      command,
      settings: { ...settings, FLORIN_DATABASE_DURABLE: 'required' },
    });
    if (code !== 0) throw new Error(`${command.join(' ')}: ${said}`);
    return said;
  };
  const live = join(folder, 'live');
  await florin(['certs', 'live']);
  const authority = newAuthority('A public authority');
  for (const [host, name] of [
    ['vault', 'vault.shop.example'],
    ['payment', '*.shop.example'],
  ] as const) {
    const { cert, key } = authority.issue(name);
    writeFileSync(join(live, host, 'public.pem'), cert);
    writeFileSync(join(live, host, 'public.key'), key, { mode: 0o600 });
  }
  const production = { FLORIN_ENVIRONMENT: 'production' };
  await florin(['make-keys'], { ...production, FLORIN_DATA_DIR: 'live/vault/data' });
  await florin(['make-keys', 'payment'], { ...production, FLORIN_DATA_DIR: 'live/payment/data' });
  mkdirSync(join(live, 'worker/data'));
  cpSync(join(live, 'payment/data/keys'), join(live, 'worker/data/keys'), { recursive: true });
  await florin(['migrate', 'vault'], { ...production, FLORIN_VAULT_DATABASE_URL: owner('vault') });
  await florin(['migrate', 'payment'], { ...production, FLORIN_DATABASE_URL: owner('payment') });
  await florin(['destinations', 'key', 'live/operator.key', 'live/operator.pub']);
  const table = /^stripe: ([0-9a-f]{64})$/m.exec(await florin(['destinations', 'show', 'stripe']))?.[1] ?? '';
  const destinations = fileOf('live/destinations.json')
    .replace('<the hash that show printed>', table)
    .replace('<the SHA-256 of your key>', '0'.repeat(64));
  writeFileSync(join(live, 'destinations.json'), destinations);
  await florin(['destinations', 'sign', 'live/destinations.json', 'live/operator.key']);
  for (const host of HOSTS) {
    for (const name of ['destinations.json', 'destinations.json.sig', 'operator.pub'])
      cpSync(join(live, name), join(live, host, name));
    // what docs/operations.md has the operator do
    const settings = settingsOf(`live/${host}/settings.env`, places[host]).replaceAll('live/', '/etc/florin/');
    writeFileSync(join(live, host, 'settings.env'), settings);
  }
}

function give(path: string, uid: number): void {
  chownSync(path, uid, uid);
  // as with umask 077, which the page sets
  chmodSync(path, lstatSync(path).mode & 0o700);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name), uid);
}

function environmentIn(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1).replace(/^'(.*)'$/, '$1')];
    }),
  );
}

/** The embedded server is reached by its socket, which is its own account's alone: a port here leads to it. */
async function wayTo({ socket_dir }: Embedded): Promise<{ readonly port: number; readonly server: Server }> {
  const port = await ownPort();
  const server = createServer((caller) => {
    const inside = connect(join(socket_dir, '.s.PGSQL.5432'));
    for (const [one, other] of [
      [caller, inside],
      [inside, caller],
    ] as const)
      one
        .on('error', () => other.destroy())
        .on('close', () => other.destroy())
        .pipe(other);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  server.unref();
  return { port, server };
}
