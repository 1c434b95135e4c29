// Characters that an answer writes as digits: escapes of JSON and forms, entities of XML.

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

/** `&#52;` or `&#x34;` of XML and HTML, and how many bytes write it. */
export function entityAt(answer: Buffer, at: number): readonly [code: number, length: number] {
  const length = answer.subarray(at, at + 10).indexOf(0x3b);
  if (length < 0) return [0, 1];
  const end = at + length;
  const is_hex = ((answer[at + 2] ?? 0) | 0x20) === 0x78;
  const from = at + (is_hex ? 3 : 2);
  if (is_hex) return [codeAt(answer, from, end - from), end + 1 - at];
  let code = 0;
  for (let one = from; one < end; one++) code = code * 10 + (answer[one] ?? 0) - 0x30;
  return [code, end + 1 - at];
}
