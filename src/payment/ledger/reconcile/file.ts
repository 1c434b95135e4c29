// A settlement file as a source of book lines: JSON objects, one a line, with the members of BookLine.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type BookLine, type BookSource, UnreadableLine, readLine } from './line.ts';

const PAGE = 1000;
const LONGEST = 10_000;

/**
 * Reads the file twice: once for the names of its providers and for every line that is wrong, then for its lines. Throws
 * UnreadableLine with the first ten wrong lines before anything is compared.
 */
export async function fileBooks(path: string): Promise<BookSource> {
  const providers = new Set<string>();
  const wrong: string[] = [];
  for await (const read of linesOf(path)) {
    if (read instanceof UnreadableLine) wrong.push(read.message);
    else providers.add(read.provider);
    if (wrong.length === 10) break;
  }
  if (wrong.length > 0)
    throw new UnreadableLine(`${path} cannot be used:\n${wrong.map((one) => `  - ${one}`).join('\n')}`);
  return { name: path, providers, pages: () => pagesOf(path) };
}

async function* pagesOf(path: string): AsyncGenerator<readonly BookLine[]> {
  let page: BookLine[] = [];
  for await (const read of linesOf(path)) {
    if (read instanceof UnreadableLine) throw read;
    page.push(read);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function* linesOf(path: string): AsyncGenerator<BookLine | UnreadableLine> {
  let number = 0;
  const stream = createReadStream(path, 'utf8');
  try {
    for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
      number++;
      if (text.trim() === '') continue;
      yield readText(text, `line ${number}`);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new UnreadableLine(`the file ${path} cannot be read: ${error.message}`);
    throw error;
  } finally {
    stream.destroy();
  }
}

function readText(text: string, where: string): BookLine | UnreadableLine {
  if (text.length > LONGEST) return new UnreadableLine(`${where}: is longer than ${LONGEST} characters`);
  try {
    return readLine(JSON.parse(text), where);
  } catch (error) {
    return error instanceof UnreadableLine ? error : new UnreadableLine(`${where}: is no JSON`);
  }
}
