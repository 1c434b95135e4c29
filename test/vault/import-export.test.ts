// A file of cards becomes a file of tokens, and saved cards go to another processor: streamed, gone on with after a
// kill, and no number in clear anywhere.
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CryptoKey, compactDecrypt, importPKCS8 } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { until } from '../client.ts';
import { newFolder, outcomeOf, runFlorin } from '../start/child.ts';
import { kill, treeOf } from '../start/processes.ts';
import { type World, world } from '../world.ts';
import { audited, numberOf, settingsOf } from './inside.ts';

let w: World;
const folder = newFolder('florin-cards-');
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
const lines = (name: string) => readFileSync(path(name), 'utf8').trimEnd().split('\n');
const HEAD = 'card_number,card_validity_month,card_validity_year,cardholder_name,reference';
const csv = (from: number, count: number) =>
  `${[HEAD, ...Array.from({ length: count }, (_, i) => `${numberOf(from + i)},12,2034,A Payer,ref-${from + i}`)].join('\n')}\n`;

/** Everything that was written: both schemas, the data folder, this test's folder but the input. */
async function written(but: readonly string[]): Promise<string> {
  const texts: string[] = [];
  const tables = await w.sql<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE relnamespace IN ('vault'::regnamespace, 'payment'::regnamespace) AND relkind = 'r'`,
  );
  for (const { name } of tables) texts.push(JSON.stringify(await w.sql(`SELECT t::text FROM ${name} t`)));
  for (const root of [folder.path, w.data_dir])
    for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      if (statSync(join(root, file)).isFile() && !but.includes(join(root, file)))
        texts.push(readFileSync(join(root, file), 'latin1'));
  return texts.join('\n');
}

describe('import', () => {
  test('CSV: each card gets a token that pays, and the same card is the same card', async () => {
    const input = write('cards.csv', csv(0, 5) + `"${numberOf(2)}","1",35,"Doe, ""J""","a,b"\r\n`);
    const { code, said } = await florin(
      'import-cards',
      input,
      '--merchant',
      w.account,
      '--out',
      path('tokens.csv'),
      '--by',
      'anna',
    );
    expect([code, said]).toEqual([0, expect.stringContaining('6 cards have their tokens')]);
    expect(statSync(path('tokens.csv')).mode & 0o777).toBe(0o600);
    const [head, ...rows] = lines('tokens.csv');
    expect(head).toBe(
      'line,token,card_unique_id,customer_scheme_name,card_6_digits,card_4_digits,card_validity_month,card_validity_year,reference',
    );
    const cells = rows.map((row) => row.split(','));
    expect(cells.map(([line]) => line)).toEqual(['2', '3', '4', '5', '6', '7']);
    expect(cells[0]?.slice(3)).toEqual(['visa', '424200', numberOf(0).slice(-4), '12', '34', 'ref-0']);
    expect(rows[5]).toMatch(/,01,35,"a,b"$/);
    expect(cells[5]?.[2]).toBe(cells[2]?.[2]);
    expect(new Set(cells.map(([, token]) => token)).size).toBe(6);
    const order = {
      token: cells[5]?.[1],
      operation_type: 'authorize',
      amount: '7.00',
      currency: 'EUR',
      order_merchant_id: 'imported',
    };
    expect((await w.shop.order(order, { prefer: 'wait=10' })).code).toBe('944444');
    const again = await w.shop.vault('/token', {
      body: { card_number: numberOf(2), card_validity_month: 12, card_validity_year: 2034, cvc: '123' },
    });
    expect(again.at('card_unique_id')).toBe(cells[2]?.[2]);
    const events = (await audited(w)).filter(({ action }) => action.startsWith('import'));
    expect(events.map(({ action, object }) => [action, object])).toEqual([
      ['import started', w.account],
      ['import finished', w.account],
    ]);
    expect(await written([input])).not.toContain(numberOf(2));
  });

  test('the numbers that the vault refuses are refused in a file, too', async () => {
    const input = write('not-listed.csv', csv(700, 1) + '4242424242424242,12,2034,,listed\n');
    const settings = { ...settingsOf(w), FLORIN_SANDBOX_LISTED_CARDS_ONLY: 'yes' };
    const command = ['import-cards', input, '--merchant', w.account, '--out', path('tokens-listed.csv')];
    const { code, said } = await outcomeOf({ cwd: folder.path, settings, command });
    expect([code, said]).toEqual([1, expect.stringContaining("line 2: card_number is not one of the sandbox's")]);
    expect(lines('tokens-listed.csv').slice(1)).toEqual([expect.stringMatching(/^3,.*,listed$/)]);
  });

  test('lines of JSON, and every bad line said by its number, never by what stands in it', async () => {
    const good = {
      card_number: numberOf(20),
      card_validity_month: 3,
      card_validity_year: '2033',
      cardholder_name: 'Zoë "Z"',
      reference: null,
    };
    const number = numberOf(21);
    const bad: readonly [string, RegExp][] = [
      [
        JSON.stringify({ ...good, card_number: `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}` }),
        /card_number is mistyped/,
      ],
      [JSON.stringify({ ...good, card_number: '1234' }), /card_number must be 14 to 19 digits/],
      [
        JSON.stringify({ card_validity_month: '13', card_validity_year: 'x' }),
        /card_number is required; card_validity_month must be.*; card_validity_year must be/,
      ],
      [JSON.stringify({ ...good, card_validity_year: 2020 }), /card_validity_year is in the past/],
      [JSON.stringify({ ...good, card_validity_year: 2099 }), /more than 20 years ahead/],
      [JSON.stringify({ ...good, cardholder_name: number }), /cardholder_name holds what looks like a card number/],
      [
        JSON.stringify({ ...good, reference: `x ${number.replace(/(.{4})/g, '$1 ')}` }),
        /reference holds what looks like a card number/,
      ],
      // its own number, as a system that named its cards by them writes it: the reference stands in the tokens file
      ...[
        good.card_number.replace(/(.{4})/g, '$1.'),
        `card_${good.card_number.replace(/(.{4})/g, '$1_')}x`,
        good.card_number.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
        Buffer.from(good.card_number).toString('base64'),
      ].flatMap((text): [string, RegExp][] => [
        [JSON.stringify({ ...good, reference: text }), /reference holds what looks like a card number/],
        [JSON.stringify({ ...good, cardholder_name: text }), /cardholder_name holds what looks like a card number/],
      ]),
      [JSON.stringify({ ...good, card_validity_month: number }), /card_validity_month must be 01 to 12/],
      [JSON.stringify({ ...good, card_number: '9'.repeat(16) }), /card_number is (?:of no supported scheme|mistyped)/],
      [
        JSON.stringify(good).replace(good.card_number, `\\u0034${number.slice(1)}`),
        /has an escape where none is wanted/,
      ],
      [JSON.stringify(good).replace('}', ''), /is no JSON object/],
      [`${JSON.stringify(good)} x`, /something behind its object/],
      ['[1]', /is no JSON object/],
      [`{"card_number":"${number}","card_number":"${number}"}`, /a member twice/],
      [JSON.stringify({ ...good, reference: 'r'.repeat(5000) }), /longer than 4096 bytes/],
    ];
    const input = write(
      'cards.jsonl',
      [JSON.stringify(good), ...bad.map(([line]) => line), '', JSON.stringify(good)].join('\n'),
    );
    const { code, said } = await florin('import-cards', input, '--merchant', w.account, '--out', path('tokens-2.csv'));
    expect([code, said]).toEqual([
      1,
      expect.stringContaining(`2 cards have their tokens in ${path('tokens-2.csv')}; ${bad.length} lines refused`),
    ]);
    bad.forEach(([, says], index) => {
      const line = said.split('\n').find((one) => one.startsWith(`line ${index + 2}: `));
      expect([index + 2, line]).toEqual([index + 2, expect.stringMatching(says)]);
    });
    expect(said).not.toMatch(/\d{9,}/);
    expect(
      lines('tokens-2.csv')
        .slice(1)
        .map((row) => row.split(',')[0]),
    ).toEqual(['1', String(bad.length + 3)]);
  });

  test('killed half-way it goes on: no card twice, none lost, and the tokens file whole', async () => {
    const count = 1000;
    const input = write('many.csv', csv(1000, count));
    const command = ['import-cards', input, '--merchant', w.account, '--out', path('many-tokens.csv')];
    const { socket_dir, user } = inject('server');
    await using opened = new AsyncDisposableStack();
    const gate = new pg.Client({ host: socket_dir, user, database: w.database });
    opened.defer(() => gate.end());
    await gate.connect();
    await w.sql(
      `CREATE FUNCTION public.wait_here() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END $$`,
    );
    const importing = async (where: string) => {
      const [row] = await w.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'florin vault command' AND datname = current_database() AND ${where}`,
      );
      return row?.n ?? 0;
    };
    // the batch that would bring the import so far waits
    for (const cards of [400, 800]) {
      await gate.query('SELECT pg_advisory_lock(1)');
      await w.sql(
        `CREATE OR REPLACE TRIGGER wait_here BEFORE UPDATE ON vault.imports
         FOR EACH ROW WHEN (NEW.cards >= ${cards}) EXECUTE FUNCTION public.wait_here()`,
      );
      const run = runFlorin({ cwd: folder.path, settings: settingsOf(w), command });
      await until(async () => {
        if (run.child.exitCode !== null) throw new Error(`it ended: ${run.out()}${run.err()}`);
        return (await importing(`wait_event_type = 'Lock'`)) > 0 || undefined;
      });
      kill(treeOf(run.child.pid ?? 0), 'SIGKILL');
      await run.ended;
      await gate.query('SELECT pg_advisory_unlock(1)');
      await until(async () => (await importing('true')) === 0 || undefined);
    }
    await w.sql('DROP FUNCTION public.wait_here() CASCADE');
    // lines that were written and not committed, and half of one
    appendFileSync(path('many-tokens.csv'), `${'x,'.repeat(200)}\n`.repeat(1000) + 'half');
    const { code, said } = await florin(...command);
    expect([code, said]).toEqual([0, expect.stringMatching(/gone on and done: 1000 cards/)]);
    const rows = lines('many-tokens.csv')
      .slice(1)
      .map((row) => row.split(','));
    expect(rows.map((row) => row[8])).toEqual(Array.from({ length: count }, (_, i) => `ref-${1000 + i}`));
    const [stored] = await w.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM vault.cards WHERE encode(token_hash, 'hex') IN (SELECT encode(sha256(decode(t, 'hex')), 'hex') FROM unnest($1::text[]) t)`,
      [rows.map((row) => row[1])],
    );
    expect(stored?.n).toBe(count);
    const [all] = await w.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM vault.cards WHERE kind = 'recurring' AND exp_year = 2034 AND first6 = '424200' AND created_at > now() - interval '1 h'`,
    );
    expect(all?.n).toBe(count + 5);
    const twice = await florin(...command);
    expect([twice.code, twice.said]).toEqual([
      1,
      expect.stringMatching(/was imported on .*: 1000 cards have their tokens/),
    ]);
    expect(await written([input])).not.toContain(numberOf(1500));
  });

  test.each([
    ['CSV', (n: number) => csv(n, 1)],
    ['JSON', (n: number) => `{"card_number":"${numberOf(n)}","card_validity_month":3,"card_validity_year":2033}\r\n`],
  ])('a file of %s may begin with a byte order mark, as Windows writes it', async (kind, text) => {
    const input = write(`mark-${kind}`, `\uFEFF${text(2)}`);
    const { code, said } = await florin(
      'import-cards',
      input,
      '--merchant',
      w.account,
      '--out',
      path(`${kind}-tokens`),
    );
    expect([code, said]).toEqual([0, expect.stringContaining('1 cards have their tokens')]);
  });

  test.each<[string, () => readonly string[], RegExp]>([
    ['no merchant', () => ['x.csv', '--out', 'y'], /--merchant is required/],
    [
      'a merchant that is not here',
      () => [write('one.csv', csv(1, 1)), '--merchant', 'f'.repeat(24), '--out', 'y'],
      /There is no merchant account/,
    ],
    [
      'a file that is not there',
      () => ['none.csv', '--merchant', w.account, '--out', 'y'],
      /^The file none\.csv cannot be read: ENOENT: .*\nThat file, or the folder that it should be in, is not there/m,
    ],
    ['an empty file', () => [write('empty.csv', ''), '--merchant', w.account, '--out', path('e')], /is empty/],
    [
      'columns that are not named',
      () => [write('odd.csv', 'pan,exp\n1,2\n'), '--merchant', w.account, '--out', path('o')],
      /card_number, card_validity_month, card_validity_year missing/,
    ],
    [
      'a tokens file that is there',
      () => [write('two.csv', csv(2, 1)), '--merchant', w.account, '--out', path('two.csv')],
      /is there already/,
    ],
    ['an option that is none', () => ['x', '--merchnat', w.account], /Unknown option '--merchnat'/],
  ])('is refused with %s', async (_, words, says) => {
    const { code, said } = await florin('import-cards', ...words());
    expect([code, said]).toEqual([1, expect.stringMatching(says)]);
  });
});

