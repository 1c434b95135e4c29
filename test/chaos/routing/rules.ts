// Routing rules of a run: published as an operator does, beside the running services; and every choice that they made,
// made again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Arena } from '../arena.ts';
import type { Postgres } from '../postgres.ts';
import { launch } from '../process.ts';
import { VENDOR_CURRENCY } from '../vendors/vendors.ts';

const BANK_RULES = [
  { name: 'shared', when: { currency: ['EUR', 'JPY', 'KWD'] }, then: { split: [['simulator', 7000], ['simulator_b', 3000]] } }, // prettier-ignore
  { name: 'large', when: { currency: ['USD'], amount_from: '500' }, then: { order: ['simulator_b', 'simulator'] } },
  // asked again when the payer was authenticated, before anything is sent
  { name: 'proved', when: { three_ds: ['authenticated'] }, then: { order: ['simulator_b', 'simulator'] } },
  { name: 'saved', when: { initiator: ['merchant'], scheme: ['mastercard'] }, then: { order: ['simulator_b'], also: true } }, // prettier-ignore
] as const;
/** Three protocols; the fourth is there for what names it. */
const VENDOR_RULE = {
  name: 'pounds',
  when: { currency: [VENDOR_CURRENCY] },
  then: { split: [['stripe', 3400], ['adyen', 3300], ['iso8583', 3300]] }, // prettier-ignore
} as const;

/** As the services of a run start: its folders, and settings that a command needs too. */
export type Beside = {
  readonly tree: string;
  readonly folder: string;
  readonly compiled: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly postgres: Postgres;
};

export async function publishRules(beside: Beside, with_vendors: boolean): Promise<void> {
  const file = join(beside.folder, 'rules.json');
  writeFileSync(file, JSON.stringify({ rules: [...BANK_RULES, ...(with_vendors ? [VENDOR_RULE] : [])], cascade: 1 }));
  await florin(beside, ['routing', 'publish', file, '--account', await accountOf(beside), '--by', 'gate']);
}

/** Any rules: all that is wanted is that the choices of then are made again. */
const PLAIN = JSON.stringify({ rules: [{ name: 'all', then: { order: ['simulator'] } }] });

type Trial = { readonly attempts: number; readonly defects: number };

/** Attempts that were looked at, and those whose choice does not come out again from what is stored. */
export async function chooseAgain(beside: Beside): Promise<Trial> {
  const file = join(beside.folder, 'plain.json');
  writeFileSync(file, PLAIN);
  const said = await florin(beside, ['routing', 'try', file, '--account', await accountOf(beside), '--json']);
  return JSON.parse(said) as Trial;
}

/** The account that all orders are of: the first that was made. Another one may be there, which has none. */
async function accountOf({ postgres }: Pick<Arena, 'postgres'>): Promise<string> {
  const [account] = await postgres.sql<{ id: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS id FROM payment.merchant_accounts ORDER BY merchant_account_id`,
  );
  return account?.id ?? '';
}

async function florin({ tree, folder, compiled, settings }: Beside, args: readonly string[]): Promise<string> {
  const said: string[] = [];
  const printed: string[] = [];
  const child = launch({
    script: join(tree, 'bin/florin.mjs'),
    args,
    cwd: folder,
    env: { FLORIN_DATA_DIR: join(folder, 'data'), FLORIN_LOG_LEVEL: 'warn', ...settings },
    compiled,
    nice: 0,
    line: (text, from) => {
      said.push(text);
      if (from === 'stdout') printed.push(text);
    },
  });
  const { code } = await child.ended;
  if (code !== 0) throw new Error(`florin ${args.join(' ')} ended with ${code}:\n${said.join('\n')}`);
  return printed.join('\n');
}
