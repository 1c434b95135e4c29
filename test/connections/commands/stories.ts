// What each command is given to do, and what must be stored when it has been run once more behind a fault.
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveCommand } from '../../../src/commands/archive/archive.ts';
import { exportCards } from '../../../src/commands/export-cards.ts';
import { importCardsCommand } from '../../../src/commands/import-cards.ts';
import { ledgerCommand } from '../../../src/commands/ledger/ledger.ts';
import { reconcileCommand } from '../../../src/commands/ledger/reconcile.ts';
import { reviewCommand } from '../../../src/commands/ledger/review.ts';
import { addOperatorCommand } from '../../../src/commands/operators.ts';
import { accountCommand, personCommand } from '../../../src/commands/people/people.ts';
import { rotateKeys } from '../../../src/commands/rotate-keys.ts';
import { openVault } from '../../../src/commands/vault-session.ts';
import { idAt } from '../../../src/core/ids.ts';
import { sha256 } from '../../../src/kit/crypto.ts';
import { keepMonths } from '../../../src/payment/months-store.ts';
import { SealedCvcs } from '../../../src/vault/cvc/sealed-cvcs.ts';
import { deletePast } from '../../../src/vault/forget.ts';
import { textAt, until } from '../../client.ts';
import { idOf } from '../../ledger/till.ts';
import { numberOf } from '../../vault/inside.ts';
import type { World } from '../../world.ts';

export type Command = (args: readonly string[]) => Promise<void>;

export type Stage = {
  readonly w: World;
  readonly merchant: string;
  /** Another number each time. */
  fresh(): number;
  /** Runs a command while all is well; what it prints. */
  well(command: Command, ...args: readonly string[]): Promise<string>;
};

export type Ready = {
  readonly args: readonly string[];
  /** Before it is run again. */
  again?(): Promise<void>;
  /** What is stored; `printed`: by all runs together. */
  outcome(printed: string): Promise<unknown>;
};

export type Story = {
  readonly name: string;
  readonly command: Command;
  /** Its exit code where nothing goes wrong, if it is not 0. */
  readonly ends?: 1;
  prepare(stage: Stage): Promise<Ready>;
};

/** It reads. */
const NOTHING = { outcome: async () => [] };

async function rowsOf({ w }: Stage, text: string, values: readonly unknown[] = []): Promise<readonly string[]> {
  return (await w.sql<{ row: string }>(`SELECT t::text AS row FROM (${text}) t`, values)).map(({ row }) => row);
}

/** A refund that the bank has made, and of which it never said so. */
async function refundInDoubt({ w, fresh }: Stage): Promise<{ order_id: string; operation_id: string }> {
  const order_merchant_id = `command-${fresh()}`;
  const order_id = textAt(await w.shop.pay({}, { order_merchant_id }), 'order_id');
  const scenario = { operation: 'refund', fault: 'http_500_after', match: { order_merchant_id } };
  await w.shop.api('/sandbox/scenario', { body: scenario });
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: {}, headers: { prefer: 'respond-async' } });
  const operation_id = await idOf(w, order_id, 'refund');
  await until(async () => {
    const [row] = await w.sql(`SELECT 1 FROM payment.operations WHERE encode(id, 'hex') = $1 AND state = 'in_doubt'`, [
      operation_id,
    ]);
    return row;
  });
  return { order_id, operation_id };
}

const OF_ORDER = [
  `SELECT kind, state, amount_minor FROM payment.operations WHERE encode(order_id, 'hex') = $1 ORDER BY id`,
  `SELECT debit, credit, amount_minor FROM payment.ledger_entries WHERE encode(order_id, 'hex') = $1 ORDER BY 1, 2, 3`,
  `SELECT type FROM payment.events WHERE encode(subject_id, 'hex') = $1 ORDER BY seq`,
  `SELECT kind, what, state FROM payment.reconcile_findings WHERE encode(order_id, 'hex') = $1 ORDER BY 1, 2`,
];

async function orderOf(stage: Stage, order_id: string): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for (const text of OF_ORDER) rows.push(await rowsOf(stage, text, [order_id]));
  return rows;
}

