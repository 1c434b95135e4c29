// Files of tokens and of exported cards on a system that takes a part of what is written to them without a word, as a
// disk does that gets full: what is written down as done is in the file, and the next run goes on.
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CryptoKey, compactDecrypt, importPKCS8 } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, newFolder, outcomeOf } from '../start/child.ts';
import { type World, world } from '../world.ts';
import { numberOf, settingsOf } from './inside.ts';

let w: World;
const folder = newFolder('florin-part-');
const path = (name: string) => join(folder.path, name);
beforeAll(async () => {
  w = await world();
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const florin = (...command: readonly string[]) => outcomeOf({ cwd: folder.path, settings: settingsOf(w), command });

/** The same on a system on which no file grows larger than 16 kB: of a longer text it takes so much. */
async function cramped(...command: readonly string[]): Promise<{ code: number | null; said: string }> {
  const env = { PATH: process.env['PATH'], ...settingsOf(w), FLORIN_DATABASE_DURABLE: 'unchecked' };
  const words = ['-c', 'ulimit -f 32; exec "$@"', 'sh', process.execPath, join(ROOT, 'src/main.ts'), ...command];
  const child = spawn('/bin/sh', words, { cwd: folder.path, env });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, said: out + err };
}

const COUNT = 300;
const REFERENCE = 'r'.repeat(200);
const TOO_LARGE = /lets no file of this account grow that large/;

test('an import whose tokens file takes only a part is not done: the next run goes on, and each card has its token', async () => {
  const rows = Array.from({ length: COUNT }, (_, i) => `${numberOf(i)},12,2034,,${REFERENCE}${i}`);
  const head = 'card_number,card_validity_month,card_validity_year,cardholder_name,reference';
  writeFileSync(path('cards.csv'), [head, ...rows, ''].join('\n'));
  const command = ['import-cards', path('cards.csv'), '--merchant', w.account, '--out', path('tokens.csv')];
  const first = await cramped(...command);
  expect([first.code, first.said]).toEqual([1, expect.stringMatching(TOO_LARGE)]);
  const second = await florin(...command);
  expect([second.code, second.said]).toEqual([0, expect.stringContaining(`${COUNT} cards have their tokens`)]);
  const cells = readFileSync(path('tokens.csv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','));
  expect(cells.map((row) => row[8])).toEqual(Array.from({ length: COUNT }, (_, i) => `${REFERENCE}${i}`));
  const [stored] = await w.sql<{ known: number; all: number }>(
    `SELECT
       count(*) FILTER (WHERE token_hash IN (SELECT sha256(decode(t, 'hex')) FROM unnest($1::text[]) t))::int AS known,
       count(*)::int AS all
     FROM vault.cards WHERE kind = 'recurring'`,
    [cells.map((row) => row[1])],
  );
  expect(stored).toEqual({ known: COUNT, all: COUNT });
});

test('an export whose file takes only a part is not done: the next run goes on, and the receiver reads every card', async () => {
  const receiver = generateKeyPairSync('rsa', { modulusLength: 3072 });
  writeFileSync(path('receiver.pem'), receiver.publicKey.export({ type: 'spki', format: 'pem' }));
  const as = (name: string) => ['--by', name, '--secret-file', path(`${name}.secret`)];
  for (const name of ['anna', 'ben'])
    writeFileSync(path(`${name}.secret`), /florin_op_\S+/.exec((await florin('add-operator', name)).said)?.[0] ?? '');
  const about = ['--merchant', w.account, '--receiver', path('receiver.pem')];
  const { said } = await florin('export-cards', 'request', ...about, ...as('anna'));
  const id = /Export ([0-9a-f]{24})/.exec(said)?.[1] ?? '';
  const fingerprint = /\b[0-9a-f]{64}\b/.exec(said)?.[0] ?? '';
  await florin('export-cards', 'approve', id, '--fingerprint', fingerprint, ...as('ben'));
  const command = ['export-cards', 'run', id, '--out', path('cards.jwe')];
  const first = await cramped(...command);
  expect([first.code, first.said]).toEqual([1, expect.stringMatching(TOO_LARGE)]);
  const second = await florin(...command);
  expect([second.code, second.said]).toEqual([0, expect.stringContaining(`${COUNT} cards are in`)]);
  const pem = receiver.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const key: CryptoKey = await importPKCS8(pem, 'RSA-OAEP-256');
  let cards = 0;
  for (const message of readFileSync(path('cards.jwe'), 'utf8').trimEnd().split('\n')) {
    const { plaintext } = await compactDecrypt(message, key);
    cards += Buffer.from(plaintext).toString('utf8').trimEnd().split('\n').length;
  }
  expect(cards).toBe(COUNT);
});
