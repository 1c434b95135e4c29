// A month as a file: one line of JSON for each row, compressed (RFC 1952), so that `zcat` and `jq` read it without
// Florin.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { keepNames } from '../../kit/kept-file.ts';

type Lines = AsyncIterable<readonly string[]>;

/** A file of that name holds something else. */
export class FileInTheWay extends Error {
  override readonly name = 'FileInTheWay';
}

/**
 * Writes a second file to the disk and then renames it, so the path never holds half a file. Returns the SHA-256 as
 * hex. A file that is there already may hold the same, of a run that was killed; FileInTheWay: it holds something else.
 */
export async function writeLines(path: string, lines: Lines): Promise<string> {
  const beside = `${path}.unfinished`;
  const [content, packed] = [hashing(), hashing()];
  const texts = Readable.from(textsOf(lines));
  const to = createWriteStream(beside, { mode: 0o600, flush: true });
  await pipeline(texts, content.pass, createGzip(), packed.pass, to);
  if (existsSync(path) && (await contentOf(path)) !== content.hash.digest('hex')) {
    rmSync(beside);
    throw new FileInTheWay(path);
  }
  renameSync(beside, path);
  keepNames(dirname(path));
  return packed.hash.digest('hex');
}

/**
 * The SHA-256 of what a file holds: versions of Node compress the same rows into other bytes. Undefined: it cannot be
 * unpacked.
 */
async function contentOf(path: string): Promise<string | undefined> {
  const { hash, pass } = hashing();
  try {
    await pipeline(createReadStream(path), createGunzip(), pass.resume());
  } catch (error) {
    // of the disk; what cannot be unpacked has none
    if (error instanceof Error && 'syscall' in error) throw error;
    return undefined;
  }
  return hash.digest('hex');
}

async function* textsOf(lines: Lines): AsyncGenerator<string> {
  for await (const some of lines) if (some.length > 0) yield `${some.join('\n')}\n`;
}

function hashing() {
  const hash = createHash('sha256');
  const pass = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { hash, pass };
}

/** The SHA-256 of the file on the disk, as hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * Throws if the file cannot be read or unpacked. Only a line feed ends a line, because texts may hold other line ends.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const unpacked = createGunzip().setEncoding('utf8');
  // a broken file also ends the loop below
  const read = pipeline(createReadStream(path), unpacked).then(
    () => undefined,
    (error: unknown) => error,
  );
  let rest = '';
  for await (const text of unpacked) {
    const lines = (rest + String(text)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  const error = await read;
  if (error !== undefined) throw error;
  if (rest !== '') yield rest;
}
