// The attack on card numbers that the money zone's tables must not help (docs/decisions/0052): read them as the
// superuser, take first six and last four of a payment, send number after number to /token, and look whether the
// card_unique_id that is answered, or anything made of it without a key, stands in them.
import type pg from 'pg';
import { luhn } from '../../src/core/card.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { type Client, GOOD_CARD } from '../client.ts';

export type Attack = {
  /** Numbers sent, with either key, and how many were answered with an id. */
  readonly tried: number;
  readonly answered: number;
  /** Ids that the money zone's tables hold, the right number's among those looked for. */
  readonly found: number;
  /**
   * The same look finds the right number's id in the vault's own tables, and its four and six digits in the money
   * zone's.
   */
  readonly proved: boolean;
};

const CANDIDATES = 60;

/** `number` was paid with; the attacker knows ten of its digits, and comes upon the right one early. */
export async function attack(shop: Client, admin: pg.Client, number: string): Promise<Attack> {
  const [money, vault] = [await tablesOf(admin, 'payment'), await tablesOf(admin, 'vault')];
  const [first6, last4] = [number.slice(0, 6), number.slice(-4)];
  const candidates = [number, ...othersLike(first6, last4)];
  const ids: string[] = [];
  for (const [n, card_number] of candidates.entries()) {
    const key = n % 2 === 0 ? shop.keys.private_key : shop.keys.public_key;
    const reply = await shop.vault('/token', { body: { ...GOOD_CARD, card_number }, key });
    const id = reply.at('card_unique_id');
    if (typeof id === 'string') ids.push(id);
  }
  const isIn = (text: string) => (id: string) => formsOf(id).some((form) => text.includes(form));
  const [right = ''] = ids;
  return {
    tried: candidates.length,
    answered: ids.length,
    found: ids.filter(isIn(money)).length,
    proved: isIn(vault)(right) && money.includes(first6) && money.includes(last4),
  };
}

function othersLike(first6: string, last4: string): readonly string[] {
  const found: string[] = [];
  for (let middle = 0; found.length < CANDIDATES; middle++) {
    const number = `${first6}${String(middle).padStart(6, '0')}${last4}`;
    if (luhn(Buffer.from(number))) found.push(number);
  }
  return found;
}

/** Every row of every table, as text. */
async function tablesOf(admin: pg.Client, schema: string): Promise<string> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema = $1`,
    [schema],
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const table = await admin.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(...table.rows.map(({ row }) => row));
  }
  return texts.join('\n').toLowerCase();
}

/** An id as text or bytes, its beginning, and what a hash without a key makes of it. */
export function formsOf(card_unique_id: string): readonly string[] {
  const hex = card_unique_id.replaceAll('-', '');
  const bytes = Buffer.from(hex, 'hex');
  const hashes = [card_unique_id, hex, bytes].map((form) => sha256(form).slice(0, 32));
  return [card_unique_id, card_unique_id.slice(0, 8), hex, bytes.toString('base64').toLowerCase(), ...hashes];
}
