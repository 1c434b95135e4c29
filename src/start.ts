// florin start: one line a step, then where everything is, the demo keys, and one request that works as printed.
import { type Config, type Environment, environmentWith, readConfig } from './settings/config.ts';
import { readWords } from './commands/arguments.ts';
import { startAlone } from './hosts/alone.ts';
import type { HostRole } from './hosts/needs.ts';
import { seedPageInputs } from './hosts/demo-account.ts';
import { systemClock } from './kit/clock.ts';
import { openLog } from './kit/log.ts';
import { closeReports, guardProcess, ownProblems } from './kit/process/hardening.ts';
import { StartError } from './kit/start-error.ts';
import { type Service, startService } from './hosts/service.ts';
import type { StartOptions } from './hosts/zones.ts';

/** Behind the pause in which proxies see that it stops. */
const STOP_MS = 14_000;

const USAGE =
  'florin start [--with NAMES]   simulators of real providers behind a sandbox, as stripe,adyen (FLORIN_WITH)';

/** Its one word is the setting of the same name. */
export async function startCommand(version: string, args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['with'] });
  const simulators = words.text('with');
  const environment = simulators === undefined ? undefined : environmentWith({ FLORIN_WITH: simulators });
  await start(version, 'all', environment);
}

/** Everything in one process, or one host alone. */
export async function start(version: string, role: HostRole = 'all', environment?: Environment): Promise<void> {
  const config = readConfig(environment, role);
  harden(config, role);
  const clock = systemClock();
  // Install the signal handlers before the first log line: a supervisor may stop us as soon as it has read it.
  const ending = endings();
  guardProcess(openLog(config.log_level), ending.fail);
  const began = clock.ticks();
  const seconds = () => {
    const tenths = Math.trunc((clock.ticks() - began) / 100);
    return `${Math.trunc(tenths / 10)}.${tenths % 10}`.padStart(5);
  };
  const say = (line: string) => console.log(`${seconds()} s  ${line}`);
  const alone = role === 'all' ? '' : `, ${role} alone`;
  say(`Florin ${version}, ${config.environment}${alone}, Node ${process.versions.node}`);
  const starting = started(role, { config, version, say, failed: ending.fail });
  const service = await Promise.race([starting, ending.wanted]);
  if (service) {
    say('ready\n');
    console.log(service.summary);
    await ending.wanted;
  }
  await stop(await starting, config.stop_pause_ms, say);
}

type Started = { readonly summary: string; close(): Promise<void> };

async function started(role: HostRole, options: StartOptions): Promise<Started> {
  if (role === 'all') {
    const service = await startService(options);
    if (service.demo) await seedPageInputs(service.tools, options.config);
    return { summary: summary(service), close: () => service.close() };
  }
  const { facts, close } = await startAlone(role, options);
  const lines = Object.entries(facts).map(([name, value]) => `  ${name.padEnd(13)}${value}`);
  return { summary: lines.join('\n'), close };
}

/** Production starts only in a process that keeps its memory to itself. */
function harden({ environment, node_options }: Config, role: HostRole): void {
  closeReports();
  const problems =
    environment === 'production'
      ? ownProblems(node_options, { confined: role !== 'all', hashes_passwords: role === 'payment' })
      : [];
  if (problems.length > 0)
    throw new StartError(`Florin cannot start like this:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
}

/** Signals, a launcher that is gone, or a part that failed for good. */
function endings() {
  const wanted = Promise.withResolvers<undefined>();
  const end = () => wanted.resolve(undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  if (process.connected) process.on('disconnect', end);
  const fail = (error: Error) => {
    console.error(`\n${error.message}`);
    process.exitCode = 1;
    end();
  };
  return { wanted: wanted.promise, fail };
}

async function stop(service: Started, pause_ms: number, say: (line: string) => void): Promise<void> {
  say('stopping');
  const late = setTimeout(() => {
    console.error('Florin did not stop in time; it ends now. Nothing that was acknowledged is lost.');
    process.exit(1);
  }, pause_ms + STOP_MS);
  await service.close();
  clearTimeout(late);
  say('stopped');
  process.exit(process.exitCode ?? 0);
}

function summary({ addresses, demo, first_link, simulators = new Map() }: Service): string {
  const lines = [
    `  Payment API  ${addresses.base_url}        guides and reference ${addresses.base_url}/docs`,
    `  Vault        ${addresses.vault_url}`,
    `  Back office  ${addresses.backoffice_url}`,
    ...(first_link === undefined
      ? []
      : [`               sign up once, as the owner of the demo account: ${first_link}`]),
    ...[...simulators].map(
      ([name, { url }]) => `  ${name.padEnd(13)}${url}        pay there with "merchant_contract":"${name}"`,
    ),
  ];
  if (!demo) return lines.join('\n');
  return `${lines.join('\n')}

  Private key  ${demo.private_key}
  Public key   ${demo.public_key}

Create a checkout:

  ${checkoutCurl(addresses.base_url, demo.private_key)}

Or see a whole payment: npm run demo. Or pay in a small shop: npm run shop`;
}

/** The request that is printed at the start; a test runs it as it is printed. */
export function checkoutCurl(base_url: string, private_key: string): string {
  const body =
    '{"type":"api","operation_type":"authorize","amount":"42.50","currency":"EUR","order_merchant_id":"cart-1881"}';
  return `curl -s ${base_url}/payment/checkout -H 'x-api-key: ${private_key}' -H 'content-type: application/json' -d '${body}'`;
}
