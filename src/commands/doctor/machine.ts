// The doctor's checks of this machine: its disk, its ports, its certificates, and the hosts that run here.
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { DAY_MS } from '../../core/durations.ts';
import type { Config } from '../../settings/config.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Egress } from '../../kit/egress.ts';
import { ownUrl, portsOf } from '../../hosts/ports.ts';
import { NO_PROXIES } from '../../kit/http/callers/proxies.ts';
import { DESCRIPTORS_WANTED, LIMITS } from '../../kit/http/limits.ts';
import { openedBy, whyNotOpened } from '../../kit/http/listen.ts';
import { ownLimit } from '../../kit/process/descriptors.ts';
import { StartError } from '../../kit/start-error.ts';
import { readWalletRoots } from '../../vault/wallet/recipients.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const LITTLE_BYTES = 2 * 1024 ** 3;
const TOO_LITTLE_BYTES = 256 * 1024 ** 2;

export function lookAtDisk({ data_dir }: Config): Finding {
  let folder = resolve(data_dir);
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const says = `${Math.round((free / 1024 ** 3) * 10) / 10} GiB are free where ${data_dir} lies`;
  const fix = 'Make room: a database without room for its log stops taking payments.';
  if (free < TOO_LITTLE_BYTES) return problem('disk', says, fix);
  return free < LITTLE_BYTES ? warning('disk', says, fix) : ok('disk', says);
}

const ORPHAN_RETRIES = '/proc/sys/net/ipv4/tcp_orphan_retries';
/** 0 stands for it. */
const USUAL_RETRIES = 8;

/** Nothing where the system goes on sending what was given up for no longer than it usually does (decision 166). */
export function lookAtNetwork(file = ORPHAN_RETRIES): readonly Finding[] {
  if (!existsSync(file)) return [];
  const retries = Number(readFileSync(file, 'utf8'));
  if (retries <= USUAL_RETRIES) return [];
  const says = `the system sends what Florin has given up ${retries} times more, so a call can reach a provider after it was taken to be gone`;
  return [problem('network', says, `sysctl net.ipv4.tcp_orphan_retries=${USUAL_RETRIES}`)];
}

/**
 * What the hosts may have open at once, as far as they are started the way the doctor is. Nothing where the system does
 * not tell.
 */
export function lookAtOpenFiles(limit = ownLimit()): readonly Finding[] {
  if (limit === undefined) return [];
  const check = 'open files';
  const says = `a process of this account may have ${limit} files and connections open`;
  if (limit >= DESCRIPTORS_WANTED) return [ok(check, says.replace('Infinity', 'any number of'))];
  const short = `${says}, and a host takes up to ${DESCRIPTORS_WANTED}: beyond the limit callers are closed unanswered`;
  return [
    warning(
      check,
      short,
      `Set LimitNOFILE of its unit, or the hard limit of ulimit -n, to ${DESCRIPTORS_WANTED} or more.`,
    ),
  ];
}

/** Nothing where no proxy stands before the hosts, or where both settings say that one does. */
export function lookAtProxy({
  behind_proxy,
  trusted_proxies,
}: Pick<Config, 'behind_proxy' | 'trusted_proxies'>): readonly Finding[] {
  const named = trusted_proxies !== NO_PROXIES;
  if (behind_proxy === named) return [];
  const check = 'proxy';
  if (behind_proxy)
    return [
      problem(
        check,
        'every request counts as the proxy’s own: all payers share the limits of one address, and risk rules and the audit see its address',
        'Name it in FLORIN_TRUSTED_PROXIES, and have it write X-Forwarded-For anew.',
      ),
    ];
  const [kept_s, idle_s] = [LIMITS.keep_alive_behind_proxy_ms / 1000, LIMITS.keep_alive_ms / 1000];
  return [
    warning(
      check,
      `FLORIN_TRUSTED_PROXIES names one, and its idle connections end after ${idle_s} s: a request on one that is just ending is lost`,
      `Set FLORIN_BEHIND_PROXY=yes: they are kept for ${kept_s} s.`,
    ),
  ];
}

/** A cvc in the memory of one vault is not there for an order that comes to another. */
export function lookAtCvcs({ cvc_store }: Pick<Config, 'cvc_store'>, vaults: number): Finding {
  const check = 'security codes';
  if (cvc_store === 'database') return ok(check, 'wait in the database, for all vaults');
  if (vaults <= 1) return ok(check, 'wait in the memory of the one vault');
  return problem(
    check,
    `wait in the memory of each of ${vaults} vaults: what another takes to a provider goes out without it, and wallets are refused there`,
    'Set FLORIN_CVC_STORE=database on every vault.',
  );
}

/**
 * Without root keys a wallet's payloads are refused. Root keys that expire soon must be fetched again from the wallet.
 */
