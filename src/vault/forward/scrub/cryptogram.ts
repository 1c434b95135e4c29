// The cryptogram of a network token that an answer repeats: base64, some signs of which JSON, forms and XML write as
// escapes.
import { codeAt, entityAt } from './codes.ts';

const HASH = 0x23;
const EQUALS = 0x3d;

export function hideCryptogram(answer: Buffer, cryptogram: Buffer): void {
  for (let at = 0; at < answer.length; at++) {
    const end = behindCryptogram(answer, at, cryptogram);
    if (end !== undefined) answer.fill(HASH, at, end);
  }
}

/** Its end, with or without the signs that fill it up; undefined: it does not begin here. */
function behindCryptogram(answer: Buffer, from: number, cryptogram: Buffer): number | undefined {
  let at = from;
  for (const wanted of cryptogram) {
    const [code, length] = signAt(answer, at);
    if (code !== wanted) return wanted === EQUALS ? at : undefined;
    at += length;
  }
  return at;
}

/** The character here, and how many bytes write it. */
function signAt(answer: Buffer, at: number): readonly [code: number | undefined, length: number] {
  const [byte, next] = [answer[at], answer[at + 1]];
  if (byte === 0x5c) return next === 0x75 ? [codeAt(answer, at + 2, 4), 6] : [next, 2];
  if (byte === 0x25) return [codeAt(answer, at + 1, 2), 3];
  if (byte === 0x26 && next === HASH) return entityAt(answer, at);
  return [byte, 1];
}
