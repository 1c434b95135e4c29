// A file of card numbers, line by line, as bytes: no line becomes text, and what was read is overwritten when it was
// used.
import { type FileHandle, open } from 'node:fs/promises';
import { privateBytes } from '../../kit/crypto.ts';

export type Line = {
  /** Counts from 1. */
  readonly number: number;
  /** Without its line end; a view that is overwritten when the next line is asked for. */
  readonly bytes: Buffer;
  /** The place where the next line begins. */
  readonly next_offset: number;
};

const LONGEST = 4096;
const FEED = 0x0a;
const RETURN = 0x0d;

/** Longer lines come cut to this many bytes and one more, so that they can be refused. */
export const LONGEST_LINE = LONGEST;

/** Lines from an offset on, where line number `number` begins. A last line without an end counts. */
export async function* linesOf(path: string, from: { offset: number; number: number }): AsyncGenerator<Line> {
  const file = await open(path, 'r');
  const buffer = privateBytes(65_536);
  try {
    let { offset, number } = from;
    let held = 0;
    let ended = false;
    while (!ended || held > 0) {
      const read: number = ended ? 0 : await fill(file, buffer, { held, at: offset + held });
      ended ||= read === 0;
      held += read;
      let start = 0;
      for (;;) {
        const end = buffer.subarray(start, held).indexOf(FEED);
        if (end < 0 && !(ended && start < held) && held - start < buffer.length) break;
        const stop = end < 0 ? held : start + end;
        const next = end < 0 ? held : stop + 1;
        const bytes = buffer.subarray(start, buffer[stop - 1] === RETURN && stop > start ? stop - 1 : stop);
        yield { number, bytes: bytes.subarray(0, LONGEST + 1), next_offset: offset + next };
        buffer.fill(0, start, next);
        number++;
        start = next;
        if (start >= held) break;
      }
      buffer.copyWithin(0, start, held);
      offset += start;
      held -= start;
      buffer.fill(0, held);
    }
  } finally {
    buffer.fill(0);
    await file.close();
  }
}

async function fill(file: FileHandle, buffer: Buffer, { held, at }: { held: number; at: number }): Promise<number> {
  if (held === buffer.length) return 0;
  const { bytesRead } = await file.read(buffer, held, buffer.length - held, at);
  return bytesRead;
}
