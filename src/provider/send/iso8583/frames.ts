// Messages on a stream of bytes: two bytes before each say how long it is, the higher one first.
import { Refused, ownBytes } from './codec.ts';

const HEADER = 2;

/** A copy with its length in front, which the sender overwrites. */
export function framed(message: Uint8Array): Buffer {
  const frame = ownBytes(HEADER + message.length);
  frame.writeUInt16BE(message.length, 0);
  frame.set(message, HEADER);
  return frame;
}

/** Cuts what arrives, however it is split, into messages; each is a copy of its own. */
export class FrameReader {
  private held: Buffer = Buffer.alloc(0);
  private readonly max_bytes: number;

  constructor(max_bytes: number) {
    this.max_bytes = max_bytes;
  }

  /** Throws `Refused` where no message can be that long: nothing that follows can be read. */
  push(chunk: Uint8Array): Buffer[] {
    const all = Buffer.concat([this.held, chunk]);
    this.held.fill(0);
    const messages: Buffer[] = [];
    let at = 0;
    while (all.length - at >= HEADER) {
      const length = all.readUInt16BE(at);
      if (length === 0 || length > this.max_bytes) throw new Refused('length');
      if (all.length - at < HEADER + length) break;
      const message = ownBytes(length);
      message.set(all.subarray(at + HEADER, at + HEADER + length));
      messages.push(message);
      at += HEADER + length;
    }
    this.held = Buffer.from(all.subarray(at));
    all.fill(0);
    return messages;
  }
}
