// An import or an export that somebody starts a second time while it runs: one of the two goes on, and its file is as
// if it had been alone.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import pg from 'pg';
import { runExport } from '../../src/vault/export/export.ts';
import { importCards } from '../../src/vault/import/import.ts';
import { until } from '../client.ts';
import { newFolder, outcomeOf } from '../start/child.ts';
import { type World, world } from '../world.ts';
import { insideOf, numberOf, settingsOf } from './inside.ts';

let w: World;
const folder = newFolder('florin-twice-');
const path = (name: string) => join(folder.path, name);
beforeAll(async () => {
  w = await world();
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const florin = (...command: readonly string[]) => outcomeOf({ cwd: folder.path, settings: settingsOf(w), command });
const write = (name: string, text: string) => {
  writeFileSync(path(name), text);
  return path(name);
};

async function commandsThatWait(): Promise<number> {
  const [row] = await w.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE application_name = 'florin vault command' AND datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.n ?? 0;
}

/** Two runs of a command: the first is held where it moves its row, until the second waits too. */
async function twice(command: readonly string[]) {
  const { socket_dir, user } = inject('server');
  await using opened = new AsyncDisposableStack();
  const gate = new pg.Client({ host: socket_dir, user, database: w.database });
  opened.defer(() => gate.end());
  await gate.connect();
  await w.sql(
    // the second one may start slowly: the first is not to give up the lock before
    `CREATE FUNCTION public.wait_here() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0
     AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END $$`,
  );
  await w.sql(
    `CREATE TRIGGER wait_here BEFORE UPDATE ON vault.imports
     FOR EACH ROW WHEN (NEW.cards > 0) EXECUTE FUNCTION public.wait_here()`,
  );
  await gate.query('SELECT pg_advisory_lock(1)');
  const first = florin(...command);
  await until(async () => (await commandsThatWait()) === 1 || undefined);
  const second = florin(...command);
  await until(async () => (await commandsThatWait()) === 2 || undefined);
  await gate.query('SELECT pg_advisory_unlock(1)');
  const done = await Promise.all([first, second]);
  await w.sql('DROP FUNCTION public.wait_here() CASCADE');
  return done.toSorted((a, b) => (a.code ?? 0) - (b.code ?? 0));
}

test('an import that is started twice: each token in the file is one of a card', async () => {
  const rows = Array.from({ length: 500 }, (_, i) => `${numberOf(i)},12,2034,,ref-${i}`);
  const input = write(
    'cards.csv',
    ['card_number,card_validity_month,card_validity_year,cardholder_name,reference', ...rows, ''].join('\n'),
  );
  const [won, lost] = await twice(['import-cards', input, '--merchant', w.account, '--out', path('tokens.csv')]);
  expect([won?.code, won?.said]).toEqual([0, expect.stringContaining('500 cards have their tokens')]);
  expect([lost?.code, lost?.said]).toEqual([1, expect.stringContaining('Another run of this import is under way')]);
  const cells = readFileSync(path('tokens.csv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','));
  expect(cells.map((row) => row[8])).toEqual(Array.from({ length: 500 }, (_, i) => `ref-${i}`));
  const [stored] = await w.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM vault.cards WHERE token_hash IN (SELECT sha256(decode(t, 'hex')) FROM unnest($1::text[]) t)`,
    [cells.map((row) => row[1])],
  );
  expect(stored?.n).toBe(500);
});

test('an export that is run twice: its file is the one whose hash is in the audit', async () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
  const pem = write('receiver.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const as = (name: string) => ['--by', name, '--secret-file', path(`${name}.secret`)];
  for (const name of ['anna', 'ben'])
    write(`${name}.secret`, /florin_op_\S+/.exec((await florin('add-operator', name)).said)?.[0] ?? '');
  const asked = await florin('export-cards', 'request', '--merchant', w.account, '--receiver', pem, ...as('anna'));
  const id = /Export ([0-9a-f]{24})/.exec(asked.said)?.[1] ?? '';
  const fingerprint = /\b[0-9a-f]{64}\b/.exec(asked.said)?.[0] ?? '';
  expect((await florin('export-cards', 'approve', id, '--fingerprint', fingerprint, ...as('ben'))).code).toBe(0);
  await using inside = insideOf(w);
  const tools = { ...inside, progress: () => undefined };
  let done: Awaited<ReturnType<typeof runExport>> | undefined;
  // the other run does it all while this one has read its first cards
  const run: typeof inside.db.run = async (name, text, parameters) => {
    const rows = await inside.db.run(name, text, parameters);
    if (name === 'find_saved_cards') done ??= await runExport(tools, id, path('cards.jwe'));
    return rows as never;
  };
  const slow = runExport({ ...tools, db: { ...inside.db, run } }, id, path('cards.jwe'));
  await expect(slow).rejects.toThrow('Another run of this export is under way');
  const written = createHash('sha256')
    .update(readFileSync(path('cards.jwe')))
    .digest('hex');
  expect(done).toEqual({ cards: 500, hash: written });
});

test('two imports of one file that begin in the same moment: one of them goes on, and each card has one token', async () => {
  const rows = Array.from({ length: 3 }, (_, i) => `${numberOf(1000 + i)},12,2034,,ref-${i}`);
  const text = ['card_number,card_validity_month,card_validity_year,cardholder_name,reference', ...rows, ''].join('\n');
  const input = write('moment.csv', text);
  await using inside = insideOf(w);
  const quiet = { actor: 'test', numbers: 'all', progress: () => undefined, refused: () => undefined } as const;
  const tools = { ...inside, ...quiet };
  const job = (output: string) => ({ merchant_account_id: w.account, input, output: path(output), again: false });
  let done: Awaited<ReturnType<typeof importCards>> | undefined;
  // the other one begins and ends when this one has seen that there is none
  const run: typeof inside.db.run = async (name, statement, parameters) => {
    const found = await inside.db.run(name, statement, parameters);
    if (name === 'find_import') done ??= await importCards(tools, job('moment-b.csv'));
    return found as never;
  };
  const slow = importCards({ ...tools, db: { ...inside.db, run } }, job('moment-a.csv'));
  await expect(slow).rejects.toThrow('Another run of this import');
  expect(done).toEqual({ cards: 3, refused: 0, resumed: false });
  const [imports] = await w.sql<{ n: number; cards: number }>(
    `SELECT count(*)::int AS n, sum(cards)::int AS cards FROM vault.imports WHERE cards < 500`,
  );
  expect(imports).toEqual({ n: 1, cards: 3 });
});
