// Templates of a line: slots stand where they may, lengths are written here, and what a card went through is
// overwritten.
import { expect, test } from 'vitest';
import { Refused, latin, unpack } from '../../src/provider/send/iso8583/codec.ts';
import { compose, decompose } from '../../src/provider/send/iso8583/composite.ts';
import { DIALECT, PLAIN } from '../../src/provider/send/iso8583/dialect.ts';
import { FrameReader, framed } from '../../src/provider/send/iso8583/frames.ts';
import { type LinePart, bodyOf, lineWire } from '../../src/provider/send/iso8583/wire.ts';
import { scrub } from '../../src/vault/forward/scrub/scrub.ts';

const wire = lineWire(DIALECT);
const slot = (name: string) => ({ slot: name });

/** As a template is given: text, and slots between. */
function template(text: string): LinePart[] {
  return text.split(/<([^>]+)>/).map((part, at) => (at % 2 === 0 ? part : slot(part)));
}

const WHOLE = template(
  '{"0":"0100","2":<number>,"14":{"month":<month>,"year":<year>},"41":<terminal>,"48":{"reference":"r1","security_code":<code?>}}',
);
const VALUES: Readonly<Record<string, string>> = {
  number: '4242424242424242',
  month: '1',
  year: '2034',
  terminal: 'TERM01',
  'code?': '123',
};

test('places are told in the order of the slots, and texts where they stand', () => {
  const read = wire.read(WHOLE);
  expect(read?.places).toEqual(['/2', '/14/month', '/14/year', '/41', '/48/security_code']);
  expect([read?.textAt('/0'), read?.textAt('/48/reference'), read?.textAt('/2')]).toEqual(['0100', 'r1', undefined]);
});

test('the message has its lengths, its blanks and its order, and every value is overwritten', () => {
  const given: Buffer[] = [];
  const bytes = wire.write(WHOLE, (name) => {
    const value = Buffer.from(VALUES[name] ?? '');
    given.push(value);
    return value;
  });
  expect(bytes.toString()).toBe('010040040000008100001642424242424242423401TERM01  0130102r11003123');
  expect(given).toHaveLength(5);
  for (const value of given) expect(value.every((byte) => byte === 0)).toBe(true);
});

test('an optional slot without a value takes its tag along, and the field where nothing else is in it', () => {
  const without = (name: string) => (name === 'code?' ? undefined : Buffer.from(VALUES[name] ?? ''));
  expect(wire.write(WHOLE, without).toString().endsWith('TERM01  0060102r1')).toBe(true);
  const alone = template('{"0":"0100","48":{"security_code":<code?>}}');
  expect(wire.write(alone, without).toString()).toBe('01000000000000000000');
});

test('a body that is no template, or could be two, is not read', () => {
  const bad = [
    '{"2":"1"}',
    '{"0":"0100","2":"1","2":"2"}',
    '{"0":"0100","02":"1"}',
    '{"0":"0100","200":"1"}',
    '{"0":"0100","x":"1"}',
    '{"0":"0100","2":1}',
    '{"0":"0100","2":"1<a>"}',
    '{"0":<a>}',
    '{"0":"0100","2":{"number":<a>}}',
    '{"0":"0100","48":<a>}',
    '{"0":"0100","48":{"security_code":{"a":"b"}}}',
    '{"0":"0100","2":"\ue000slot 0"}',
    '{"0":"0100","2":<a>,"3":"\ue000slot 0"}',
    '["0100"]',
    '{',
  ];
  expect(bad.map((text) => wire.read(template(text)))).toEqual(bad.map(() => undefined));
});

test('a value that does not fit its field is refused, with the field and without the value', () => {
  const withValue = (name: string, value: string) => {
    try {
      return wire.write(WHOLE, (one) => Buffer.from(one === name ? value : (VALUES[one] ?? ''))).toString();
    } catch (error) {
      return error instanceof Refused ? error.message : error;
    }
  };
  expect([
    withValue('number', '4'.repeat(20)),
    withValue('number', '4242x'),
    withValue('terminal', 'TERMINAL9'),
    withValue('month', '123'),
    withValue('code?', '1'.repeat(100)),
  ]).toEqual([
    'not a message: length of field 2',
    'not a message: class of field 2',
    'not a message: length of field 41',
    'not a message: length of field 14',
    'not a message: tags of field 48',
  ]);
});

