// A batch of cards of a file, sealed and fingerprinted under the keys of now, with the lines that give their tokens
// back.
import type { KeyObject } from 'node:crypto';
import { twoDigits } from '../../core/dates.ts';
import { hmac, sha256 } from '../../kit/crypto.ts';
import type { Runner } from '../../kit/database.ts';
import { sealCard } from '../card/sealed-card.ts';
import type { DataKeys } from '../keys/keys.ts';
import type { KeyTools } from '../keys/opening.ts';
import type { DataKey } from '../keys/record.ts';
import type { FileCard } from './card.ts';
import { type ImportedCard, storeImported } from './store.ts';

export type Read = { readonly line: number; readonly card: FileCard };

const TRIES = 3;

/** Gives the lines of the tokens file. */
export async function storeBatch(
  tools: KeyTools & { readonly keys: DataKeys },
  tx: Runner,
  { merchant_account_id, batch }: { readonly merchant_account_id: string; readonly batch: readonly Read[] },
): Promise<readonly string[]> {
  if (batch.length === 0) return [];
  const { keys, clock, environment } = tools;
  for (let tries = 0; tries < TRIES; tries++) {
    const [key, { active, other }] = await Promise.all([
      keys.card(merchant_account_id),
      keys.fingerprints(merchant_account_id),
    ]);
    const created_at = clock.now();
    const under = {
      merchant_account_id,
      environment,
      kind: 'recurring',
      created_at,
      key,
      active: active.key,
      other: other?.key,
    };
    const sealed = batch.map(({ line, card }) => sealOne(tools, { line, card }, under));
    const stored = await storeImported(tx, {
      merchant_account_id,
      environment,
      created_at,
      data_key_id: key.id,
      key_id: active.id,
      old_key_id: other?.id ?? null,
      cards: sealed.map(({ card }) => card),
    });
    if (stored.length > 0) {
      const ids = new Map(stored.map((row) => [row.token_hash, row.card_unique_id]));
      return sealed.map(({ card, line, token, reference }) =>
        tokenLine({ ...card, line, token, reference, card_unique_id: ids.get(card.token_hash) ?? '' }),
      );
    }
    // a rotation has closed one of the keys
    keys.refresh();
  }
  throw new Error('the keys changed with every try');
}

type Under = {
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly kind: string;
  readonly created_at: Date;
  readonly key: DataKey;
  readonly active: KeyObject;
  readonly other: KeyObject | undefined;
};

function sealOne({ chance }: KeyTools, { line, card }: Read, { key, active, other, ...owner }: Under) {
  const { number, holder, exp_month, exp_year, reference } = card;
  const token = chance.bytes(32);
  const token_hash = sha256(token);
  const binding = { ...owner, token_hash, exp_month, exp_year };
  const sealed: ImportedCard = {
    token_hash,
    mac: hmac(active, number).toString('hex'),
    old_mac: other ? hmac(other, number).toString('hex') : null,
    new_unique_id: chance.uuid(),
    sealed: sealCard({ number, holder }, binding, { key, nonce: chance.bytes(12) }).toString('hex'),
    scheme: card.scheme,
    schemes: card.schemes.length > 1 ? card.schemes.join() : null,
    first6: number.toString('latin1', 0, 6),
    last4: number.toString('latin1', number.length - 4),
    exp_month,
    exp_year,
  };
  return { card: sealed, line, token: token.toString('hex'), reference };
}

type TokenLine = ImportedCard & {
  readonly line: number;
  readonly token: string;
  readonly card_unique_id: string;
  readonly reference: string;
};

function tokenLine(of: TokenLine): string {
  const values = [
    of.line,
    of.token,
    of.card_unique_id,
    of.scheme,
    of.first6,
    of.last4,
    twoDigits(of.exp_month),
    twoDigits(of.exp_year),
  ];
  return `${values.join(',')},${csvValue(of.reference)}\n`;
}

function csvValue(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
