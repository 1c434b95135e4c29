// An append-only file of lines. A line is in the file before its answer leaves, so the books survive the process (not
// the machine: nothing is synced to the disk). What a crash tore is the last line, and that one was never answered.
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

export type Journal = {
  append(line: string): void;
  /** Forgets every line. */
  clear(): void;
  close(): void;
};

/** Hands every whole line to `replay`, cuts off a torn last one, and opens the file for appending. */
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
        // A full disk may leave half a line behind: the next one must not be glued to it.
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
 * Reads piece by piece: a journal may be larger than the process should ever be. Returns where the last whole line
 * ends.
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
