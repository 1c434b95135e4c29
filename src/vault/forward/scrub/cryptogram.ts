// The cryptogram of a network token that an answer repeats, as it was sent.
const HASH = 0x23;

export function hideCryptogram(answer: Buffer, cryptogram: Buffer): void {
  for (let at = answer.indexOf(cryptogram); at >= 0; at = answer.indexOf(cryptogram, at))
    answer.fill(HASH, at, at + cryptogram.length);
}