test('an answer has the same form: signs escaped, unknown tags under their own name', () => {
  const fields = new Map<number, Uint8Array>([
    [39, Buffer.from('00')],
    [43, Buffer.from('a "quoted" \\ place'.padEnd(40))],
    [48, Buffer.from('0102r1ZZ02??')],
    [90, Buffer.from(`0100000122112209050700000123456${'0'.repeat(11)}`)],
  ]);
  const body = bodyOf({ type: '0110', fields }, DIALECT);
  expect(JSON.parse(body.toString())).toEqual({
    0: '0110',
    39: '00',
    43: 'a "quoted" \\ place'.padEnd(40),
    48: { reference: 'r1', ZZ: '??' },
    90: { type: '0100', trace: '000122', sent_at: '1122090507', acquirer: '00000123456', forwarder: '0'.repeat(11) },
  });
  expect(JSON.parse(bodyOf({ type: '0110', fields: new Map([[48, Buffer.alloc(0)]]) }, DIALECT).toString())).toEqual({
    0: '0110',
    48: {},
  });
});

test('tags stand once, in their order, with their exact length', () => {
  const bad = ['01', '0102r', '01021', '0100', '0102r10102r2', '2002r10102r2', '0x02r1', '01-2r1'];
  const reasons = bad.map((text) => {
    try {
      return decompose(48, Buffer.from(text), DIALECT).length;
    } catch (error) {
      return error instanceof Refused ? error.reason : error;
    }
  });
  expect(reasons).toEqual(bad.map(() => 'tags'));
  const text = '0102r1200205AB03xyz';
  const members = decompose(48, Buffer.from(text), DIALECT);
  expect(members.map(({ name, bytes }) => [name, latin(bytes)])).toEqual([
    ['reference', 'r1'],
    ['eci', '05'],
    ['AB', 'xyz'],
  ]);
  expect(compose(48, members, DIALECT).toString()).toBe(text);
});

test('messages are cut out of a stream however it is split; a length that cannot be ends it', () => {
  const messages = ['0100', '0800'].map((type) => Buffer.from(`${type}0000000000000000`));
  const stream = Buffer.concat(messages.map((message) => framed(message)));
  for (let size = 1; size <= stream.length; size++) {
    const reader = new FrameReader(PLAIN.max_bytes);
    const found: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) found.push(...reader.push(stream.subarray(at, at + size)));
    expect(found.map(String)).toEqual(messages.map(String));
    expect(found.map((message) => unpack(message, PLAIN).type)).toEqual(['0100', '0800']);
  }
  expect(() => new FrameReader(100).push(Buffer.from([0, 101]))).toThrow(Refused);
  expect(() => new FrameReader(100).push(Buffer.from([0, 0]))).toThrow(Refused);
});

test('the vault finds the number and the code of a card in what comes back, and the numbers of the message stay', () => {
  const number = Buffer.from('4242424242424242');
  const fields = new Map<number, Uint8Array>([
    [2, number],
    [7, Buffer.from('1123165200')],
    [11, Buffer.from('000123')],
    [37, Buffer.from('26327Q000123')],
    [44, Buffer.from('card 4242424242424242')],
    [48, Buffer.from('1003123')],
  ]);
  const body = bodyOf({ type: '0110', fields }, DIALECT);
  expect(scrub(body, { number, references: ['37'], cvc_names: ['security_code'] })).toBe(0);
  expect(JSON.parse(body.toString())).toEqual({
    0: '0110',
    2: '#'.repeat(16),
    7: '1123165200',
    11: '000123',
    37: '26327Q000123',
    44: `card ${'#'.repeat(16)}`,
    48: { security_code: '###' },
  });
});
