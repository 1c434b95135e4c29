// `florin COMMAND` on a machine whose internet is a test's: in the place of bin/florin.mjs, and hardened as it does it.
// Production refuses options that run other code first, so the test's internet cannot come in by one.
import { HARD_OPTIONS, hardOptionsFor } from '../../src/kit/process/hardening.ts';
import { permissionOptions } from '../../src/hosts/permissions.ts';
import { ROOT } from '../start/root.ts';
import { type Internet, useInternet } from './internet.ts';

const HOSTS = ['payment', 'vault', 'worker'] as const;
const [node = '', own = '', ...words] = process.argv;
const host = HOSTS.find((name) => name === words[0]);

if (host && !process.execArgv.includes(HARD_OPTIONS[0])) {
  const confined = await permissionOptions(host);
  const options = [
    ...hardOptionsFor({ hashes_passwords: host === 'payment' }),
    ...confined,
    ...(confined.length > 0 ? [`--allow-fs-read=${ROOT}test/*`] : []),
  ];
  const all = [node, ...options, own, ...words];
  process.execve?.('/bin/sh', ['sh', '-c', 'ulimit -c 0; exec "$0" "$@"', ...all], { ...process.env });
}
useInternet(JSON.parse(process.env['TEST_INTERNET'] ?? '{}') as Internet);
process.argv = [node, `${ROOT}src/main.ts`, ...words];
await import('../../src/main.ts');
