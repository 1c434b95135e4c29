// Card numbers in what is shown against a dispute: whatever a file holds, looking through it takes no longer than
// reading it.
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { FileType } from '../../src/core/dispute/evidence.ts';
import { cardNumberIn } from '../../src/payment/dispute/desk/scan.ts';

const CARD = '4242424242424242';

const pdf = (...parts: readonly (string | Buffer)[]) =>
  Buffer.concat(['%PDF-1.4\n', ...parts].map((part) => Buffer.from(part as string)));
const stream = (packed: Buffer, head = '/Filter /FlateDecode') =>
  pdf(`1 0 obj\n<< ${head} >>\nstream\n`, packed, '\nendstream\nendobj\n');

function png(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), head, body, Buffer.alloc(4)]);
}

const problemsOf = (type: FileType, content: Buffer): unknown => {
  try {
    return cardNumberIn(type, content);
  } catch (error) {
    return error;
  }
};
const TOO_MUCH = { extras: { problems: [{ field: 'content', message: expect.stringContaining('more text than') }] } };

test('a file that unpacks to more than can be looked through is refused, however small its parts are', () => {
  const part = deflateSync(Buffer.alloc(3_000_000, 'a'));
  expect(problemsOf('application/pdf', pdf(stream(part), stream(part)))).toBeUndefined();
  expect(problemsOf('application/pdf', pdf(stream(part), stream(part), stream(part)))).toMatchObject(TOO_MUCH);
  // behind so much text nobody looked for a card
  const hidden = deflateSync(Buffer.concat([Buffer.alloc(40_000_000, 'a'), Buffer.from(`(${CARD})`)]));
  expect(problemsOf('application/pdf', stream(hidden))).toMatchObject(TOO_MUCH);
  const text = Buffer.concat([Buffer.from('k\0\0'), hidden]);
  expect(problemsOf('image/png', png('zTXt', text))).toMatchObject(TOO_MUCH);
  // a picture is as large as it is: its dots are no text
  expect(problemsOf('application/pdf', stream(hidden, '/Subtype /Image /Filter /FlateDecode'))).toBeUndefined();
});

test('a card is found whatever stands in the head of its part, and in packed words about a picture', () => {
  const drawn = deflateSync(Buffer.from(`BT (${CARD}) Tj ET`));
  for (const head of ['/Filter /FlateDecode', '/A << /B << /C << /D 1 >> >> >> /Filter /FlateDecode', '/Filter [/Fl]'])
    expect([head, problemsOf('application/pdf', stream(drawn, head))]).toEqual([head, 'in the PDF, in its part 1']);
  const packed = deflateSync(Buffer.from(`<x>${CARD}</x>`));
  const told = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\u0001\0x-default\0\0'), packed]);
  expect(problemsOf('image/png', png('iTXt', told))).toBe('in what the picture says of itself');
  const comment = Buffer.concat([Buffer.from('xyz\0\0'), packed]);
  expect(problemsOf('image/png', png('zTXt', comment))).toBe('in what the picture says of itself');
});

test('brackets, dictionaries and digits that never end are looked through in one go', () => {
  // each took minutes when every beginning was tried to the end
  for (const text of ['><<a', '\\(', '(', '<4', 'stream\n', '4 ', 'ET '])
    expect([text, problemsOf('application/pdf', pdf('(', text.repeat(600_000 / text.length)))]).toEqual([
      text,
      undefined,
    ]);
});

test('lists of filters that never end are looked through in one go, too', () => {
  const busy_us = (name: string) => {
    const head = `${name}[`.repeat(500);
    const file = pdf(...Array.from({ length: 500 }, () => `${head}stream\nx\nendstream`));
    const before = process.cpuUsage();
    expect(problemsOf('application/pdf', file)).toBeUndefined();
    return process.cpuUsage(before).user;
  };
  // it was twenty times as long when each beginning was tried to the end
  expect(busy_us('/Filter')).toBeLessThan(6 * busy_us('/Fitter'));
});

/** As ReportLab and older printers write it: letters only. */
function ascii85(bytes: Buffer): string {
  const groups = Array.from({ length: Math.ceil(bytes.length / 4) }, (_, i) => bytes.subarray(i * 4, i * 4 + 4));
  const letters = groups.map((group) => {
    let value = Buffer.concat([group, Buffer.alloc(4 - group.length)]).readUInt32BE(0);
    if (value === 0 && group.length === 4) return 'z';
    const five = Array.from({ length: 5 }, () => {
      const letter = String.fromCodePoint(33 + (value % 85));
      value = Math.floor(value / 85);
      return letter;
    });
    return five
      .toReversed()
      .join('')
      .slice(0, group.length + 1);
  });
  return `${letters.join('').replace(/.{70}/g, '$&\n')}~>`;
}

