// GET /sandbox/provider/books and GET /sandbox/cards (contract 15.4): what the simulated provider believes, to be
// compared with ours, and the numbers it knows.
import { CHALLENGE_CODES, type ChallengeCode } from '../../core/sandbox/challenge-codes.ts';
import { cursorOf, id24, int, refuseCursor, text } from '../../core/fields.ts';
import { toMajor } from '../../core/money.ts';
import { testCardOrigin } from '../../core/origin/test-cards.ts';
import { result } from '../../core/results.ts';
import type { Read, Shape } from '../../core/shape.ts';
import { bytesOfCursor } from '../../kit/cursor.ts';
import type { Answer } from '../../kit/http/route.ts';
import type { Account } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import { control } from './control.ts';

export const BOOKS_QUERY = {
  order_id: id24,
  order_merchant_id: text(255),
  reference: text(60),
  limit: int(1, 100),
  cursor: cursorOf(255, (written) => bytesOfCursor(written)?.toString('latin1')),
} as const satisfies Shape;

const PAGE = 25;
type Row = Readonly<Record<string, unknown>>;

/** The account's own entries, newest first. */
export async function readBooks(
  tools: Tools,
  { merchant_account_id }: Account,
  { cursor, limit = PAGE, ...filters }: Read<typeof BOOKS_QUERY>,
): Promise<Answer> {
  const query = new URLSearchParams({ ...filters, merchant_account_id, limit: String(limit) });
  if (cursor !== undefined) query.set('before', cursor);
  const { status, body } = await control(tools, { method: 'GET', path: `/books/newest?${query.toString()}` });
  if (status === 400) throw refuseCursor();
  const { entries, next } = body;
  const next_cursor = typeof next === 'string' ? Buffer.from(next, 'latin1').toString('base64url') : null;
  const rows: readonly Row[] = Array.isArray(entries) ? entries : [];
  const has_more = next_cursor !== null;
  return { body: { result: result('request_completed'), entries: rows.map(viewEntry), has_more, next_cursor } };
}

/** Amounts in major units, as everywhere in the contract. */
function viewEntry({ reference, order_id, provider, kind, amount, currency, effects, state, ...rest }: Row): object {
  const { calls, created_at, cryptogram_digest, eci } = rest;
  const code = String(currency);
  const major = toMajor(BigInt(String(amount)), code);
  const what = { reference, order_id, provider, kind, amount: major, currency, effects, state };
  // of a network token: which cryptogram came, and not what it is
  const told = typeof cryptogram_digest === 'string' && { cryptogram_digest, eci };
  return { ...what, calls, createdAt: created_at, ...told };
}

/**
 * The cards of the sandbox: for each number what happens, and the codes in the order in which they are seen; and the
 * codes that may be typed at the bank's page.
 */
export async function listCards(tools: Tools): Promise<Answer> {
  const { body } = await control(tools, { method: 'GET', path: '/cards' });
  const rows: readonly Row[] = Array.isArray(body['cards']) ? body['cards'] : [];
  const cards = rows.flatMap(({ numbers, says, codes }) =>
    Array.isArray(numbers)
      ? numbers.map((number: unknown) => ({ number, outcome: says, ...testCardOrigin(String(number)), codes }))
      : [],
  );
  return { body: { result: result('request_completed'), cards, challenge_codes: CHALLENGE_CODES.map(viewChallenge) } };
}

function viewChallenge({ code, outcome, result: ends }: ChallengeCode): object {
  return { code, outcome, result: ends && result(ends).code };
}
