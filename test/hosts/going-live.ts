// docs/going-live.md as a person goes through it: its lines run by a shell, its settings put where it says, in a folder
// of their own. Only where things are is another than printed: ports, databases and the addresses of the links.
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { makeCertificate } from '../../src/kit/tls/certificate.ts';
import { totpCode, totpStep } from '../../src/kit/person/totp.ts';
import { PASSWORD, Person } from '../backoffice/person.ts';
import { until } from '../client.ts';
import type { World } from '../world.ts';
import { gone, kill, livingOf, treeOf } from '../start/processes.ts';
import { ROOT } from '../start/root.ts';
import type { Internet } from './internet.ts';
import { fromBase32 } from '../base32.ts';

export const PAGE = readFileSync(new URL('../../docs/going-live.md', import.meta.url), 'utf8');

/** The shell lines of a section, by the number in its heading. */
export function linesOf(section: number | 'all'): readonly string[] {
  const [, text = ''] =
    section === 'all' ? ['', PAGE] : (new RegExp(`\n## ${section}\\. [^\n]*\n([\\s\\S]*?)(?=\n## )`).exec(PAGE) ?? []);
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines = '']) => lines);
}

/** What the page shows as this file. */
export function fileOf(path: string): string {
  const [, text] = PAGE.split(`\`${path}\`:\n\n`)[1]?.match(/^```\w+\n([\s\S]*?)```/) ?? [];
  if (text === undefined) throw new Error(`the page does not show ${path}`);
  return text;
}

/** What the page adds to the signed file for a provider, as the section of that name shows it. */
export function memberOf(section: string): string {
  const [, text = ''] = PAGE.split(`\n## ${section}\n`);
  const [, shown] = /```json\n([\s\S]*?)```/.exec(text) ?? [];
  if (shown === undefined) throw new Error(`the page shows no destination under ${section}`);
  return shown;
}

/** These say where something is; all others are as printed. */
const PLACES = /^FLORIN_(?:HOST|LINK_HOST|\w+_PORT|\w+_LINK_URL|(?:VAULT_)?DATABASE_URL)$/;

export function settingsOf(path: string, places: Readonly<Record<string, string>>): string {
  for (const name of Object.keys(places)) if (!PLACES.test(name)) throw new Error(`${name} must be as it is printed`);
  const lines = fileOf(path).split('\n');
  return lines
    .map((line) => {
      const [name = ''] = line.split('=');
      const place = places[name];
      return place === undefined ? line : `${name}='${place}'`;
    })
    .join('\n');
}

export type Authority = {
  readonly pem: string;
  issue(dns_name: string): { readonly cert: string; readonly key: string };
};

export function newAuthority(name: string): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const lifetime = { not_before: new Date(Date.now() - 3_600_000), not_after: new Date(Date.now() + 40 * 86_400_000) };
  const made = (rest: Pick<Parameters<typeof makeCertificate>[0], 'subject' | 'public_key' | 'for'>) =>
    makeCertificate({
      ...lifetime,
      issuer: name,
      authority_key: own.privateKey,
      serial: randomBytes(16).fill(1, 0, 1),
      ...rest,
    });
  return {
    pem: made({ subject: name, public_key: own.publicKey, for: 'authority' }),
    issue: (dns_name) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const cert = made({ subject: dns_name, public_key: publicKey, for: { dns_name, uses: ['server'] } });
      return { cert, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
    },
  };
}

export type Front = AsyncDisposable & { readonly port: number; show(shown: { cert: string; key: string }): void };

/**
 * What stands behind a front: a server of this machine, and the path there is before all of the front's; `ca`: it is
 * TLS, too.
 */
type Behind = { readonly url: string; readonly path?: string; readonly ca?: string };

