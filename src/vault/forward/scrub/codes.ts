// Characters that an answer writes as hex digits: escapes of JSON and forms, entities of XML.

/** Hex digits as a number; 0 where they are none. */
export function codeAt(answer: Buffer, from: number, length: number): number {
  let code = 0;
  for (let at = from; at < from + length; at++) {
    const byte = answer[at] ?? 0;
    const low = byte | 0x20;
    const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : low >= 0x61 && low <= 0x66 ? low - 0x57 : -1;
    if (digit < 0) return 0;
    code = code * 16 + digit;
  }
  return code;
}
