// Opens a ZIP archive as other programs do.
import { inflateRawSync } from 'node:zlib';
import { expect } from 'vitest';

/** The entries of an archive, by its directory at the end. */
export function unzipped(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'));
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    const [packed, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const [name_length, from] = [bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)];
    const name = bytes.toString('utf8', at + 46, at + 46 + name_length);
    const begin = from + 30 + bytes.readUInt16LE(from + 26);
    const content = inflateRawSync(bytes.subarray(begin, begin + packed));
    expect([name, content.length]).toEqual([name, size]);
    found.set(name, content);
    at += 46 + name_length;
  }
  return found;
}