/** Since then the audit of the vault has these; that a process has loaded its keys is told by each. */
async function vaultAudit(stage: Stage): Promise<() => Promise<readonly string[]>> {
  const [last] = await stage.w.sql<{ id: string }>(`SELECT coalesce(max(id), 0) AS id FROM vault.audit`);
  return () =>
    rowsOf(
      stage,
      `SELECT action, object = $2 AS is_of_merchant FROM vault.audit WHERE id > $1 AND action <> 'key loaded' ORDER BY id`,
      [last?.id, stage.merchant],
    );
}

function operatorOf({ w }: Stage, name: string): readonly string[] {
  return ['--by', name, '--secret-file', join(w.data_dir, `${name}.secret`)];
}

/** The first two, whom every later one needs. */
async function operators(stage: Stage): Promise<void> {
  for (const name of ['anna', 'ben']) {
    const file = join(stage.w.data_dir, `${name}.secret`);
    if (existsSync(file)) continue;
    writeFileSync(file, /florin_op_\S+/.exec(await stage.well(addOperatorCommand, name))?.[0] ?? '');
  }
}

async function cardsToImport(stage: Stage): Promise<{ args: readonly string[]; out: string }> {
  const n = stage.fresh();
  const [input, out] = ['csv', 'tokens'].map((end) => join(stage.w.data_dir, `cards-${n}.${end}`));
  const rows = [0, 1, 2].map((i) => `${numberOf(10 * n + i)},12,2034`);
  writeFileSync(input ?? '', ['card_number,card_validity_month,card_validity_year', ...rows, ''].join('\n'));
  return { args: [input ?? '', '--merchant', stage.merchant, '--out', out ?? ''], out: out ?? '' };
}

const LONG_AGO_MS = 40 * 60_000;

/** What the vault does every 30 seconds (src/vault/sweep.ts), by a process of its own. */
async function sweepVault(): Promise<void> {
  await using vault = await openVault('sweep');
  const cvcs = new SealedCvcs(vault);
  await Promise.all([cvcs.sweep(), deletePast({ ...vault, cvcs })]);
}

/** A cvc that waits for its payment since then. */
async function keepOldCvc([token_hash = '']: readonly string[]): Promise<void> {
  await using vault = await openVault('sweep');
  const clock = { ...vault.clock, now: () => new Date(vault.clock.now().getTime() - LONG_AGO_MS) };
  await new SealedCvcs({ ...vault, clock }).keep(token_hash, Buffer.from('123'));
}

const receiver = generateKeyPairSync('rsa', { modulusLength: 3072 }).publicKey.export({ type: 'spki', format: 'pem' });

