// A month in a file: a line of JSON a row, compressed (RFC 1952), which `zcat` and `jq` read without Florin.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, fsyncSync, closeSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

type Lines = AsyncIterable<readonly string[]>;

/** Writes it beside its place, to the disk, and puts it there whole. Gives its SHA-256, as hex. */
export async function writeLines(path: string, lines: Lines): Promise<string> {
  const beside = `${path}.unfinished`;
  const { hash, pass } = hashing();
  const texts = Readable.from(textsOf(lines));
  await pipeline(texts, createGzip(), pass, createWriteStream(beside, { mode: 0o600, flush: true }));
  renameSync(beside, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
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

/** SHA-256 of the file as it is on the disk, as hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Throws what cannot be read or unpacked. A line ends with a line feed only: texts may hold other ends of lines. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const unpacked = createGunzip().setEncoding('utf8');
  // a broken file ends the reading below, too
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
