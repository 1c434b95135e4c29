// One line of a merchant's past at another payment company: an attempt that was declined or approved. It contains no
// digit of a card: the card is named by the card_unique_id that the import of cards gave it. Pure. A message about a
// wrong line never repeats its text.
import { SCHEME_NAMES } from '../../../core/card.ts';
import { currency, datetime, int, money, oneOf, text, textOfForm, withoutCard } from '../../../core/fields.ts';
import { toMinor } from '../../../core/money.ts';
import { type ResultName, findResult } from '../../../core/results.ts';
import { type Day, dayOf } from '../../../core/retries/day.ts';
import { type Following, adviceText, sawScheme, schemeWords, whatFollows } from '../../../core/retries/follow.ts';
import { type Read, Reading, type Shape, readShape, required } from '../../../core/shape.ts';
import { cellsOf, columnsOf } from '../../../provider/report-rows.ts';

const CODE = textOfForm(/^[0-9A-Z]{2}$/, 'two digits or capital letters');
const LINE = {
  reference: required(withoutCard(text(100))),
  card_unique_id: required(
    textOfForm(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'a card_unique_id of this account'),
  ),
  card_validity_month: required(int(1, 12)),
  card_validity_year: required(int(2000, 2099)),
  scheme: required(oneOf(...SCHEME_NAMES)),
  contract: required(text(100)),
  initiator: required(oneOf('payer', 'merchant')),
  amount: required(money),
  currency: required(currency),
  date: required(datetime),
  outcome: oneOf('declined', 'approved'),
  result: textOfForm(/^\d{6}$/, 'a result code of six digits'),
  advice: CODE,
  response_code: CODE,
} as const satisfies Shape;

const COLUMNS = Object.keys(LINE);
const OPTIONAL = COLUMNS.filter((name) => !LINE[name as keyof typeof LINE].required);

export type PastAttempt = {
  /** Their own id of the attempt: by it the same line is known again. */
  readonly reference: string;
  readonly card_unique_id: string;
  readonly acceptor: string;
  readonly initiator: 'p' | 'm';
  readonly scheme: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly at: Date;
  /** The first day after the card's end. */
  readonly expires: Day;
  /** Null: it was approved. */
  readonly declined:
    | (Pick<Following, 'category' | 'wait_s'> & { readonly advice: string | null; stops: boolean })
    | null;
};

/** `unseen`: no scheme saw it declined, so none counts it. A list: what is wrong with the line. */
export type ReadLine = PastAttempt | 'unseen' | readonly string[];

type Around = {
  /** Finds the acceptor of a contract, by id or by name; undefined: the account has no such contract. */
  acceptorOf(contract: string): string | undefined;
  readonly now: Date;
};

/** The result of a line without one: the issuer declined, which stops nothing. */
const UNTOLD: ResultName = 'issuer_declined';

/** How lines are read below this head; a text: why it is none. */
export function lineReader(head: string, around: Around): ((line: string) => ReadLine) | string {
  const names = columnsOf(head, []);
  if (!names) return 'leaves a quote open';
  const missing = COLUMNS.filter((name) => !OPTIONAL.includes(name) && !names.includes(name));
  const unknown = names.filter((name) => !COLUMNS.includes(name)).length;
  const twice = names.filter((name, i) => names.indexOf(name) !== i);
  const wrong = [
    ...(missing.length > 0 ? [`lacks ${missing.join(', ')}`] : []),
    ...(unknown > 0 ? [`names ${unknown} columns that are not known here`] : []),
    ...(twice.length > 0 ? ['names a column twice'] : []),
  ];
  if (wrong.length > 0)
    return `${wrong.join('; ')}. Columns: ${COLUMNS.join(', ')}; optional are ${OPTIONAL.join(', ')}.`;
  return (line) => {
    const cells = cellsOf(line);
    if (!cells) return ['leaves a quote open'];
    if (cells.length !== names.length) return [`has ${cells.length} values for ${names.length} columns`];
    return readLine(new Map(names.map((name, i) => [name, cells[i] ?? ''])), around);
  };
}

function readLine(cells: ReadonlyMap<string, string>, { acceptorOf, now }: Around): ReadLine {
  const reading = new Reading(false);
  const read = readShape(LINE, new Map(cells), { reading });
  const { amount = '', currency: of, contract, date, scheme, advice } = read;
  const minor = of === undefined ? undefined : toMinor(amount, of);
  if (amount !== '' && minor && 'problem' in minor) reading.refuse('amount', minor.problem);
  const acceptor = contract === undefined ? undefined : acceptorOf(contract);
  if (contract !== undefined && acceptor === undefined) reading.refuse('contract', 'is none of this account');
  if (date !== undefined && new Date(date) > now) reading.refuse('date', 'is to come');
  if (advice !== undefined && scheme !== undefined && scheme !== 'mastercard')
    reading.refuse('advice', 'belongs to mastercard');
  if (read.result !== undefined && !findResult(read.result)) reading.refuse('result', 'is no code of the contract');
  if (reading.problems.length > 0) return reading.problems.map(({ field, message }) => `${field} ${message}`);
  return attemptOf(read as Read<typeof LINE>, {
    acceptor: acceptor ?? '',
    amount_minor: minor && 'minor' in minor ? minor.minor : 0n,
  });
}

type Reckoned = Pick<PastAttempt, 'acceptor' | 'amount_minor'>;

function attemptOf(line: Read<typeof LINE>, reckoned: Reckoned): PastAttempt | 'unseen' {
  const { reference, card_unique_id, scheme, initiator, date, card_validity_month, card_validity_year } = line;
  const attempt = {
    ...reckoned,
    reference,
    card_unique_id: card_unique_id.toLowerCase(),
    initiator: initiator === 'payer' ? ('p' as const) : ('m' as const),
    scheme,
    currency: line.currency,
    at: new Date(date),
    expires: dayOf(new Date(Date.UTC(card_validity_year, card_validity_month, 1))),
  };
  if (line.outcome === 'approved') return { ...attempt, declined: null };
  const result = findResult(line.result ?? '')?.name ?? UNTOLD;
  if (!sawScheme(result)) return 'unseen';
  const words = schemeWords('mastercard', line.advice ?? '', line.response_code);
  const { category, wait_s, stop } = whatFollows({ ...words, result, scheme, day: dayOf(attempt.at) });
  const advice = words.advice ? adviceText(words.advice) : null;
  return { ...attempt, declined: { category, wait_s, advice, stops: stop === 'card' } };
}
