// The scanner is tested first: what it does not find cannot be said not to be there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { luhn } from '../../src/core/card.ts';
import { FORMS, canary, codeCanary } from './forms.ts';
import { type Wanted, cardsIn, searchBytes, searchFolder, searchMemory } from './scanner.ts';

const folder = mkdtempSync(join(tmpdir(), 'florin-scan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FRAGMENT = '"cvc":"739"';
const numbers = Array.from({ length: 10_000 }, (_, n) => canary(n));
const wanted: Wanted = { numbers: new Set(numbers), fragments: [FRAGMENT] };

test('canaries are valid card numbers, and no two are the same', () => {
  expect(wanted.numbers.size).toBe(10_000);
  expect(numbers.every((number) => luhn(Buffer.from(number)) && number.length === 16)).toBe(true);
});

test('the scanner finds no card where there is none', () => {
  const other = '4242424242424242 4499377199999999 "cvc":"738" 44993771';
  expect(searchBytes(Buffer.from(other), wanted, 'here')).toEqual([]);
});

describe.each(FORMS.map((form) => [form.name, form] as const))('a number as %s', (name, form) => {
  test.each([0, 1, 4711, 9999])('is found and named, canary %i', (n) => {
    const planted = Buffer.concat([Buffer.from('some text;'), form.write(canary(n)), Buffer.from(';and more')]);
    const found = searchBytes(planted, wanted, 'here');
    expect(found.map((hit) => [hit.place, hit.form, hit.what])).toEqual([['here', name, 'number']]);
  });

  test('is found in a file, also where two pieces of it meet', () => {
    const path = join(folder, `planted-${name.replace(/\W+/g, '-')}`);
    const bytes = Buffer.alloc(9 * 1024 * 1024, '.');
    const piece = 4 * 1024 * 1024;
    const places = [0, piece - 90, piece - 80, piece - 20, piece - 1, piece, 2 * piece - 100, bytes.length - 100];
    const room = Math.max(40, form.write(canary(7)).length);
    const overlapping = places.filter((place, i) => i === 0 || place - (places[i - 1] ?? 0) >= room);
    for (const place of overlapping) form.write(canary(7)).copy(bytes, place);
    writeFileSync(path, bytes);
    const { hits } = searchFolder(folder, wanted, (file) => file !== path);
    expect(hits.map((hit) => [hit.form, hit.place])).toEqual(overlapping.map(() => [name, path]));
  });
});

test('canaries that are declined are found as well', () => {
  const number = codeCanary('420188');
  expect(luhn(Buffer.from(number))).toBe(true);
  const both = { ...wanted, numbers: new Set([number]) };
  expect(searchBytes(Buffer.from(`x${number}x`), both, 'here').map((hit) => hit.form)).toEqual(['ASCII']);
});

test('any card is seen in a text, canary or not, and other digits are not', () => {
  const cards = ['4242424242424242', '5555 5555 5555 4444', '3782-822463-10005'];
  const others = ['4242424242424241', '66bf18d25d1c9a0e47b2f317', '20261121084443123', 'a4242424242424242'];
  expect(cardsIn([...cards, ...others].join(';'))).toEqual(cards.slice(0, 2));
});

test('a fragment of a request is found as text, UTF-16, hex and base64', () => {
  const bytes = Buffer.from(`{"a":1,${FRAGMENT},"b":2}`);
  const spellings = [bytes, Buffer.from(bytes.toString(), 'utf16le'), Buffer.from(bytes.toString('hex'))];
  const encoded = [0, 1, 2].map((n) => Buffer.from(Buffer.from(' '.repeat(n) + bytes.toString()).toString('base64')));
  for (const planted of [...spellings, ...encoded])
    expect(searchBytes(planted, wanted, 'here').map((hit) => hit.what)).toEqual(['fragment']);
});

test('the scanner finds in the memory of another process what that holds, in every form', async () => {
  // the number is put together there: it is in no command line
  const program = `
    const chunks = [];
    process.stdin.on('data', (chunk) => { chunks.push(chunk); process.stdout.write('held\\n'); });
    process.stdin.on('end', () => process.exit(chunks.length ? 0 : 1));`;
  const holder = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const pid = holder.pid ?? 0;
  expect(searchMemory(pid, wanted).hits).toEqual([]);
  for (const form of FORMS) {
    const held = once(holder.stdout, 'data');
    holder.stdin.write(form.write(canary(12)));
    await held;
  }
  const { hits, bytes } = searchMemory(pid, wanted);
  expect(new Set(hits.map((hit) => hit.form))).toEqual(new Set(FORMS.map((form) => form.name)));
  expect(hits[0]?.place).toContain(`memory of ${pid}`);
  expect(bytes).toBeGreaterThan(1_000_000);
  const ended = once(holder, 'exit');
  holder.stdin.end();
  await ended;
});
