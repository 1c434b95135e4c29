// An append-only file of lines. A line is written before the answer is sent, so the books survive the end of the
// process, but not of the machine: nothing is synced to the disk. A crash can tear only the last line, whose call was
// never answered.
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

export type Journal = {
  append(line: string): void;
  /** Forgets every line. */
  clear(): void;
  close(): void;
};

/** Passes every whole line to `replay`, cuts off a torn last line, and opens the file for appending. */
export function openJournal(file: string, replay: (line: string) => void): Journal {
  const descriptor = openSync(file, 'a+', 0o600);
  let length = 0;
  try {
    length = readLines(descriptor, replay);
    ftruncateSync(descriptor, length);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return {
    append: (line) => {
      const bytes = Buffer.from(`${line}\n`, 'utf8');
      try {
        if (writeSync(descriptor, bytes) !== bytes.length) throw new Error('the journal took only a part of a line');
      } catch (error) {
        // a full disk may leave half a line, to which the next line must not be joined
        ftruncateSync(descriptor, length);
        throw error;
      }
      length += bytes.length;
    },
    clear: () => {
      ftruncateSync(descriptor, 0);
      length = 0;
    },
    close: () => closeSync(descriptor),
  };
}

const PIECE = 256 * 1024;

/**
 * Reads in pieces, because a journal can be larger than the memory that the process should use. Returns the position
 * after the last whole line.
 */
function readLines(descriptor: number, replay: (line: string) => void): number {
  const piece = Buffer.allocUnsafeSlow(PIECE);
  let rest: Buffer = Buffer.alloc(0);
  let whole = 0;
  for (let at = 0; ;) {
    const taken = readSync(descriptor, piece, 0, PIECE, at);
    if (taken === 0) return whole;
    at += taken;
    const bytes = Buffer.concat([rest, piece.subarray(0, taken)]);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      replay(bytes.toString('utf8', from, end));
      whole += end + 1 - from;
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
}
