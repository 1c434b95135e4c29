// An attacker who may write to the vault's database moves, cuts and changes what is sealed: nothing of it opens, and it
// is audited. One who has both databases and no key learns no number.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { luhn } from '../../src/core/card.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { providers } from '../../src/provider/registry.ts';
import type { Forward } from '../../src/payment/vault-link.ts';
import { openCard } from '../../src/vault/card/sealed-card.ts';
import { RecordUnreadable } from '../../src/vault/keys/record.ts';
import type { Client } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Inside, audited, chance, insideOf, numberOf } from './inside.ts';

const CARDS = 40;
const SWAPS = 1000;
let w: World;
let inside: Inside;
const tokens: string[] = [];

beforeAll(async () => {
  w = await world();
  const others: Client[] = [await w.otherShop(), await w.otherShop()];
  for (const shop of [w.shop, ...others])
    for (let at = 0; at < CARDS; at++)
      tokens.push(
        await shop.token({
          card_number: numberOf(at),
          ...(at % 2 === 0 && { token_type: 'recurring' }),
          cardholder_name: `A Payer ${at}`,
        }),
      );
  inside = insideOf(w);
});
afterAll(async () => {
  await inside[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});

type Row = {
  readonly token_hash: string;
  readonly merchant_account_id: string;
  readonly kind: 'oneshot' | 'recurring';
  readonly exp_month: number;
  readonly exp_year: number;
  readonly created_at: Date;
  readonly sealed: Buffer;
  readonly data_key_id: string;
  readonly environment: string;
};

async function cardRows(): Promise<readonly Row[]> {
  return w.sql<Row>(
    `SELECT encode(token_hash, 'hex') AS token_hash, encode(merchant_account_id, 'hex') AS merchant_account_id, kind, exp_month, exp_year, created_at, sealed, data_key_id, environment
     FROM vault.cards ORDER BY token_hash`,
  );
}

/** As the vault does before it sends a card. */
async function opens(row: Row): Promise<boolean> {
  try {
    const key = await inside.keys.cardById(BigInt(row.data_key_id), row.merchant_account_id);
    openCard(row.sealed, row, key);
    return true;
  } catch (error) {
    if (error instanceof RecordUnreadable) return false;
    throw error;
  }
}

/** A number below `limit`. */
const pick = (limit: number) => chance.bytes(4).readUInt32BE() % limit;

type Attack = { readonly name: string; readonly set: string };

/** What SQL can do to a card's row with what stands in another one, or with nothing. */
function attacks(): readonly Attack[] {
  const other = (column: string) =>
    `${column} = (SELECT o.${column} FROM vault.cards o WHERE encode(o.token_hash, 'hex') = $2)`;
  const byte = 10 + pick(150);
  const bit = 1 << pick(8);
  const head = pick(9);
  return [
    { name: 'the ciphertext of another row', set: other('sealed') },
    { name: 'ciphertext and key of another row', set: `${other('sealed')}, ${other('data_key_id')}` },
    {
      name: 'the whole row of another tenant but its token',
      set: [
        'sealed',
        'data_key_id',
        'kind',
        'exp_month',
        'exp_year',
        'created_at',
        'merchant_account_id',
        'expires_at',
        'delete_after',
      ]
        .map(other)
        .join(', '),
    },
    { name: 'another tenant', set: `merchant_account_id = decode('${chance.id()}', 'hex')` },
    { name: 'a later expiry', set: `exp_year = exp_year + ${1 + pick(5)}` },
    { name: 'another month', set: `exp_month = 1 + (exp_month + ${pick(11)}) % 12` },
    { name: 'another moment', set: `created_at = created_at + interval '${1 + pick(1000)} ms'` },
    {
      name: 'another kind',
      set: `kind = CASE kind WHEN 'oneshot' THEN 'recurring' ELSE 'oneshot' END, expires_at = now() + interval '1 h', delete_after = now() + interval '1 h'`,
    },
    { name: 'the other environment', set: `environment = 'production'` },
    {
      name: 'a bit flipped',
      set: `sealed = set_byte(sealed, ${byte} % length(sealed), get_byte(sealed, ${byte} % length(sealed)) # ${bit})`,
    },
    {
      name: 'a bit of its head flipped',
      set: `sealed = set_byte(sealed, ${head}, get_byte(sealed, ${head}) # ${bit})`,
    },
    { name: 'cut off', set: `sealed = substring(sealed FROM 1 FOR ${pick(120)})` },
    { name: 'cut off in front', set: `sealed = substring(sealed FROM ${2 + pick(100)})` },
    { name: 'longer', set: `sealed = sealed || decode('${chance.bytes(16).toString('hex')}', 'hex')` },
    { name: 'another key', set: other('data_key_id') },
    {
      name: 'the fingerprint key',
      set: `data_key_id = (SELECT id FROM vault.data_keys WHERE purpose = 'fingerprint')`,
    },
    {
      name: 'the answer of another column',
      set: `sealed = (SELECT wrapped FROM vault.data_keys WHERE purpose = 'card' LIMIT 1)`,
    },
  ];
}

const shape = ({ sealed, created_at, ...row }: Row) =>
  JSON.stringify([row, sealed.toString('hex'), created_at.getTime()]);

test(`${SWAPS} random changes of rows: none opens but those that changed nothing`, async () => {
  const rows = await cardRows();
  expect(new Set(rows.map(({ sealed }) => sealed.length)).size, 'the length of a record says nothing').toBe(1);
  const counts = new Map<string, number>();
  for (let tries = 0, done = 0; done < SWAPS && tries < SWAPS * 3; tries++) {
    const kinds = attacks();
    const attack = kinds[tries % kinds.length];
    const victim = rows[pick(rows.length)];
    const other = rows[pick(rows.length)];
    if (!attack || !victim || !other || victim === other) continue;
    await w.sql('BEGIN');
    const [changed] = await w.sql<Row>(
      `UPDATE vault.cards SET ${attack.set} WHERE token_hash = decode($1, 'hex') AND $2::text IS NOT NULL
       RETURNING encode(token_hash, 'hex') AS token_hash, encode(merchant_account_id, 'hex') AS merchant_account_id, kind, exp_month, exp_year, created_at, sealed, data_key_id, environment`,
      [victim.token_hash, other.token_hash],
    );
    await w.sql('ROLLBACK');
    if (!changed || shape(changed) === shape(victim)) continue;
    expect([attack.name, await opens(changed)]).toEqual([attack.name, false]);
    counts.set(attack.name, (counts.get(attack.name) ?? 0) + 1);
    done++;
  }
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(SWAPS);
  expect([...counts.values()].every((count) => count > 10)).toBe(true);
  for (const row of rows) expect(await opens(row)).toBe(true);
});

async function forward(token: string): Promise<string> {
  const { chance: random } = w.service.tools;
  const [operation_id, order_id] = [random.id(), random.id()];
  const call = providers().get('simulator')?.write(
    'authorize',
    {
      operation_id,
      order_id,
      kind: 'authorize',
      amount_minor: 500n,
      currency: 'EUR',
      with_capture: false,
      merchant_account_id: '',
      order_merchant_id: 'attacked',
      scheme: 'visa',
      authorization_reference: null,
      authorization_code: null,
      authorization_kept: {},
      capture_reference: null,
    },
    {},
  );
  if (!call) throw new Error('the simulator authorizes');
  const merchant_account_id = w.account;
  const token_hash = sha256(Buffer.from(token, 'hex'));
  const asked: Forward = {
    operation_id,
    order_id,
    merchant_account_id,
    token_hash,
    checkout_id: null,
    request_id: null,
    contract_id: null,
    ...call,
    destination: 'simulator',
    step: 'authorize',
    key: `${operation_id}-authorize`,
    deadline_ms: 10_000,
  };
  return (await w.service.tools.vault.forward(asked)).outcome;
}

test('a stored card that was changed, in whatever way, is not sent by the running service, and one audit record says so', async () => {
  for (const { name, set } of attacks()) {
    const token = await w.shop.token({ card_number: numberOf(99), token_type: 'recurring' });
    const other = sha256(Buffer.from(tokens[CARDS + 2] ?? '', 'hex'));
    const hash = sha256(Buffer.from(token, 'hex'));
    const before = (await audited(w)).length;
    await w.sql(`UPDATE vault.cards SET ${set} WHERE encode(token_hash, 'hex') = $1 AND $2::text IS NOT NULL`, [
      hash,
      other,
    ]);
    expect([name, await forward(token)]).toEqual([name, 'not_sent']);
    const since = (await audited(w)).slice(before);
    // a row that is another tenant's or environment's, or whose life is over, is not even found
    const found = !/^(?:another tenant|the other environment|the whole row)/.test(name);
    if (found) expect([name, since]).toMatchObject([name, [{ action: 'record failed to open', result: 'refused' }]]);
  }
});

test('a wrapped data key that was swapped, or is of another version, does not unwrap', async () => {
  const keys = await w.sql<{ id: string; merchant: string }>(
    `SELECT id, encode(merchant_account_id, 'hex') AS merchant FROM vault.data_keys WHERE purpose = 'card' ORDER BY id`,
  );
  expect(keys.length).toBeGreaterThanOrEqual(3);
  const [mine, theirs] = keys;
  for (const set of [
    `wrapped = (SELECT wrapped FROM vault.data_keys WHERE id = $2)`,
    `version = version + 1 + ($2::bigint * 0)`,
  ]) {
    const [kept] = await w.sql(`SELECT wrapped, version FROM vault.data_keys WHERE id = $1`, [mine?.id]);
    await w.sql(`UPDATE vault.data_keys SET ${set} WHERE id = $1`, [mine?.id, theirs?.id]);
    await using fresh = insideOf(w);
    await expect(fresh.keys.card(mine?.merchant ?? '')).rejects.toThrow(/unable to authenticate/);
    await w.sql(`UPDATE vault.data_keys SET wrapped = $2, version = $3 WHERE id = $1`, [
      mine?.id,
      kept?.['wrapped'],
      kept?.['version'],
    ]);
  }
});

describe('an attacker with both databases and no key', () => {
  type Leak = { readonly first6: string; readonly last4: string; readonly mac: string };

  /** What a dump of the vault says of each card, beside its first six and last four digits. */
  async function leaks(): Promise<readonly Leak[]> {
    return w.sql<Leak>(
      `SELECT DISTINCT ON (c.card_unique_id) c.first6, c.last4, encode(f.mac, 'hex') AS mac
       FROM vault.cards c JOIN vault.fingerprints f USING (merchant_account_id, card_unique_id) ORDER BY c.card_unique_id LIMIT 8`,
    );
  }

  /** Every hash found in either dump: 32 bytes, in any column of any table. */
  async function everyHash(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const tables = await w.sql<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE relnamespace IN ('vault'::regnamespace, 'payment'::regnamespace) AND relkind = 'r'`,
    );
    for (const { name } of tables)
      for (const row of await w.sql<{ text: string }>(`SELECT t::text AS text FROM ${name} t`))
        for (const [hex] of row.text.matchAll(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g)) found.add(hex);
    return found;
  }

  /** The middle digits of a 16-digit number, tried from one end: a hundred thousand that pass Luhn. */
  function* candidates({ first6, last4 }: Leak): Generator<Buffer> {
    const number = Buffer.from(`${first6}000000${last4}`);
    for (let middle = 0; middle < 1_000_000; middle++) {
      number.write(String(middle).padStart(6, '0'), 6, 'latin1');
      if (luhn(number)) yield number;
    }
  }

  /** Unkeyed ways to hash a number, and keyed ones with what the dumps hold instead of the key. */
  const HASHES: readonly ((number: Buffer) => string)[] = [
    (number) => createHash('sha256').update(number).digest('hex'),
    (number) => createHash('sha256').update(createHash('sha256').update(number).digest()).digest('hex'),
  ];

  function broken(leak: Leak, known: ReadonlySet<string>): string | undefined {
    for (const number of candidates(leak))
      for (const hash of HASHES) if (known.has(hash(number))) return number.toString();
    return undefined;
  }

  test('gets no number out of the fingerprints; the same search finds the one whose hash is planted without a key', async () => {
    const found = await leaks();
    expect(found.length).toBe(8);
    const known = await everyHash();
    expect(found.every(({ mac }) => known.has(mac))).toBe(true);
    for (const leak of found.slice(0, 2)) expect(broken(leak, known)).toBeUndefined();
    const planted = numberOf(5);
    await w
      .sql(`CREATE TABLE payment.planted AS SELECT sha256(convert_to($1, 'UTF8')) AS hash`, [planted])
      .catch(() => w.sql(`CREATE TABLE payment.planted AS SELECT sha256('${planted}'::bytea) AS hash`));
    const leak = { first6: planted.slice(0, 6), last4: planted.slice(-4), mac: '' };
    expect(broken(leak, await everyHash())).toBe(planted);
    await w.sql('DROP TABLE payment.planted');
  });

  test('cannot tell that two merchants know the same card', async () => {
    const rows = await w.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM vault.fingerprints a JOIN vault.fingerprints b ON a.merchant_account_id < b.merchant_account_id AND (a.mac = b.mac OR a.card_unique_id = b.card_unique_id)`,
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});
