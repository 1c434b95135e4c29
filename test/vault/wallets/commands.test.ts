// The commands for wallets beside a running sandbox: keys of an account, kept sealed and used from then on; a payload
// to try.
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { walletKeysCommand } from '../../../src/commands/wallet/wallet-keys.ts';
import { walletPayloadCommand } from '../../../src/commands/wallet/wallet-payload.ts';
import { StartError } from '../../../src/kit/start-error.ts';
import { demoKey } from '../../../src/vault/wallet/sandbox/demo-keys.ts';
import { makeGooglePayload } from '../../../src/vault/wallet/sandbox/google-payload.ts';
import { type Reply, textAt, until } from '../../client.ts';
import { type World, world } from '../../world.ts';
import { numberOf, settingsOf } from '../inside.ts';
import { GOOGLE_MESSAGE } from './payloads.ts';

let w: World;
beforeAll(async () => {
  w = await world();
  const { base_url, vault_url } = w.service.addresses;
  const settings = {
    ...settingsOf(w),
    FLORIN_BASE_URL: base_url,
    FLORIN_VAULT_URL: vault_url,
    FLORIN_DATABASE_DURABLE: 'unchecked',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await w[Symbol.asyncDispose]();
});

/** What a command prints. */
async function florin(
  command: (args: readonly string[]) => Promise<void>,
  ...args: readonly string[]
): Promise<string> {
  const lines: string[] = [];
  const says = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    await command(args);
    return lines.join('\n');
  } finally {
    says.mockRestore();
  }
}

const send = (body: string): Promise<Reply> => w.shop.vault('/token', { body });

test('a payload to try is taken, and pays an order of the amount it says', async () => {
  for (const wallet of ['google_pay', 'apple_pay']) {
    const made = await send(await florin(walletPayloadCommand, wallet, '--amount', '7.10', '--currency', 'USD'));
    expect([made.status, made.at('token_kind')]).toEqual([200, wallet]);
    const order = { operation_type: 'authorize', amount: '7.10', currency: 'USD', order_merchant_id: wallet };
    const paid = await w.shop.order({ token: textAt(made, 'token'), ...order }, { prefer: 'wait=10' });
    expect(paid.code).toBe('944444');
  }
});

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

/** As Google would make it for this merchant, with the sandbox's own signatures. */
const forMe = () =>
  makeGooglePayload(
    JSON.stringify({
      ...GOOGLE_MESSAGE,
      messageId: String(Math.random()),
      messageExpiration: String(Date.now() + 60_000),
      paymentMethodDetails: { ...GOOGLE_MESSAGE.paymentMethodDetails, pan: numberOf(7) },
    }),
    {
      root: demoKey('google root'),
      intermediate: demoKey('google intermediate'),
      intermediate_ends: new Date(Date.now() + 60_000),
      to: createPublicKey(privateKey),
      recipient_id: 'merchant:77',
    },
  );
const sendMine = () => send(JSON.stringify({ token_kind: 'google_pay', wallet_payload: forMe() }));

test('keys that an account sets are the ones its payloads are opened with, and stand nowhere in clear', async () => {
  expect((await sendMine()).text).toContain('is not signed by the wallet for this merchant');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const file = join(w.data_dir, 'google.pem');
  writeFileSync(file, pem);
  const merchant = w.account;
  const told = await florin(
    walletKeysCommand,
    'google_pay',
    '--merchant',
    merchant,
    '--name',
    'merchant:77',
    '--key',
    file,
  );
  expect(told).toContain('google_pay of');
  await until(async () => ((await sendMine()).status === 200 ? true : undefined));
  // the sandbox's own merchant is nobody here any more
  expect((await send(await florin(walletPayloadCommand, 'google_pay'))).status).toBe(400);
  const rows = await w.sql<{ row: string }>(`SELECT c::text AS row FROM vault.contracts c`);
  const text = rows.map(({ row }) => row).join('\n');
  expect([text.includes(Buffer.from('PRIVATE KEY').toString('hex')), text.length > 100]).toEqual([false, true]);
  const audit = await w.sql<{ n: string }>(
    `SELECT count(*) AS n FROM vault.audit WHERE action = 'contract credentials set'`,
  );
  expect(Number(audit[0]?.n)).toBe(1);
});

test.each([
  [['visa'], /Name google_pay, apple_pay or apple_pay_identity/],
  [['google_pay', '--merchant', 'x'], /24 hex digits/],
  [['apple_pay', '--merchant', 'a'.repeat(24), '--key', 'nowhere', '--name', 'merchant.x'], /cannot be read/],
])('wallet-keys %j says what is wrong', async (args, words) => {
  const failed = await florin(walletKeysCommand, ...args).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(StartError);
  expect(String(failed)).toMatch(words);
});

test.each([
  [['visa']],
  [['apple_pay', '--card-only']],
  [['google_pay', '--amount', '1.234']],
  [['google_pay', '--card', '1']],
])('wallet-payload %j says what is wrong', async (args) => {
  expect(await florin(walletPayloadCommand, ...args).catch((error: unknown) => error)).toBeInstanceOf(StartError);
});
