// Our tables and messages against the schemas of the standard (shared/data/providers/emv3ds): what we write is valid,
// and what we read we take and refuse exactly as they do.
import { existsSync, readFileSync } from 'node:fs';
import { type Schema, Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CURRENCY_NUMBERS } from '../../../src/core/three-ds/currency-numbers.ts';
import { CURRENCIES } from '../../../src/core/money.ts';
import { AREQS, CREQ, findWrong } from '../../../src/sandbox/three-ds/fields.ts';
import { numberOf } from '../../providers/client.ts';
import { type SimulatorProcess, startProcess } from '../../providers/wire.ts';
import { controlOf } from '../control.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { type Said, areqOf, askingOf, creqOf, readBase64Url } from './asking.ts';

const FOLDER = new URL('../../../../shared/data/providers/emv3ds/', import.meta.url);
const is_here = existsSync(FOLDER);
const ajv = new Ajv2020({ strict: false, allErrors: false });
formats.default(ajv);
const schemaOf = (name: string): Schema & { properties: Record<string, Said>; required: string[] } =>
  JSON.parse(readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8'));
const valid = (name: string) => {
  const check = ajv.getSchema(name) ?? ajv.addSchema(schemaOf(name), name).getSchema(name);
  return (message: unknown): boolean => check?.(message) === true;
};

test('every currency has its number, and no number stands for two', () => {
  expect([...CURRENCY_NUMBERS.keys()].toSorted()).toEqual([...CURRENCIES.keys()].toSorted());
  expect(new Set(CURRENCY_NUMBERS.values()).size).toBe(CURRENCY_NUMBERS.size);
  for (const number of CURRENCY_NUMBERS.values()) expect(number).toMatch(/^\d{3}$/);
  expect(['EUR', 'JPY', 'USD'].map((code) => CURRENCY_NUMBERS.get(code))).toEqual(['978', '392', '840']);
});

describe.skipIf(!is_here)('what is read (skipped without the specification)', () => {
  /** Values that some form or other does not take. */
  const ODD: readonly unknown[] = [
    '',
    ' ',
    '0',
    '00',
    '01',
    '1',
    'Y',
    'N',
    'U',
    'X',
    'é',
    '🙂',
    '-',
    '+1',
    '-840',
    '10000',
    '24',
    '30',
    '1.5',
    '1'.repeat(12),
    '1'.repeat(14),
    '1'.repeat(20),
    '4242424242424242 ',
    'https://a',
    'https://a b',
    'a',
    '//x',
    '0a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d',
    '0A1B2C3D-4E5F-4A6B-8C7D-0E1F2A3B4C5D',
    '2.1.0',
    '2.2.0',
    '2.3.1',
    0,
    1,
    840,
    -1,
    1.5,
    true,
    false,
    null,
    [],
    ['01'],
    {},
    { a: 1 },
  ];
  const LENGTHS = [
    1, 2, 3, 4, 5, 8, 9, 11, 12, 16, 17, 32, 33, 35, 36, 40, 41, 45, 46, 48, 49, 50, 51, 64, 65, 254, 255,
  ];
  const LONG = [256, 257, 2048, 2049, 64_000, 64_001];
  const texts = [...LENGTHS, ...LONG].flatMap((length) => ['9', 'a', '🙂'].map((char) => char.repeat(length)));
  const addresses = [255, 256, 257, 2047, 2048, 2049].map((length) => `https://a.example/${'x'.repeat(length - 18)}`);
  const twoDigits = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'));

  function* mutantsOf(message: Said, names: readonly string[]): Generator<readonly [string, Said]> {
    for (const name of names) {
      const { [name]: _gone, ...without } = message;
      yield [`${name} missing`, without];
      for (const value of [...ODD, ...texts, ...addresses, ...twoDigits])
        yield [`${name} ${String(value).slice(0, 40)} (${String(value).length})`, { ...message, [name]: value }];
    }
  }

  function differences(table: Parameters<typeof findWrong>[1], name: string, message: Said) {
    const check = valid(name);
    expect([check(message), findWrong(message, table)]).toEqual([true, undefined]);
    const names = [...new Set([...Object.keys(schemaOf(name).properties), ...Object.keys(table.fields)])];
    const found: string[] = [];
    const counts = { taken: 0, refused: 0 };
    for (const [what, mutant] of mutantsOf(message, names)) {
      const is_taken = check(mutant);
      counts[is_taken ? 'taken' : 'refused'] += 1;
      if ((findWrong(mutant, table) === undefined) !== is_taken)
        found.push(`${what}: the schema ${is_taken ? 'takes' : 'refuses'} it`);
    }
    return { found, counts };
  }

  test.each(['2.2.0', '2.3.1'] as const)('an AReq of %s is taken and refused alike, element by element', (version) => {
    const { found, counts } = differences(AREQS[version], `AReq-${version}`, areqOf(version));
    expect(found).toEqual([]);
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(1_000);
    const { properties, required } = schemaOf(`AReq-${version}`);
    expect(Object.keys(AREQS[version].fields).toSorted()).toEqual(Object.keys(properties).toSorted());
    expect([...AREQS[version].required].toSorted()).toEqual(required.toSorted());
  });

  test('a browser without a script, and messages that are not about a purchase, alike', () => {
    const quiet = { browserJavascriptEnabled: false, browserColorDepth: undefined, browserTZ: undefined };
    const plain = (given: Said): Said => JSON.parse(JSON.stringify(areqOf('2.2.0', given)));
    for (const message of [plain(quiet), plain({ messageCategory: '02', purchaseAmount: undefined })]) {
      const { found } = differences(AREQS['2.2.0'], 'AReq-2.2.0', message);
      expect(found).toEqual([]);
    }
    const newer: Said = JSON.parse(JSON.stringify(areqOf('2.3.1', { ...quiet, browserLanguage: undefined })));
    expect(differences(AREQS['2.3.1'], 'AReq-2.3.1', newer).found).toEqual([]);
    const scripted: Said = JSON.parse(JSON.stringify(areqOf('2.3.1', { browserLanguage: undefined })));
    expect([valid('AReq-2.3.1')(scripted), findWrong(scripted, AREQS['2.3.1'])]).toEqual([
      false,
      { code: '201', element: 'browserLanguage' },
    ]);
  });

  test('a CReq, alike', () => {
    const ids = { acsTransID: '0a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d' };
    const message = creqOf({ ...ids, threeDSServerTransID: ids.acsTransID, messageVersion: '2.2.0' });
    const { found, counts } = differences(CREQ, 'CReq-2.2.0', message);
    expect(found).toEqual([]);
    expect(counts.refused).toBeGreaterThan(500);
  });
});

describe.skipIf(!is_here)('what is written (skipped without the specification)', () => {
  let bank: SimulatorProcess;
  let receiver: Receiver;
  beforeAll(async () => {
    bank = await startProcess();
    receiver = await startReceiver();
    await control.set({ receiver: { url: receiver.url, secret: receiver.secret } });
  });
  afterAll(async () => {
    await bank.stop();
    await receiver[Symbol.asyncDispose]();
  });
  const { asks, presses, results, types } = askingOf(() => bank.url);
  const { control } = controlOf(() => bank.url);

  const ALWAYS = ['4000009907000049', '4000009907000031', ...['320088', '320310', '341000', '361000'].map(numberOf)];
  /** Numbers of both versions end in as many ways. */
  const NUMBERS: Readonly<Record<string, readonly string[]>> = {
    '2.2.0': ['4242424242424242', '5555555555554444', '4000002760003184', ...ALWAYS],
    '2.3.1': ['4111111111111111', '5454545454545454', '4000000000003220', ...ALWAYS],
  };

  test.each(['2.2.0', '2.3.1'])('every message of version %s is valid', async (version) => {
    const failing: unknown[] = [];
    const check = (name: string, message: unknown) => {
      if (!valid(`${name}-${version}`)(message)) failing.push([name, message]);
    };
    for (const number of NUMBERS[version] ?? []) check('ARes', await asks({ number, version }));
    for (const areq of [{ mcc: '1' }, { purchaseCurrency: '000' }, { threeDSServerTransID: 'x' }]) {
      const erro = await asks({ number: '4111111111111111', version, areq });
      check('Erro', erro);
      expect(erro['messageType']).toBe('Erro');
    }
    for (const code of ['1234', '7777', '1111', '2222', '3333', 'cancel']) {
      const ares = await asks({ number: '4000000000003220', version });
      const page = code === 'cancel' ? await presses(ares, code) : await types(ares, code);
      check('CRes', readBase64Url(page.back['cres']));
      check('RReq', receiver.messages.at(-1)?.['rreq']);
      check('RReq', (await results(ares['threeDSServerTransID'])).said['rreq']);
    }
    expect(failing).toEqual([]);
    expect(valid(`RReq-${version}`)({ ...receiver.messages.at(-1), rreq: undefined })).toBe(false);
  });
});