export const STORIES: readonly Story[] = [
  { name: 'ledger verify', command: ledgerCommand, prepare: async () => ({ args: ['verify'], ...NOTHING }) },
  { name: 'review', command: reviewCommand, prepare: async () => ({ args: [], ...NOTHING }) },
  {
    name: 'reconcile --apply',
    command: reconcileCommand,
    // there was a difference
    ends: 1,
    prepare: async (stage) => {
      const { order_id } = await refundInDoubt(stage);
      // then nothing is too young to tell
      const later = async () => void (await stage.w.sql(`UPDATE payment.clock SET shift = shift + '1 hour'`));
      await later();
      return { args: ['--apply'], again: later, outcome: () => orderOf(stage, order_id) };
    },
  },
  {
    name: 'review settle',
    command: reviewCommand,
    prepare: async (stage) => {
      const { order_id, operation_id } = await refundInDoubt(stage);
      const words = ['--as', 'done', '--reason', 'seen in the portal of the bank', '--by', 'anna', '--reference', 'r1'];
      return { args: ['settle', operation_id, ...words], outcome: () => orderOf(stage, order_id) };
    },
  },
  {
    name: 'archive',
    command: archiveCommand,
    prepare: async (stage) => {
      const { w, merchant, fresh } = stage;
      const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 20 - fresh(), 2));
      const id = idAt(month.getTime());
      await w.sql(
        `INSERT INTO payment.observations (at, merchant_account_id, transaction_id, source, outcome, answer)
         SELECT $1, decode($2, 'hex'), decode($3, 'hex'), 'answer', 'approved', 'a' FROM generate_series(1, 3)`,
        [month, merchant, id],
      );
      await keepMonths(w.service.tools.db);
      const part = `observations_${month.toISOString().slice(0, 7).replace('-', '')}`;
      const folder = join(w.data_dir, 'archive');
      return {
        args: [],
        outcome: async () => [
          await rowsOf(stage, `SELECT state, row_count FROM payment.archives WHERE part = $1`, [part]),
          await rowsOf(stage, `SELECT 1 FROM payment.observations WHERE transaction_id = decode($1, 'hex')`, [id]),
          readdirSync(folder).filter((name) => name.startsWith(part) && name.endsWith('.gz')).length,
        ],
      };
    },
  },
  {
    name: 'account create',
    command: accountCommand,
    prepare: async (stage) => {
      const name = `Shop ${stage.fresh()}`;
      return {
        args: ['create', name],
        outcome: async (printed) => {
          const text = `SELECT encode(merchant_account_id, 'hex') AS id FROM payment.merchant_accounts WHERE name = $1`;
          const made = await stage.w.sql<{ id: string }>(text, [name]);
          // whoever ran it knows which account it is
          return made.map(({ id }) => printed.includes(id));
        },
      };
    },
  },
  {
    name: 'import-cards',
    command: importCardsCommand,
    prepare: async (stage) => {
      const { args, out } = await cardsToImport(stage);
      const audit = await vaultAudit(stage);
      const before = await rowsOf(stage, `SELECT count(*) FROM vault.cards`);
      const [count] = before.map((row) => Number(row.slice(1, -1)));
      return {
        args,
        outcome: async () => {
          const tokens = readFileSync(out, 'utf8').trimEnd().split('\n').slice(1);
          const hashes = tokens.map((line) => sha256(Buffer.from(line.split(',')[1] ?? '', 'hex')));
          return [
            tokens.length,
            await rowsOf(stage, `SELECT count(*) FROM vault.cards WHERE encode(token_hash, 'hex') = ANY ($1)`, [
              hashes,
            ]),
            await rowsOf(stage, `SELECT count(*) - $1::int FROM vault.cards`, [count]),
            await audit(),
          ];
        },
      };
    },
  },
  {
    name: 'export-cards run',
    command: exportCards,
    prepare: async (stage) => {
      const { w, merchant, well, fresh } = stage;
      await operators(stage);
      const { args } = await cardsToImport(stage);
      await well(importCardsCommand, ...args);
      const [pem, out] = [join(w.data_dir, 'receiver.pem'), join(w.data_dir, `export-${fresh()}.jwe`)];
      writeFileSync(pem, receiver);
      const about = ['--merchant', merchant, '--receiver', pem];
      const asked = await well(exportCards, 'request', ...about, ...operatorOf(stage, 'anna'));
      const id = /Export ([0-9a-f]{24})/.exec(asked)?.[1] ?? '';
      const fingerprint = /\b[0-9a-f]{64}\b/.exec(asked)?.[0] ?? '';
      await well(exportCards, 'approve', id, '--fingerprint', fingerprint, ...operatorOf(stage, 'ben'));
      const audit = await vaultAudit(stage);
      return {
        args: ['run', id, '--out', out],
        outcome: async () => [
          await rowsOf(
            stage,
            `SELECT cards = expected, encode(file_hash, 'hex') = $2 FROM vault.exports WHERE encode(id, 'hex') = $1`,
            [id, sha256(readFileSync(out))],
          ),
          await audit(),
        ],
      };
    },
  },
  {
    name: 'rotate-keys data',
    command: rotateKeys,
    prepare: async (stage) => {
      const token = await stage.w.shop.token();
      return {
        args: ['data'],
        outcome: async () => [
          await rowsOf(
            stage,
            `SELECT DISTINCT purpose, state FROM vault.data_keys WHERE state <> 'destroyed' ORDER BY 1`,
          ),
          await rowsOf(stage, `SELECT kind FROM vault.rotations WHERE finished_at IS NULL`),
          await rowsOf(stage, `SELECT count(*) FROM vault.cards WHERE encode(token_hash, 'hex') = $1`, [
            sha256(Buffer.from(token, 'hex')),
          ]),
        ],
      };
    },
  },
  {
    name: 'rotate-keys kek',
    command: rotateKeys,
    prepare: async (stage) => {
      await stage.well(rotateKeys, 'kek');
      const audit = await vaultAudit(stage);
      return {
        args: ['kek', '--backed-up'],
        outcome: async () => [
          readdirSync(join(stage.w.data_dir, 'keys')).filter((name) => name.startsWith('vault-component')).length,
          await rowsOf(stage, `SELECT count(DISTINCT kek_ref) FROM vault.data_keys WHERE state <> 'destroyed'`),
          await rowsOf(stage, `SELECT kind FROM vault.rotations WHERE finished_at IS NULL`),
          await audit(),
        ],
      };
    },
  },
  {
    name: 'add-operator',
    command: addOperatorCommand,
    prepare: async (stage) => {
      await operators(stage);
      const name = `operator-${stage.fresh()}`;
      return {
        args: [name, ...operatorOf(stage, 'anna')],
        // who is there, and has a secret that somebody saw
        outcome: (printed) =>
          rowsOf(
            stage,
            `SELECT count(*) FROM vault.operators WHERE name = $1 AND encode(secret_hash, 'hex') = ANY ($2)`,
            [name, [...printed.matchAll(/florin_op_\S+/g)].map(([secret]) => sha256(secret))],
          ),
      };
    },
  },
  {
    name: 'the sweep of the vault',
    command: sweepVault,
    prepare: async (stage) => {
      const { args, out } = await cardsToImport(stage);
      await stage.well(importCardsCommand, ...args);
      const saved = readFileSync(out, 'utf8').trimEnd().split('\n').slice(1);
      const tokens = [...saved.map((line) => line.split(',')[1] ?? ''), await stage.w.shop.token()];
      const hashes = tokens.map((token) => sha256(Buffer.from(token, 'hex')));
      const of_saved = hashes.slice(0, saved.length);
      await stage.well(keepOldCvc, hashes[0] ?? '');
      const cards = await stage.w.sql<{ id: string; is_saved: boolean }>(
        `UPDATE vault.cards SET delete_after = now() - interval '1 minute' WHERE encode(token_hash, 'hex') = ANY ($1)
         RETURNING card_unique_id::text AS id, encode(token_hash, 'hex') = ANY ($2) AS is_saved`,
        [hashes, of_saved],
      );
      // the number of the fourth card is on cards of others, too, so its fingerprint stays
      const numbers = cards.filter(({ is_saved }) => is_saved).map(({ id }) => id);
      return {
        args: [],
        outcome: () =>
          rowsOf(
            stage,
            `SELECT
               (SELECT count(*) FROM vault.cards WHERE encode(token_hash, 'hex') = ANY ($1)) AS cards,
               (SELECT count(*) FROM vault.fingerprints WHERE card_unique_id::text = ANY ($2)) AS fingerprints,
               (SELECT count(*) FROM vault.cvcs WHERE encode(token_hash, 'hex') = ANY ($1)) AS cvcs`,
            [hashes, numbers],
          ),
      };
    },
  },
  {
    name: 'person invite',
    command: personCommand,
    prepare: async (stage) => {
      const email = `person-${stage.fresh()}@shop.example`;
      return {
        args: ['invite', email, '--account', stage.merchant],
        outcome: async (printed) => [
          // the account is there, whatever happened
          /no account|not there/.test(printed),
          await rowsOf(stage, `SELECT count(*) FROM payment.invitations WHERE email = $1 AND withdrawn_at IS NULL`, [
            email,
          ]),
        ],
      };
    },
  },
];
