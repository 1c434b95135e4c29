// Where the lines of the log go. A log that cannot be written (its disk is full, nobody reads its pipe) stops nothing:
// lines wait, the newest are left out when too many do, and the process ends without them. Pino's own destination ends
// the process where an error of it is not heard, and tries for ever to write its last lines.
import { write, writeSync } from 'node:fs';

/** Writes what it can of the bytes, and tells how many that was. */
export type WriteTo = (bytes: Buffer, done: (error: Error | null, taken: number) => void) => void;

/** So many characters wait at most; beside them, what is just being written. */
const MOST_WAITING = 1_048_576;
const AGAIN_MS = 100;

export class LogFile {
  private readonly to: WriteTo;
  private readonly leftOut: (lines: number) => void;
  private waiting: string[] = [];
  private size = 0;
  private left_out = 0;
  private is_busy = false;

  /** `leftOut` is told how many lines were, once there is room again. */
  constructor(to: WriteTo, leftOut: (lines: number) => void = () => undefined) {
    this.to = to;
    this.leftOut = leftOut;
  }

  write(line: string): void {
    if (this.size >= MOST_WAITING) {
      this.left_out += 1;
      return;
    }
    this.waiting.push(line);
    this.size += line.length;
    if (!this.is_busy) this.next();
  }

  /** What nobody has begun to write. */
  take(): Buffer {
    const bytes = Buffer.from(this.waiting.join(''));
    this.waiting = [];
    this.size = 0;
    return bytes;
  }

  private next(): void {
    const bytes = this.take();
    this.is_busy = bytes.length > 0;
    if (this.is_busy) this.send(bytes);
  }

  private send(bytes: Buffer): void {
    this.to(bytes, (error, taken) => {
      // nothing waits for the log, not even the end of the process
      if (error) return void setTimeout(() => this.send(bytes), AGAIN_MS).unref();
      if (taken < bytes.length) return this.send(bytes.subarray(taken));
      this.next();
      // behind those that waited, which now leave room for it
      this.tellLeftOut();
    });
  }

  private tellLeftOut(): void {
    const lines = this.left_out;
    this.left_out = 0;
    if (lines > 0) this.leftOut(lines);
  }
}

const OPEN = new Map<LogFile, number>();

/** A log by its descriptor. What waits when the process ends is written then, as far as that goes at once. */
export function openLogFile(fd: number, leftOut: (lines: number) => void): LogFile {
  if (OPEN.size === 0) process.on('exit', writeLast);
  const file = new LogFile((bytes, done) => write(fd, bytes, done), leftOut);
  OPEN.set(file, fd);
  return file;
}

function writeLast(): void {
  for (const [file, fd] of OPEN)
    try {
      for (let left = file.take(); left.length > 0;) left = left.subarray(writeSync(fd, left));
    } catch {
      // the disk is full, or its reader is gone: there is nobody to tell
    }
}
