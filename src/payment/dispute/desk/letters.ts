// Parts of a PDF that are written in letters alone (ISO 32000-1, 7.4.2 and 7.4.3), as bytes again.

const HEX = /\/(?:ASCIIHexDecode|AHx)\b/;
const ASCII85 = /\/(?:ASCII85Decode|A85)\b/;

/** The bytes of a part, by its head; a part that is not written in letters is given back as it is. */
export function fromLetters(head: string, body: Buffer): Buffer {
  if (ASCII85.test(head)) return fromAscii85(body);
  if (HEX.test(head)) return Buffer.from(body.toString('latin1').replace(/[^0-9A-Fa-f]/g, ''), 'hex');
  return body;
}

const [FIRST, LAST, ZEROS, END] = [0x21, 0x75, 0x7a, 0x7e];

/** Up to its end mark. Other signs, such as line ends, are passed over; so nothing is refused here. */
function fromAscii85(body: Buffer): Buffer {
  // a single sign may stand for four bytes
  const bytes = Buffer.alloc(body.length * 4 + 4);
  let size = 0;
  let value = 0;
  let signs = 0;
  const put = () => {
    bytes.writeUInt32BE(value % 2 ** 32, size);
    size += 4;
    value = 0;
    signs = 0;
  };
  for (const sign of body) {
    if (sign === END) break;
    if (sign === ZEROS && signs === 0) put();
    if (sign < FIRST || sign > LAST) continue;
    value = value * 85 + sign - FIRST;
    signs += 1;
    if (signs === 5) put();
  }
  if (signs < 2) return bytes.subarray(0, size);
  // the last group is filled up with the highest sign, and has one byte less than signs
  const missing = 5 - signs;
  for (let i = 0; i < missing; i++) value = value * 85 + LAST - FIRST;
  put();
  return bytes.subarray(0, size - missing);
}