describe('export', () => {
  const receiver = generateKeyPairSync('rsa', { modulusLength: 3072 });
  let key: CryptoKey;
  let id = '';
  let fingerprint = '';
  const secrets = new Map<string, string>();
  const as = (name: string) => ['--by', name, '--secret-file', path(`${name}.secret`)];
  beforeAll(async () => {
    key = await importPKCS8(receiver.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'RSA-OAEP-256');
    write('receiver.pem', receiver.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  });

  test('operators: the first two at installation, a third only by one of them, and none by the name of the installation', async () => {
    for (const name of ['anna', 'ben']) {
      const { code, said } = await florin('add-operator', name);
      expect([code, said]).toEqual([0, expect.stringContaining('florin_op_')]);
      secrets.set(name, /florin_op_\S+/.exec(said)?.[0] ?? '');
      write(`${name}.secret`, `${secrets.get(name)}\n`);
    }
    const alone = await florin('add-operator', 'mallory');
    expect([alone.code, alone.said]).toEqual([1, expect.stringContaining('by one of them')]);
    write('mallory.secret', 'florin_op_guess');
    const wrong = await florin('add-operator', 'mallory', '--by', 'anna', '--secret-file', path('mallory.secret'));
    expect([wrong.code, wrong.said]).toEqual([1, expect.stringContaining('do not belong together')]);
    const third = await florin('add-operator', 'carol', ...as('anna'));
    expect(third.code).toBe(0);
    write('carol.secret', /florin_op_\S+/.exec(third.said)?.[0] ?? '');
    const named = await florin('add-operator', 'installation', ...as('anna'));
    expect([named.code, named.said]).toEqual([1, expect.stringContaining('The name of an operator is')]);
    const fourth = await florin('add-operator', 'dora', ...as('carol'));
    write('dora.secret', /florin_op_\S+/.exec(fourth.said)?.[0] ?? '');
    const stored = JSON.stringify(await w.sql(`SELECT o::text FROM vault.operators o`));
    for (const secret of secrets.values()) expect(stored).not.toContain(secret);
  });

  test('is asked for by one', async () => {
    for (const [name, pem, says] of [
      ['private.pem', receiver.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), /private key/],
      [
        'short.pem',
        generateKeyPairSync('rsa', { modulusLength: 2048 })
          .publicKey.export({ type: 'spki', format: 'pem' })
          .toString(),
        /at least 3072 bits/,
      ],
      ['none.pem', 'hello', /must be a public key/],
    ] as const) {
      const { code, said } = await florin(
        'export-cards',
        'request',
        '--merchant',
        w.account,
        '--receiver',
        write(name, pem),
        ...as('anna'),
      );
      expect([name, code, said]).toEqual([name, 1, expect.stringMatching(says)]);
    }
    const { code, said } = await florin(
      'export-cards',
      'request',
      '--merchant',
      w.account,
      '--receiver',
      path('receiver.pem'),
      ...as('anna'),
    );
    expect(code).toBe(0);
    id = /Export ([0-9a-f]{24}): \d+ saved cards/.exec(said)?.[1] ?? '';
    fingerprint = /\b[0-9a-f]{64}\b/.exec(said)?.[0] ?? '';
    const early = await florin('export-cards', 'run', id, '--out', path('early.jwe'));
    expect([early.code, early.said, existsSync(path('early.jwe'))]).toEqual([
      1,
      expect.stringContaining('is not approved'),
      false,
    ]);
  });

  test('is approved by another one with the fingerprint of the receiver, never by the same', async () => {
    const approve = (name: string, hex: string) =>
      florin('export-cards', 'approve', id, '--fingerprint', hex, ...as(name));
    write('ben-wrong.secret', 'florin_op_x');
    const attempts = [
      [await approve('anna', fingerprint), /by another person/],
      // names that she gave herself, or gave to one who gave them on
      [await approve('carol', fingerprint), /came by one operator/],
      [await approve('dora', fingerprint), /came by one operator/],
      [await approve('ben', '0'.repeat(64)), /fingerprint is not that/],
      [
        await florin(
          'export-cards',
          'approve',
          id,
          '--fingerprint',
          fingerprint,
          '--by',
          'ben',
          '--secret-file',
          path('anna.secret'),
        ),
        /do not belong together/,
      ],
      [
        await florin('export-cards', 'approve', 'f'.repeat(24), '--fingerprint', fingerprint, ...as('ben')),
        /There is no export/,
      ],
    ] as const;
    for (const [{ code, said }, says] of attempts) expect([code, said]).toEqual([1, expect.stringMatching(says)]);
    const colons = fingerprint.toUpperCase().replace(/(..)(?=.)/g, '$1:');
    expect((await approve('ben', colons)).said).toMatch(/asked for by anna, approved by ben/);
    expect((await approve('ben', fingerprint)).said).toMatch(/approved already/);
    await expect(w.sql(`UPDATE vault.exports SET approved_by = requested_by`)).rejects.toThrow(/check constraint/);
  });

  test('is written in messages that only the receiver reads; killed, it goes on', async () => {
    const { socket_dir, user } = inject('server');
    const holder = new pg.Client({ host: socket_dir, user, database: w.database });
    holder.on('error', () => undefined);
    await holder.connect();
    // a quick machine would be done before it can be held
    await w.sql(
      `CREATE FUNCTION public.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$`,
    );
    await w.sql(`CREATE TRIGGER slow BEFORE UPDATE ON vault.exports FOR EACH ROW EXECUTE FUNCTION public.slow()`);
    const command = ['export-cards', 'run', id, '--out', path('cards.jwe')];
    const run = runFlorin({ cwd: folder.path, settings: settingsOf(w), command });
    await until(async () => (await w.sql(`SELECT 1 FROM vault.exports WHERE cards > 0`))[0]);
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM vault.exports FOR UPDATE`);
    await until(async () => {
      if (run.child.exitCode !== null) throw new Error(`it ended: ${run.out()}${run.err()}`);
      const [row] = await w.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'florin vault command' AND datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return (row?.n ?? 0) > 0 ? true : undefined;
    });
    kill(treeOf(run.child.pid ?? 0), 'SIGKILL');
    await run.ended;
    await holder.query('ROLLBACK');
    await holder.end();
    await w.sql(`DROP FUNCTION public.slow() CASCADE`);
    appendFileSync(path('cards.jwe'), 'not recorded '.repeat(50_000));
    const { code, said } = await florin(...command);
    const saved = await w.sql<{ hash: string; uid: string; last4: string }>(
      `SELECT encode(token_hash, 'hex') AS hash, card_unique_id AS uid, last4 FROM vault.cards WHERE kind = 'recurring' AND merchant_account_id = decode($1, 'hex')`,
      [w.account],
    );
    expect([code, said]).toEqual([0, expect.stringContaining(`${saved.length} cards are in`)]);
    const cards: { card_number: string; token_sha256: string; card_unique_id: string; cardholder_name: string }[] = [];
    for (const message of lines('cards.jwe')) {
      const { plaintext, protectedHeader } = await compactDecrypt(message, key);
      expect(protectedHeader).toEqual({
        alg: 'RSA-OAEP-256',
        enc: 'A256GCM',
        kid: fingerprint,
        cty: 'application/x-ndjson',
      });
      for (const line of Buffer.from(plaintext).toString('utf8').trimEnd().split('\n')) cards.push(JSON.parse(line));
    }
    expect(cards.map((card) => card.token_sha256).toSorted()).toEqual(saved.map(({ hash }) => hash).toSorted());
    for (const card of cards) {
      const row = saved.find(({ hash }) => hash === card.token_sha256);
      expect([card.card_unique_id, card.card_number.slice(-4)]).toEqual([row?.uid, row?.last4]);
    }
    expect(cards.map((card) => card.card_number)).toContain(numberOf(1500));
    expect(cards.map((card) => card.cardholder_name)).toContain('Zoë "Z"');
    const inputs = ['many.csv', 'cards.csv', 'cards.jsonl'].map(path);
    expect(await written(inputs)).not.toContain(numberOf(1500));
    const again = await florin('export-cards', 'run', id, '--out', path('more.jwe'));
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('was finished')]);
  });

  test('who asked, who approved and what was written is in the audit', async () => {
    const events = (await audited(w)).filter(({ action, object }) => action.startsWith('export') && object === id);
    expect(events.map(({ action, result }) => `${action} ${result}`)).toEqual([
      'export requested done',
      'export approved refused',
      'export approved refused',
      'export approved refused',
      'export approved refused',
      'export approved done',
      'export approved refused',
      'export started done',
      'export finished done',
    ]);
    const [finished] = await w.sql<{ detail: { file_sha256: string; cards: number } }>(
      `SELECT detail FROM vault.audit WHERE action = 'export finished'`,
    );
    const { createHash } = await import('node:crypto');
    expect(finished?.detail.file_sha256).toBe(
      createHash('sha256')
        .update(readFileSync(path('cards.jwe')))
        .digest('hex'),
    );
  });
});