/** TLS before a server of this machine. */
export async function openFront(
  shown: { cert: string; key: string },
  { url: to, path = '', ca }: Behind,
): Promise<Front> {
  const { port, hostname: host } = new URL(to);
  const ask = ca === undefined ? request : requestTls;
  const server = createServer(shown, (incoming, response) => {
    const { method, url = '', headers } = incoming;
    // as at the provider: another path is nobody's
    if (!url.startsWith(`${path}/`)) return void response.writeHead(404).end();
    const asked = { host, port, method, path: url.slice(path.length), headers, ...(ca !== undefined && { ca }) };
    const onward = ask(asked, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: listeningPort(server),
    show: (other) => {
      server.setSecureContext(other);
      server.closeAllConnections();
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** TLS before the lines of an acquirer. */
export async function openLineFront(shown: { cert: string; key: string }, to: number): Promise<Omit<Front, 'show'>> {
  const lines = new Set<{ destroy(): void }>();
  const server = createTls(shown, (outer) => {
    const inner = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      lines.add(one);
      one.on('error', () => other.destroy()).on('close', () => (other.destroy(), lines.delete(one)));
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: listeningPort(server),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const line of lines) line.destroy();
      await closed;
    },
  };
}

export type Said = { readonly code: number | null; readonly out: string; readonly err: string };
export type Running = { readonly child: ChildProcess; out(): string; err(): string };

export type Machine = AsyncDisposable & {
  /** Runs lines of the page to their end. */
  run(lines: string, variables?: Readonly<Record<string, string>>): Promise<Said>;
  /** Runs a line that starts a host, and waits until it is ready. */
  start(line: string): Promise<Running>;
  stop(running: Running): Promise<void>;
};

/**
 * A shell in `folder`, where `node` and `curl` know the internet of the test, and trust its authority as they trust
 * public ones.
 */
export function openMachine(folder: string, internet: Internet, authority: Authority): Machine {
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  const ca = join(tools, 'ca.pem');
  writeFileSync(ca, authority.pem);
  const script = (name: string, line: string) => {
    writeFileSync(join(tools, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  // the first word is bin/florin.mjs
  script('node', `shift; exec '${process.execPath}' '${ROOT}test/hosts/on-the-internet.ts' "$@"`);
  const ways = Object.entries(internet).map(([name, { port }]) => `--connect-to '${name}:443:127.0.0.1:${port}'`);
  script('curl', `exec /usr/bin/env -i /usr/bin/curl --cacert '${ca}' ${ways.join(' ')} "$@"`);
  symlinkSync(join(ROOT, 'bin'), join(folder, 'bin'));
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:FLORIN|VITEST|NODE)_/.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    PATH: `${tools}:${process.env['PATH'] ?? ''}`,
    NODE_EXTRA_CA_CERTS: ca,
    TEST_INTERNET: JSON.stringify(internet),
  };
  const [on = ''] = linesOf('all');
  const running = new Set<Running>();
  const begin = (lines: string, variables: Readonly<Record<string, string>>): Running => {
    const child = spawn('/bin/sh', ['-e', '-c', `${on}\n${lines}`], {
      cwd: folder,
      env: { ...env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    return { child, out: () => out, err: () => err };
  };
  const stop = async (one: Running) => {
    running.delete(one);
    const tree = treeOf(one.child.pid ?? 0);
    kill(tree, 'SIGTERM');
    await gone(tree).finally(() => kill(livingOf(tree), 'SIGKILL'));
  };
  return {
    run: async (lines, variables = {}) => {
      const one = begin(lines, variables);
      await once(one.child, 'close');
      return { code: one.child.exitCode, out: one.out(), err: one.err() };
    },
    start: async (line) => {
      const one = begin(line, {});
      running.add(one);
      await until(() => {
        if (one.child.exitCode !== null) throw new Error(`it ended: ${one.out()}${one.err()}`);
        return / s {2}ready\n/.test(one.out()) || undefined;
      }, 90);
      return one;
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      for (const one of running) await stop(one);
    },
  };
}

/** Writes a file as a person would. */
export function put(folder: string, path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, path), text, { mode });
}

/** A person with a link to the back office: a password, and the second factor that production asks for. */
export async function signUp(addresses: World['service']['addresses'], link: string): Promise<Person> {
  const person = new Person({ service: { addresses } });
  const welcome = await person.post(`/api${link}`, { name: 'Ada', password: PASSWORD });
  if (welcome.status !== 200) throw new Error(`the invitation ${link} was refused: ${welcome.text}`);
  const uri = (await person.post('/api/me/totp', { password: PASSWORD })).say('uri');
  const secret = fromBase32(/secret=([A-Z2-7]+)/.exec(uri)?.[1] ?? '');
  const code = totpCode(secret, totpStep(Date.now() / 1000));
  const confirmed = await person.post('/api/me/totp/confirm', { code });
  if (confirmed.status !== 200) throw new Error(`the second factor was refused: ${confirmed.text}`);
  return person;
}
