// A file as a source of book lines: JSON objects, one a line, with the members of BookLine, or a provider's own
// settlement report.
import { LONGEST_LINE, type TextLine, csvRowsIn, linesIn } from '../../../kit/sheet/lines.ts';
import { whyNot } from '../../../kit/start-error.ts';
import { MAX_MINOR } from '../../../core/money.ts';
import { OPERATION_KINDS } from '../../../core/states.ts';
import type { Provider } from '../../../provider/contract.ts';
import type { Reported, SettledFee, SettledLine } from '../../../provider/settlement.ts';
import { type BookSource, type ReportedLine, UnreadableLine, readLine } from './line.ts';

const PAGE = 1000;

/** Undefined: a line that is no operation of ours. */
type Read = ((text: string, where: string) => ReportedLine | UnreadableLine | undefined) & {
  /** What is missing behind the last line. */
  cut?(): string | undefined;
};

/** How a file is read, from its first line on. */
type Form = {
  readonly kinds: ReadonlySet<string>;
  linesIn(path: string): AsyncIterable<TextLine>;
  begin(): Read;
};

const JSON_LINES: Form = { kinds: new Set(OPERATION_KINDS), linesIn, begin: () => readText };

/** The other lines of a provider's report, by its words: fees, payouts, disputes. */
export type Others = Map<string, number>;

/** A provider's own report about one merchant account. Undefined: the provider gives none that can be read. */
export async function reportBooks(
  path: string,
  provider: Provider,
  reported: Reported,
): Promise<(BookSource & { readonly others: Others }) | undefined> {
  const { settlement, name } = provider;
  if (!settlement) return undefined;
  const others: Others = new Map();
  // found by the first reading of the file, of the second one taken off
  const less = new Map<string, Less>();
  let readings = 0;
  const begin = (): Read => {
    let row: ReturnType<typeof settlement.reader>;
    others.clear();
    const is_first = readings++ === 0;
    const read: Read = (text, where) => {
      if (!row) {
        row = settlement.reader(text, reported);
        return row ? undefined : new UnreadableLine(`${where}: is not the head of a report of ${name}`);
      }
      const found = row(text);
      if (found.kind === 'problem') return new UnreadableLine(`${where}: ${found.says}`);
      if (found.kind === 'frame') return undefined;
      const { amount_minor: said = 0n } = found.kind === 'line' ? found.line : found.kind === 'less' ? found : {};
      // no operation of ours has more, and the pages that show a difference count on it
      if (said > MAX_MINOR) return new UnreadableLine(`${where}: has more than the largest amount`);
      if (found.kind === 'line') return is_first ? found.line : lessened(found.line, less, where);
      others.set(found.type, (others.get(found.type) ?? 0) + 1);
      if (found.kind !== 'less' || !is_first) return undefined;
      const before = less.get(found.reference) ?? { amount_minor: 0n, fees: [] };
      const amount_minor = before.amount_minor + found.amount_minor;
      less.set(found.reference, { amount_minor, fees: [...before.fees, ...found.fees] });
      return undefined;
    };
    return Object.assign(read, { cut: () => (row ? row.cut?.() : 'its head') });
  };
  const form: Form = { kinds: settlement.kinds, linesIn: csvRowsIn, begin };
  return { ...(await fileBooks(path, form)), providers: new Set([name]), others };
}

type Less = { readonly amount_minor: bigint; readonly fees: readonly SettledFee[] };

function lessened(line: SettledLine, less: ReadonlyMap<string, Less>, where: string): ReportedLine | UnreadableLine {
  const taken = line.kind === 'capture' ? less.get(line.reference) : undefined;
  if (!taken) return line;
  const amount_minor = line.amount_minor - taken.amount_minor;
  if (amount_minor < 0n) return new UnreadableLine(`${where}: less than nothing is left of it`);
  return { ...line, amount_minor, fees: [...line.fees, ...taken.fees] };
}

/**
 * Reads the file twice: once for the names of its providers and for every line that is wrong, then for its lines.
 * Throws UnreadableLine with the first ten wrong lines before anything is compared.
 */
export async function fileBooks(path: string, form: Form = JSON_LINES): Promise<BookSource> {
  const providers = new Set<string>();
  const wrong: string[] = [];
  for await (const read of linesOf(path, form)) {
    if (read instanceof UnreadableLine) wrong.push(read.message);
    else providers.add(read.provider);
    if (wrong.length === 10) break;
  }
  if (wrong.length > 0)
    throw new UnreadableLine(`${path} cannot be used:\n${wrong.map((one) => `  - ${one}`).join('\n')}`);
  // of a provider's report it is known whose books it is, also on a day on which nothing moved
  if (providers.size === 0 && form === JSON_LINES)
    throw new UnreadableLine(`${path} has no line: it does not say whose books it is, so nothing would be compared`);
  return { name: path, providers, kinds: form.kinds, pages: () => pagesOf(path, form) };
}

async function* pagesOf(path: string, form: Form): AsyncGenerator<readonly ReportedLine[]> {
  let page: ReportedLine[] = [];
  for await (const read of linesOf(path, form)) {
    if (read instanceof UnreadableLine) throw read;
    page.push(read);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function* linesOf(path: string, form: Form): AsyncGenerator<ReportedLine | UnreadableLine> {
  const readOne = form.begin();
  try {
    for await (const { number, text } of form.linesIn(path)) {
      const where = `line ${number}`;
      if (text.trim() === '') continue;
      const read =
        text.length > LONGEST_LINE
          ? new UnreadableLine(`${where}: is longer than ${LONGEST_LINE} characters`)
          : readOne(text, where);
      if (read) yield read;
    }
    const missing = readOne.cut?.();
    if (missing !== undefined) yield new UnreadableLine(`the file ends without ${missing}: it is cut off`);
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new UnreadableLine(`the file ${path} cannot be read: ${whyNot(error)}`);
    throw error;
  }
}

function readText(text: string, where: string): ReportedLine | UnreadableLine {
  try {
    return readLine(JSON.parse(text), where);
  } catch (error) {
    return error instanceof UnreadableLine ? error : new UnreadableLine(`${where}: is no JSON`);
  }
}
