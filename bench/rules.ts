// Routing rules of the bench: forty, of which the last one decides and draws; put in force and taken away as an
// operator does it.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { bareEnvironment } from './florin.ts';

const COUNT = 40;
/** Longer than the account is remembered. */
const IN_FORCE_MS = 1000;
const LAUNCHER = join(import.meta.dirname, '../bin/florin.mjs');
const run = promisify(execFile);

/** No order of the bench is one of the first 39: each is looked at, and none decides. */
export const FORTY_RULES = {
  rules: [
    ...Array.from({ length: COUNT - 1 }, (_, n) => ({
      name: `rule ${n + 1}`,
      when: {
        currency: ['EUR'],
        amount_from: String(1000 + n),
        scheme: ['visa', 'mastercard'],
        channel: ['e-commerce'],
      },
      then: { order: ['simulator_b', 'simulator'] },
    })),
    { name: 'the last', when: { scheme: ['visa'] }, then: { split: [['simulator', 9000], ['simulator_b', 1000]] } }, // prettier-ignore
  ],
};

type Place = { readonly folder: string; readonly data_dir: string; readonly account: string };

export async function putRules({ folder, data_dir, account }: Place, in_force: boolean): Promise<void> {
  const file = join(folder, 'rules.json');
  writeFileSync(file, JSON.stringify(FORTY_RULES));
  const verb = in_force ? ['publish', file] : ['roll-back', '0'];
  const words = ['routing', ...verb, '--account', account, '--by', 'bench'];
  await run(process.execPath, [LAUNCHER, ...words], { env: { ...bareEnvironment(), FLORIN_DATA_DIR: data_dir } });
  await wait(IN_FORCE_MS);
}
