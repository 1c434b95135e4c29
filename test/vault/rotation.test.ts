// Keys that rotate while the shop pays: killed again and again it goes on, no request fails, and the old key is gone at
// the end.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sha256 } from '../../src/kit/crypto.ts';
import { fileProvider } from '../../src/vault/keys/file-provider.ts';
import { KeysSealed } from '../../src/vault/keys/provider.ts';
import { openCard } from '../../src/vault/card/sealed-card.ts';
import { until } from '../client.ts';
import { outcomeOf, runFlorin } from '../start/child.ts';
import { kill, treeOf } from '../start/processes.ts';
import { type World, world } from '../world.ts';
import { audited, chance, insideOf, numberOf, settingsOf } from './inside.ts';

const CARDS = 500;
const PACE_MS = 50;
let w: World;
const tokens: string[] = [];
beforeAll(async () => {
  w = await world();
  for (let at = 0; at < CARDS; at += 20)
    tokens.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, (_, i) => w.shop.token({ token_type: 'recurring', card_number: numberOf(at + i) })),
      )),
    );
});
afterAll(() => w[Symbol.asyncDispose]());

/** Pays and tokenizes until it is stopped; gives what was not as it must be. */
function load() {
  const wrong: string[] = [];
  let ending = false;
  let count = 0;
  const one = async () => {
    while (!ending) {
      const token = tokens[count % (CARDS / 2)];
      const headers = { 'idempotency-key': `during-${count % 7}` };
      const same = {
        card_number: '4111111111111111',
        card_validity_month: '11',
        card_validity_year: '2033',
        token_type: 'recurring',
      };
      const [fresh, saved, again] = await Promise.all([
        w.shop.pay(),
        w.shop.order(
          {
            token,
            operation_type: 'authorize',
            amount: '3.00',
            currency: 'EUR',
            order_merchant_id: `load-${chance.id()}`,
          },
          { prefer: 'wait=10' },
        ),
        w.shop.vault('/token', { key: w.keys.private_key, body: same, headers }),
      ]);
      for (const reply of [fresh, saved])
        if (!['944444', '955555'].some((code) => code === reply.code)) wrong.push(reply.text.slice(0, 200));
      if (again.status !== 200) wrong.push(again.text);
      count++;
      // a shop that pays without a pause would take the processor from the rotation that it is to meet
      await w.service.tools.clock.sleep(PACE_MS);
    }
  };
  const running = [one(), one()];
  return async () => {
    ending = true;
    await Promise.all(running);
    return { wrong, count };
  };
}

async function client(): Promise<pg.Client> {
  const { socket_dir, user } = inject('server');
  const one = new pg.Client({ host: socket_dir, user, database: w.database });
  await one.connect();
  return one;
}