export function lookAtWallets(config: Config, clock: Clock): readonly Finding[] {
  const check = 'wallets';
  try {
    const { google_pay, apple_pay } = readWalletRoots(config);
    const taken = [google_pay && 'Google Pay', apple_pay && 'Apple Pay'].filter(Boolean).join(' and ') || 'none';
    const ends = google_pay?.map(({ expires }) => expires?.getTime() ?? Number.POSITIVE_INFINITY) ?? [];
    const days = (Math.max(...ends) - clock.now().getTime()) / DAY_MS;
    const says = `payloads are taken of: ${taken}`;
    if (google_pay && days < SOON_DAYS)
      return [warning(check, `the newest root key of Google Pay ${days < 0 ? 'has ended' : 'ends soon'}`, REFRESH)];
    return [ok(check, says)];
  } catch (error) {
    if (error instanceof StartError) return [problem(check, error.message, REFRESH)];
    throw error;
  }
}

const SOON_DAYS = 30;
const REFRESH = 'Fetch the file again from the wallet, and start the vault again.';

export function lookAtCertificates({ tls_cert_file, tls_dir }: Config, clock: Clock): readonly Finding[] {
  const files = {
    FLORIN_TLS_CERT_FILE: tls_cert_file,
    FLORIN_TLS_DIR: tls_dir === '' ? '' : join(tls_dir, 'identity.pem'),
  };
  return Object.entries(files).flatMap(([setting, file]) => {
    if (file === '') return [];
    const check = `certificate of ${setting}`;
    const renew = setting === 'FLORIN_TLS_DIR' ? 'florin certs FOLDER --renew' : 'Renew it where it was issued';
    try {
      const ends = new X509Certificate(readFileSync(file)).validToDate;
      const days = (ends.getTime() - clock.now().getTime()) / DAY_MS;
      const says = `ends on ${ends.toISOString().slice(0, 10)}`;
      if (days < 0) return [problem(check, `ended on ${ends.toISOString().slice(0, 10)}`, `${renew}.`)];
      return [days < 14 ? warning(check, says, `${renew}; a host takes it over by itself.`) : ok(check, says)];
    } catch {
      return [problem(check, `${file} is no certificate that can be read`, `${renew}.`)];
    }
  });
}

/** Our hosts show our own certificate, whatever name they are called by. */
export function tlsOfHosts({ tls_cert_file: file }: Config): ConnectionOptions {
  if (!existsSync(file)) return {};
  return { ca: readFileSync(file), allowPartialTrustChain: true, checkServerIdentity: () => undefined };
}

type Parts = Readonly<Record<string, unknown>>;

/** Each port is our running host's, or free, or another program's. */
export async function lookAtHosts(
  config: Config,
  egress: Egress,
  names: readonly (keyof ReturnType<typeof portsOf>)[] = ['api', 'vault', 'backoffice'],
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const ports = portsOf(config);
  for (const one of names) {
    const { name, port } = ports[one];
    const check = `${name} at port ${port}`;
    if (port === 0) continue;
    const parts = await readiness(ownUrl(config, one), egress);
    found.push(
      parts ? readyFinding(check, parts) : absentFinding(check, await whyNotOpened(config.host, port), ports[one]),
    );
  }
  return found;
}

/** No host of ours answers there: whether one could. */
function absentFinding(check: string, why: string | undefined, at: { port: number; setting: string }): Finding {
  if (why === 'EADDRINUSE')
    return problem(check, 'is taken by another program', `End it, or set ${at.setting} to a free port.`);
  if (why === 'EACCES') return problem(check, 'may not be opened by this user', openedBy(at));
  return warning(check, 'is not running', 'florin start, or florin payment and florin vault on their own hosts.');
}

const FIXES: Readonly<Record<string, string>> = {
  database: 'See what is said of the database.',
  keys: 'The vault is sealed: is its key provider there, and are its files, token or PIN those of this vault?',
  vault: 'Payments with cards are refused until it is back: is florin vault running, and does this host reach it?',
  descriptors: 'Raise its limit (LimitNOFILE of its unit, ulimit -n), and see who holds so many connections.',
  lag: 'The process has too much to do: start more of them, or find what holds it up.',
};

function readyFinding(check: string, { status: _, ...parts }: Parts): Finding {
  const bad = Object.entries(parts).filter(
    ([name, part]) => Object.hasOwn(FIXES, name) && part !== true && part !== 'ok',
  );
  if (bad.length === 0) return ok(check, 'is ready');
  const says = `is not well: ${bad.map(([name, part]) => `${name} ${part === false ? 'is not there' : String(part)}`).join(', ')}`;
  return problem(check, says, bad.map(([name]) => FIXES[name] ?? 'See its log.').join(' '));
}

/** The answer of /ready at this address; undefined if what listens there is not one of our hosts. */
async function readiness(origin: string, egress: Egress): Promise<Parts | undefined> {
  const answer = await egress.exchange({
    method: 'GET',
    origin,
    path: '/ready',
    headers: {},
    body: null,
    deadline_ms: 3000,
    max_answer_bytes: 4096,
  });
  if (answer.kind !== 'answered') return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(answer.body).toString('utf8'));
    return typeof parts === 'object' && parts !== null && 'status' in parts && 'database' in parts
      ? { ...parts }
      : undefined;
  } catch {
    return undefined;
  }
}
