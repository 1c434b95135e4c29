// A ZIP archive that is written as it comes (APPNOTE 6.3.10, 4.3): lengths and check sums stand behind each entry, so
// nothing is held back. Archives and entries below 4 GiB.
import { constants, crc32, deflateRawSync } from 'node:zlib';

const DEFLATE = 8;
/** Lengths follow (bit 3), names are UTF-8 (bit 11). */
const FLAGS = 0x0808;
const VERSION = 20;
/** 1 January 1980, the first day that the format knows: a file says nothing of when it was made. */
const DAY = 0x0021;

/** Piece by piece. */
type Content = AsyncIterable<string | Buffer> | Iterable<string | Buffer>;

type Entry = {
  readonly name: string;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
};

/** Bytes of the archive, entry by entry. */
export async function* zip(
  entries: Iterable<readonly [name: string, content: Content]>,
): AsyncGenerator<Buffer, void, undefined> {
  const written: Entry[] = [];
  let at = 0;
  for (const [name, content] of entries) {
    const head = header(0x04034b50, [[2, VERSION], ...about(), ...lengths(0, 0, 0), ...named(name)], name);
    yield head;
    let [crc, packed, size] = [0, 0, 0];
    for await (const given of content) {
      const bytes = Buffer.from(given);
      // each piece ends at a whole byte and refers to nothing before it, so pieces can stand one behind the other
      const piece = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
      crc = crc32(bytes, crc);
      size += bytes.length;
      packed += piece.length;
      yield piece;
    }
    const last = deflateRawSync(Buffer.alloc(0));
    packed += last.length;
    yield last;
    const tail = header(0x08074b50, lengths(crc, packed, size));
    yield tail;
    written.push({ name, crc, packed, size, at });
    at += head.length + packed + tail.length;
  }
  yield directory(written, at);
}

type Field = readonly [bytes: 2 | 4, value: number];

const about = (): Field[] => [
  [2, FLAGS],
  [2, DEFLATE],
  [2, 0],
  [2, DAY],
];
const lengths = (crc: number, packed: number, size: number): Field[] => [
  [4, crc],
  [4, packed],
  [4, size],
];
const named = (name: string): Field[] => [
  [2, Buffer.byteLength(name)],
  [2, 0],
];

function header(sign: number, fields: readonly Field[], name = ''): Buffer {
  const parts = [[4, sign] as const, ...fields].map(([bytes, value]) => {
    const part = Buffer.alloc(bytes);
    part.writeUIntLE(value, 0, bytes);
    return part;
  });
  return Buffer.concat([...parts, Buffer.from(name)]);
}

function directory(entries: readonly Entry[], at: number): Buffer {
  const rows = entries.map(({ name, crc, packed, size, at: from }) => {
    const fields: Field[] = [[2, VERSION], [2, VERSION], ...about(), ...lengths(crc, packed, size), ...named(name)];
    return header(0x02014b50, [...fields, [2, 0], [2, 0], [2, 0], [4, 0], [4, from]], name);
  });
  const size = rows.reduce((sum, row) => sum + row.length, 0);
  const count = entries.length;
  const end = header(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, at],
    [2, 0],
  ]);
  return Buffer.concat([...rows, end]);
}