test('a card is found in parts that are written in letters before they are packed', () => {
  const drawn = Buffer.from(`BT (${CARD}) Tj ET`.padStart(400));
  for (const [filters, body] of [
    ['[/ASCII85Decode /FlateDecode]', ascii85(deflateSync(drawn))],
    ['[ /A85 /Fl ]', ascii85(deflateSync(drawn))],
    ['/ASCII85Decode', ascii85(drawn)],
    ['/ASCIIHexDecode', `${drawn.toString('hex').replace(/.{60}/g, '$&\n')}>`],
    ['[/AHx /Fl]', `${deflateSync(drawn).toString('hex')}>`],
  ] as const)
    expect([filters, problemsOf('application/pdf', stream(Buffer.from(body), `/Filter ${filters}`))]).toEqual([
      filters,
      'in the PDF, in its part 1',
    ]);
  // no more is unpacked than of other parts, and what is broken is looked at as it is
  const bomb = Buffer.from(ascii85(deflateSync(Buffer.alloc(9_000_000, 'a'))));
  expect(problemsOf('application/pdf', stream(bomb, '/Filter [/ASCII85Decode /FlateDecode]'))).toMatchObject(TOO_MUCH);
  for (const broken of ['~>', 'zz!', '{}|', '"'])
    expect(problemsOf('application/pdf', stream(Buffer.from(broken), '/Filter /ASCII85Decode'))).toBeUndefined();
});

/** Each sign as a code of nine bits, and the table begun anew before a code would take ten (ISO 32000-1, 7.4.4). */
function lzw(text: string): Buffer {
  const codes = [...text].flatMap((sign, i) => (i % 200 === 0 ? [256, sign.charCodeAt(0)] : [sign.charCodeAt(0)]));
  const bits = [...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join('');
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}
const unread = (why: string) => ({
  extras: { problems: [{ field: 'content', message: expect.stringContaining(why) }] },
});

test('a PDF that cannot be looked through is refused with what is in the way, not taken unread', () => {
  const drawn = `BT (${CARD}) Tj ET`;
  for (const filter of ['/LZWDecode', '[/ASCII85Decode /LZWDecode]', '/RunLengthDecode', '[ /Crypt /FlateDecode ]'])
    expect(problemsOf('application/pdf', stream(lzw(drawn), `/Filter ${filter}`))).toMatchObject(unread('is packed'));
  // a picture is packed as it likes
  const picture = stream(lzw(drawn), '/Subtype /Image /Filter /LZWDecode');
  expect(problemsOf('application/pdf', picture)).toBeUndefined();
  const sealed = stream(Buffer.from('5e1f0c77a0b2', 'hex'), '/Length 6');
  for (const end of ['trailer << /Root 1 0 R /Encrypt 5 0 R >>', '<< /Encrypt<< /Filter /Standard >> >>'])
    expect(problemsOf('application/pdf', pdf(sealed, end))).toMatchObject(unread('is encrypted'));
  expect(problemsOf('application/pdf', pdf(sealed, '<< /EncryptMetadata false >> (on /Encrypt)'))).toBeUndefined();
});

test('a card is found in texts of a PDF that are written by the numbers of their signs, or in two bytes each', () => {
  const octal = (bytes: Buffer) => [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  const wide = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(CARD, 'utf16le').swap16()]);
  const title = 'in what the PDF says of itself, such as its title';
  for (const text of [
    octal(Buffer.from(CARD)),
    octal(wide),
    `\\376\\377${[...CARD].map((one) => `\\000${one}`).join('')}`,
  ])
    expect([text, problemsOf('application/pdf', pdf(`1 0 obj << /Title (${text}) >> endobj`))]).toEqual([text, title]);
  expect(problemsOf('application/pdf', pdf('<< /Title (', wide, ') >>'))).toBe(title);
  expect(problemsOf('application/pdf', pdf(`<< /Title (42424242\\\n42424242) >>`))).toBe(title);
});

test('a card is found in what Windows lets people write about a photograph', () => {
  for (const comment of [Buffer.from(CARD, 'utf16le'), Buffer.from(CARD, 'utf16le').swap16()])
    expect(problemsOf('image/jpeg', Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), comment, Buffer.from('ff')]))).toBe(
      'in what the picture says of itself',
    );
});