/** Runs the rotation until it waits for a row that is locked here, and kills it there. */
async function killedAtLock(kind: string, lock: string): Promise<void> {
  const holder = await client();
  try {
    await holder.query('BEGIN');
    const { rowCount } = await holder.query(lock);
    expect(rowCount, lock).toBe(1);
    const [own] = (await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
    await killedWhen(kind, async () => {
      const [row] = await w.sql<{ waits: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'florin vault command' AND datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))) AS waits`,
        [own?.pid],
      );
      return row?.waits;
    });
  } finally {
    await holder.query('ROLLBACK');
    await holder.end();
  }
}

async function killedWhen(kind: string, when: () => Promise<boolean | undefined>): Promise<void> {
  const command = ['rotate-keys', kind, ...(kind === 'kek' ? ['--backed-up'] : [])];
  const run = runFlorin({ cwd: w.data_dir, settings: settingsOf(w), command });
  await until(async () => {
    if (run.child.exitCode !== null) throw new Error(`it ended by itself: ${run.out()}${run.err()}`);
    return (await when()) === true ? true : undefined;
  });
  kill(treeOf(run.child.pid ?? 0), 'SIGKILL');
  await run.ended;
}

async function runToEnd(...words: readonly string[]): Promise<string> {
  const command = ['rotate-keys', ...words];
  const { code, said } = await outcomeOf({ cwd: w.data_dir, settings: settingsOf(w), command });
  expect([code, said]).toEqual([0, said]);
  return said;
}

const statesOf = (purpose: string) =>
  w.sql<{ state: string; wrapped: Buffer | null }>(
    `SELECT state, wrapped FROM vault.data_keys WHERE purpose = $1 ORDER BY id`,
    [purpose],
  );

const hashOf = (token: string) => sha256(Buffer.from(token, 'hex'));

/** How many of our cards still have the first key. */
async function remaining(): Promise<number> {
  const [row] = await w.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM vault.cards WHERE data_key_id = (SELECT min(id) FROM vault.data_keys WHERE purpose = 'card')
       AND encode(token_hash, 'hex') = ANY ($1)`,
    [tokens.map(hashOf)],
  );
  return row?.n ?? 0;
}

/** Every card of the database opens, in a process that knows nothing yet, and is the one that was given. */
async function everyCardOpens(): Promise<void> {
  await using inside = insideOf(w);
  type Row = {
    token_hash: Buffer;
    m: Buffer;
    sealed: Buffer;
    data_key_id: string;
    kind: 'recurring';
    exp_month: number;
    exp_year: number;
    created_at: Date;
    last4: string;
  };
  const rows = await w.sql<Row>(
    `SELECT token_hash, merchant_account_id AS m, sealed, data_key_id, kind, exp_month, exp_year, created_at, last4 FROM vault.cards`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(CARDS);
  for (const { m, token_hash, ...row } of rows) {
    const merchant_account_id = m.toString('hex');
    const key = await inside.keys.cardById(BigInt(row.data_key_id), merchant_account_id);
    const binding = { ...row, merchant_account_id, token_hash: token_hash.toString('hex'), environment: 'sandbox' };
    expect(openCard(row.sealed, binding, key).number.toString().slice(-4)).toBe(row.last4);
  }
}

const uniqueId = async (card_number: string) =>
  (
    await w.shop.vault('/token', {
      body: { card_number, card_validity_month: '12', card_validity_year: '2034', cvc: '123' },
    })
  ).at('card_unique_id');

describe('rotation under load', () => {
  test('of the data keys, killed three times', async () => {
    const hash = hashOf(tokens[0] ?? '');
    const [before] = await w.sql<{ sealed: Buffer; data_key_id: string }>(
      `SELECT sealed, data_key_id FROM vault.cards WHERE token_hash = decode($1, 'hex')`,
      [hash],
    );
    const stop = load();
    // cards are gone over in the order of their hashes: one that is neither in the first batch nor in the last, then
    // the last of those with which nobody pays meanwhile, since a payment would wait for the lock as well
    const resting = tokens
      .slice(CARDS / 2)
      .map(hashOf)
      .toSorted();
    const lockOf = (token_hash = '') =>
      `SELECT FROM vault.cards WHERE token_hash = decode('${token_hash}', 'hex') FOR UPDATE`;
    await killedAtLock('data', lockOf(resting[CARDS / 4]));
    const first = await remaining();
    expect([first > 0, first < CARDS]).toEqual([true, true]);
    await killedAtLock('data', lockOf(resting.at(-1)));
    await killedWhen('data', async () => (await statesOf('card')).some(({ state }) => state === 'closed'));
    expect(await runToEnd('data')).toMatch(/old keys destroyed/);
    const { wrong, count } = await stop();
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(10);
    expect(await statesOf('card')).toMatchObject([{ state: 'destroyed', wrapped: null }, { state: 'active' }]);
    expect(await remaining()).toBe(0);
    await everyCardOpens();
    // a copy of the old row, put back by somebody who may write to the database, opens nowhere
    await w.sql(`UPDATE vault.cards SET sealed = $2, data_key_id = $3 WHERE token_hash = decode($1, 'hex')`, [
      hash,
      before?.sealed,
      before?.data_key_id,
    ]);
    // (a process that runs since before notices within a second that the key is gone)
    await until(async () => {
      const order = { token: tokens[0], operation_type: 'authorize', amount: '1.00', currency: 'EUR' };
      const order_merchant_id = `old-row-${chance.id()}`;
      const reply = await w.shop.order({ ...order, order_merchant_id }, { prefer: 'wait=10' });
      return reply.code === '944444' ? undefined : reply;
    });
    await until(async () =>
      (await audited(w)).find(({ action, result }) => action === 'record failed to open' && result === 'refused'),
    );
    await w.sql(`DELETE FROM vault.cards WHERE token_hash = decode($1, 'hex')`, [hash]);
    tokens.shift();
  });

  test('of the fingerprint key: a card stays the same card before, during and after', async () => {
    const number = numberOf(CARDS + 1);
    const known = await uniqueId(number);
    const saved = await uniqueId(numberOf(7));
    const seen = new Set<unknown>();
    const stop = load();
    let asking = true;
    const asker = (async () => {
      for (; asking; await w.service.tools.clock.sleep(PACE_MS)) seen.add(await uniqueId(numberOf(7)));
    })();
    await killedWhen('fingerprint', async () =>
      (await statesOf('fingerprint')).some(({ state }) => state === 'announced'),
    );
    await killedAtLock(
      'fingerprint',
      `SELECT FROM vault.rotations WHERE kind = 'fingerprint' AND finished_at IS NULL FOR UPDATE`,
    );
    await killedWhen('fingerprint', async () =>
      (await statesOf('fingerprint')).some(({ state }) => state === 'closed'),
    );
    expect(await runToEnd('fingerprint')).toContain('entries of risk lists that name the one before match it no more');
    asking = false;
    await asker;
    expect((await stop()).wrong).toEqual([]);
    expect([...seen]).toEqual([saved]);
    expect(await uniqueId(number)).toBe(known);
    expect(await uniqueId(numberOf(7))).toBe(saved);
    expect((await statesOf('fingerprint')).map(({ state }) => state)).toEqual(['destroyed', 'active']);
    const left = await w.sql(
      `SELECT 1 FROM vault.fingerprints WHERE key_id IN (SELECT id FROM vault.data_keys WHERE state = 'destroyed')`,
    );
    expect(left).toEqual([]);
  });

  test('of the key-encryption key: its files are gone, and what it wrapped cannot be unwrapped', async () => {
    await using inside = insideOf(w);
    const old_ref = inside.provider.newest();
    const wrapped = await inside.provider.wrap(Buffer.alloc(32, 9), 'place', old_ref);
    // the money zone's own key, in the same folder, stays
    const vaultFiles = () => readdirSync(join(w.data_dir, 'keys')).filter((name) => name.startsWith('vault-'));
    const files = vaultFiles();
    const early = { cwd: w.data_dir, settings: settingsOf(w), command: ['rotate-keys', 'kek', '--backed-up'] };
    expect(await outcomeOf(early)).toMatchObject({ code: 1, said: expect.stringContaining('Make it first') });
    // what is not backed up is not used: should this disk be lost now, the copies of the parts in use open every card
    const said = await runToEnd('kek');
    const made = vaultFiles().filter((name) => !files.includes(name));
    expect(made).toHaveLength(2);
    for (const name of made) expect(said).toContain(join(w.data_dir, 'keys', name));
    expect(said).toContain('Back each up');
    expect(await runToEnd('kek')).toBe(said);
    const [in_use] = await w.sql<{ kek_ref: string }>(`SELECT kek_ref FROM vault.key_epoch`);
    expect([in_use?.kek_ref, vaultFiles().length]).toEqual([old_ref, 4]);
    const stop = load();
    await killedAtLock(
      'kek',
      `SELECT FROM vault.data_keys WHERE state = 'active' AND purpose = 'card' LIMIT 1 FOR UPDATE`,
    );
    // one that was begun goes on
    await runToEnd('kek');
    const { wrong } = await stop();
    expect(wrong).toEqual([]);
    expect(vaultFiles()).toEqual(made);
    const [row] = await w.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM vault.data_keys WHERE kek_ref = $1 AND state <> 'destroyed'`,
      [old_ref],
    );
    expect(row?.n).toBe(0);
    const again = fileProvider({ folder: join(w.data_dir, 'keys'), environment: 'sandbox', chance });
    await expect(again.unwrap(wrapped, 'place', old_ref)).rejects.toBeInstanceOf(KeysSealed);
    again.close();
    await everyCardOpens();
    // a merchant that is new gets its keys under the new one, in a process that runs since before
    const other = await w.otherShop();
    expect((await other.pay()).code).toBe('955555');
  });

  test('every step of it is in the audit', async () => {
    const events = await audited(w);
    for (const kind of ['data', 'fingerprint', 'kek'])
      for (const action of ['rotation started', 'rotation finished'])
        expect([
          kind,
          action,
          events.filter((event) => event.action === action && event.object === kind).length,
        ]).toEqual([kind, action, 1]);
    expect(events.filter(({ action }) => action === 'key destroyed').length).toBeGreaterThanOrEqual(3);
  });
});

test('a rotation that is asked for wrongly is refused with what is wrong', async () => {
  const { code, said } = await outcomeOf({
    cwd: w.data_dir,
    settings: settingsOf(w),
    command: ['rotate-keys', 'keys'],
  });
  expect([code, said]).toEqual([1, expect.stringContaining('There are no keys keys')]);
});
