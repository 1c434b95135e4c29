// The library under Deno and Bun, against a real Florin: each a binary of about 100 MB out of npm, put into a temporary
// folder. Skipped with a word where it cannot be had. FLORIN_TEST_RUNTIMES names a folder in which both are installed
// already.
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSecret, signatureHeaders } from '../../../src/payment/notification/sign.ts';
import { type World, world } from '../../world.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGES = ['@deno/linux-x64-glibc@2.9.6', '@oven/bun-linux-x64@1.4.5'];
const given = process.env['FLORIN_TEST_RUNTIMES'];
const folder = mkdtempSync(join(tmpdir(), 'florin-runtimes-'));
const home = given ?? folder;
if (given === undefined && process.platform === 'linux' && process.arch === 'x64') {
  const wanted = ['i', '--prefix', folder, '--no-save', '--loglevel=error', '--no-fund', '--no-audit', ...PACKAGES];
  spawnSync('npm', wanted, { timeout: 240_000 });
}
const RUNTIMES = {
  Deno: [
    join(home, 'node_modules/@deno/linux-x64-glibc/deno'),
    'run',
    '--allow-net=127.0.0.1',
    '--no-lock',
    '--no-config',
  ],
  Bun: [join(home, 'node_modules/@oven/bun-linux-x64/bin/bun'), 'run'],
  Node: [process.execPath],
} as const;

const PROGRAM = `
import { Florin, toMinorUnits } from './dist/florin.js';
import { openVault } from './dist/vault.js';
import { verify } from './dist/notifications.js';
const { base_url, vault_url, keys, card, signed, secret, body, now } = GIVEN;
const florin = new Florin({ base_url, key: keys.private_key });
const vault = openVault({ vault_url, key: keys.public_key });
const pay = async (card_number) => {
  const { token } = await vault.tokenize({ ...card, card_number });
  const sale = { operation_type: 'direct_capture', amount: '42.50', currency: 'EUR', order_merchant_id: 'r-' + Math.random() };
  return florin.orders.create({ ...sale, token }, { wait_seconds: 10 });
};
const paid = await pay(card.card_number);
const refund = await florin.orders.refund(paid.order_id, { amount: '1.00' });
const declined = await pay('4000000000009995');
const gone = await florin.orders.read('0'.repeat(24)).catch((error) => error.name + ' ' + error.status);
let rows = 0;
for await (const order of florin.orders.list({ limit: 1 })) rows += order.order_id ? 1 : 0;
const { event } = await verify({ body, headers: signed, secrets: secret, now });
const away = new Florin({ base_url: 'http://127.0.0.1:9', key: keys.private_key, defaults: { attempts: 1 } });
const doubt = await away.orders.create({ token: 'x' });
console.log(JSON.stringify([paid.kind, String(toMinorUnits(paid.order.order_amount, 'EUR')), refund.kind, declined.reason, gone, rows > 1, event, doubt.kind]));
`;

let w: World;
beforeAll(async () => {
  w = await world();
  const build = ['tool', 'tsc', '-p', 'client/build.tsconfig.json', '--outDir', join(folder, 'dist')];
  await promisify(execFile)(process.execPath, ['bin/florin.mjs', ...build], { cwd: ROOT });
  cpSync(join(ROOT, 'client/package.json'), join(folder, 'package.json'));
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test.for(Object.entries(RUNTIMES))(
  '%s pays, refunds, reads, lists, verifies and doubts',
  async ([name, runtime], { skip }) => {
    const [binary, ...flags] = runtime;
    skip(!existsSync(binary), `${name} could not be had from npm on this machine`);
    const secret = makeSecret(new Uint8Array(32));
    const body = '{"event":"test"}';
    const given_to_it = {
      ...w.service.addresses,
      keys: w.keys,
      card: { card_number: '4242424242424242', card_validity_month: '12', card_validity_year: '2034', cvc: '123' },
      signed: signatureHeaders('florin', [secret], { id: 'a', timestamp: '1700000000', body }),
      secret,
      body,
      now: 1_700_000_000,
    };
    const program = join(folder, `${name}.mjs`);
    writeFileSync(program, PROGRAM.replace('GIVEN', JSON.stringify(given_to_it)));
    const { stdout } = await promisify(execFile)(binary, [...flags, program], { cwd: folder, timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual([
      'approved',
      '4250',
      'done',
      'funds_insufficient',
      'FlorinRefusal 404',
      true,
      'test',
      'in_doubt',
    ]);
  },
);
