// Declines that another payment company had, as if they had been made here: schemes go on counting when a merchant
// moves. The file is read line by line and never held as a whole: once for what is wrong with it, then for its
// declines, then for the approvals that end what these stop. What is wrong with a line is found before anything is
// written; a run that is killed is finished by the next one.
import { DAY_MS } from '../../../core/durations.ts';
import { sha256 } from '../../../kit/crypto.ts';
import { type TenantRunner, withTransaction } from '../../../kit/database.ts';
import { LONGEST_LINE, linesIn } from '../../../kit/sheet/lines.ts';
import { whyNot } from '../../../kit/start-error.ts';
import { cardDigest } from '../../card-digest.ts';
import type { Tools } from '../../tools.ts';
import { KEEP_DAYS } from '../store.ts';
import { type PastAttempt, type ReadLine, lineReader } from './line.ts';
import { type PastDecline, findAcceptors, insertPastDeclines, liftPastStops } from './store.ts';

const PAGE = 1000;
/** How many wrong lines are named; of the others only the number is told. */
const MOST_NAMED = 1000;

export type Imported = {
  /** Lines below the head. */
  readonly lines: number;
  /** Declines that count from now on. */
  readonly counted: number;
  /** Declines that an earlier import brought. */
  readonly known: number;
  readonly approved: number;
  /** No scheme saw these declined. */
  readonly unseen: number;
  /** Declines from before the days that any limit looks back to. */
  readonly old: number;
};

/** Nothing was imported: what is wrong, each with its line. */
export class WrongLines extends Error {}

/** The contents of a file. */
export type Found = Omit<Imported, 'counted' | 'known'> & { readonly declined: number };

type Importing = {
  readonly path: string;
  /** Done in a commit of its own before the first line is. */
  also(tx: TenantRunner, found: Found): Promise<void>;
};

/**
 * Throws WrongLines with everything that is wrong with the file, and nothing is written. Run twice, the second time
 * changes nothing.
 */
export async function importDeclines(
  { db, clock, secret_key }: Pick<Tools, 'db' | 'clock' | 'secret_key'>,
  account: string,
  { path, also }: Importing,
): Promise<Imported> {
  const acceptors = await findAcceptors(db.tenant(account));
  const now = clock.now();
  const acceptorOf = (named: string) => acceptors.find(({ id, name }) => id === named || name === named)?.acceptor;
  const read = () => linesOf(path, (head) => lineReader(head, { acceptorOf, now }));
  const since = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  const found = await foundIn(read(), since);
  const cardOf = ({ card_unique_id }: PastAttempt) => cardDigest(secret_key, account, card_unique_id);
  await withTransaction(db, account, (tx) => also(tx, found));
  const runner = db.tenant(account);
  let counted = 0;
  for await (const page of pagesOf(read(), (one) => one.declined !== null && one.at >= since)) {
    const declines = page.flatMap((one) => declineOf(one, cardOf(one)) ?? []);
    counted += await insertPastDeclines(runner, declines);
  }
  if (found.approved > 0)
    for await (const page of pagesOf(read(), (one) => one.declined === null)) {
      const approvals = page.map((one) => ({ ...one, card: cardOf(one) }));
      await liftPastStops(runner, approvals);
    }
  const { declined, ...others } = found;
  return { ...others, counted, known: declined - counted };
}

async function foundIn(lines: AsyncIterable<NumberedLine>, since: Date): Promise<Found> {
  const sums = { lines: 0, declined: 0, approved: 0, unseen: 0, old: 0 };
  const wrong: string[] = [];
  let more = 0;
  for await (const { number, read } of lines) {
    sums.lines += 1;
    if (isWrong(read)) {
      if (wrong.length < MOST_NAMED) wrong.push(`line ${number}: ${read.join('; ')}`);
      else more += 1;
    } else if (read === 'unseen') sums.unseen += 1;
    else if (read.declined === null) sums.approved += 1;
    else if (read.at < since) sums.old += 1;
    else sums.declined += 1;
  }
  if (wrong.length > 0) throw new WrongLines([...wrong, ...(more > 0 ? [`and ${more} lines more`] : [])].join('\n'));
  return sums;
}

const isWrong = (read: ReadLine): read is readonly string[] => Array.isArray(read);

function declineOf(one: PastAttempt, card: string): PastDecline | undefined {
  const { declined, reference, at, acceptor, initiator, scheme, amount_minor, currency, expires } = one;
  if (!declined) return undefined;
  const { category, advice, wait_s, stops: stopped } = declined;
  const not_before = wait_s === null ? null : new Date(at.getTime() + wait_s * 1000);
  const transaction_id = sha256(`imported decline|${reference}`).slice(0, 24);
  const of = { card, at, transaction_id, acceptor, initiator, scheme, amount_minor, currency, expires };
  return { ...of, category, advice, not_before, stopped };
}

async function* pagesOf(
  lines: AsyncIterable<NumberedLine>,
  takes: (one: PastAttempt) => boolean,
): AsyncGenerator<readonly PastAttempt[]> {
  let page: PastAttempt[] = [];
  for await (const { number, read } of lines) {
    if (isWrong(read))
      throw new WrongLines(`line ${number}: ${read.join('; ')}; the file was changed meanwhile: run it again`);
    if (read === 'unseen' || !takes(read)) continue;
    page.push(read);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

type NumberedLine = { readonly number: number; readonly read: ReadLine };
type Reader = ReturnType<typeof lineReader>;

async function* linesOf(path: string, begin: (head: string) => Reader): AsyncGenerator<NumberedLine> {
  let reader: Exclude<Reader, string> | undefined;
  try {
    for await (const { number, text } of linesIn(path)) {
      if (!reader) {
        const begun = begin(text);
        if (typeof begun === 'string') throw new WrongLines(`line 1: ${begun}`);
        reader = begun;
      } else if (text.trim() !== '')
        yield {
          number,
          read: text.length > LONGEST_LINE ? [`is longer than ${LONGEST_LINE} characters`] : reader(text),
        };
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new WrongLines(`cannot be read: ${whyNot(error)}`);
    throw error;
  }
  if (!reader) throw new WrongLines('is empty');
}
