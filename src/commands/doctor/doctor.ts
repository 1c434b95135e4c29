// florin doctor: checks everything that a deployment needs, and says for each finding what to do. It changes nothing.
// It exits with 1 if there is a problem; with warnings alone it exits with 0.
import { readConfig } from '../../settings/config.ts';
import { outsideOf } from '../../hosts/outside.ts';
import { systemChance, systemClock } from '../../kit/clock.ts';
import { StartError } from '../../kit/start-error.ts';
import { readWords } from '../arguments.ts';
import { lookAtDatabase } from './database.ts';
import { type Finding, ok, problem } from './finding.ts';
import { lookAtMail } from './mail.ts';
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
import { PRODUCTION_HOSTS, examineProduction } from './production.ts';

const USAGE = `florin doctor [--json] [--mail ADDRESS]   sends a test mail there
       florin doctor --production [${PRODUCTION_HOSTS.join('|')}] [--json]   before a host's first start`;

export async function doctorCommand(version: string, args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['mail'], flags: ['json', 'production'] });
  const [name = 'all', ...more] = words.rest;
  const host = PRODUCTION_HOSTS.find((one) => one === name);
  const strict = words.flag('production');
  if (more.length > 0 || host === undefined || (words.rest.length > 0 && !strict))
    throw new StartError(`Usage: ${USAGE}`);
  const findings = await (strict ? examineProduction(host, systemClock()) : examine(words.text('mail')));
  const worst = (['problem', 'warning'] as const).find((level) => findings.some((one) => one.level === level)) ?? 'ok';
  const node = process.versions.node;
  console.log(
    words.flag('json') ? JSON.stringify({ version, node, result: worst, findings }) : textOf(version, findings),
  );
  if (worst === 'problem') process.exitCode = 1;
}

/** Makes every check, whatever the others found; without valid settings no check is possible. */
async function examine(mail_to: string | undefined): Promise<readonly Finding[]> {
  const config = settings();
  if ('check' in config) return [config];
  const clock = systemClock();
  const egress = outsideOf(config)({ tls: () => tlsOfHosts(config) });
  try {
    const payment = config.environment === 'sandbox' || config.database_url !== '';
    const vault = config.environment === 'sandbox' || config.vault_database_url !== '';
    return [
      ok('settings', `a ${config.environment}, as docs/settings.md has it`),
      lookAtDisk(config),
      ...lookAtNetwork(),
      ...lookAtOpenFiles(),
      ...lookAtProxy(config),
      ...lookAtCertificates(config, clock),
      ...(payment ? await lookAtDatabase(config, 'payment', clock) : []),
      ...(vault ? await lookAtDatabase(config, 'vault', clock) : []),
      ...(vault ? lookAtWallets(config, clock) : []),
      ...(await lookAtHosts(config, egress)),
      ...(payment ? [await lookAtMail(config, systemChance(clock), mail_to)] : []),
    ];
  } finally {
    await egress.close();
  }
}

function settings(): ReturnType<typeof readConfig> | Finding {
  try {
    return readConfig(undefined, 'doctor');
  } catch (error) {
    if (error instanceof StartError)
      return problem('settings', error.message, 'Each line names the setting; docs/settings.md says what it takes.');
    throw error;
  }
}

const MARKS = { ok: ' ok     ', warning: ' WARNING', problem: ' PROBLEM' } as const;

function textOf(version: string, findings: readonly Finding[]): string {
  const wide = Math.max(...findings.map(({ check }) => check.length)) + 2;
  const lines = findings.flatMap(({ check, level, says, fix }) => [
    `${MARKS[level]}  ${check.padEnd(wide)}${says.replaceAll('\n', `\n${' '.repeat(wide + 10)}`)}`,
    ...(fix === undefined ? [] : [`${' '.repeat(wide + 10)}→ ${fix}`]),
  ]);
  const count = (level: Finding['level']) => findings.filter((one) => one.level === level).length;
  const sum = `${count('problem')} problems, ${count('warning')} warnings, ${count('ok')} things are well.`;
  return [`Florin ${version}, Node ${process.versions.node}`, '', ...lines, '', sum].join('\n');
}
