// The demo account's id and keys between starts: a small file in the data folder of a sandbox, readable by its owner
// only.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../settings/config.ts';
import type { Chance } from '../kit/clock.ts';
import { keepNames, makeFolder, replaceKept } from '../kit/kept-file.ts';
import { StartError } from '../kit/start-error.ts';
import { seedDemo } from '../payment/merchant/demo.ts';
import { makeKeyText } from '../payment/merchant/keys.ts';
import type { Tools } from '../payment/tools.ts';

export type DemoAccount = {
  readonly merchant_account_id: string;
  readonly private_key: string;
  readonly public_key: string;
};

/** The account of the demo shop's old page: card inputs in the page, so `page_inputs` is on (contract 12.3). */
export function pageInputsAccount(config: Config, chance: Chance): DemoAccount {
  const file = join(config.data_dir, 'demo-page-inputs.json');
  return existsSync(file) ? readKept(file) : keep(file, newAccount(config, chance));
}

/** Makes that account, or brings it up to date. */
export async function seedPageInputs(tools: Tools, config: Config): Promise<DemoAccount> {
  const account = pageInputsAccount(config, tools.chance);
  const { merchant_account_id, private_key, public_key } = account;
  const name = 'Demo shop, card inputs in its page';
  await seedDemo(tools, merchant_account_id, { private_key, public_key, name, settings: { page_inputs: true } });
  return account;
}

export function demoAccount(config: Config, chance: Chance): DemoAccount {
  const file = join(config.data_dir, 'demo-account.json');
  const kept = existsSync(file) ? readKept(file) : keep(file, newAccount(config, chance));
  return {
    merchant_account_id: kept.merchant_account_id,
    private_key: config.demo_private_key || kept.private_key,
    public_key: config.demo_public_key || kept.public_key,
  };
}

function newAccount(config: Config, chance: Chance): DemoAccount {
  const key = { letters: config.key_letters, environment: config.environment };
  return {
    merchant_account_id: chance.id(),
    private_key: makeKeyText(chance, { ...key, kind: 'private' }),
    public_key: makeKeyText(chance, { ...key, kind: 'public' }),
  };
}

function keep(file: string, account: DemoAccount): DemoAccount {
  makeFolder(dirname(file));
  replaceKept(file, `${JSON.stringify(account, undefined, 2)}\n`, 0o600);
  keepNames(dirname(file));
  return account;
}

function readKept(file: string): DemoAccount {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isDemoAccount(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new StartError(`${file} is damaged. Remove it: a new demo account is made at the next start.`);
}

function isDemoAccount(value: unknown): value is DemoAccount {
  return (
    typeof value === 'object' &&
    value !== null &&
    'merchant_account_id' in value &&
    'private_key' in value &&
    'public_key' in value &&
    [value.merchant_account_id, value.private_key, value.public_key].every(
      (text) => typeof text === 'string' && text !== '',
    )
  );
}
