// The vault with its key-encryption key in a token: Debian's SoftHSM, where it and the binding are installed (`apt-get
// install softhsm2`; PKCS11JS names the folder of the package pkcs11js, as .ci/run has it).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StartError } from '../../src/kit/start-error.ts';
import { KeysSealed } from '../../src/vault/keys/provider.ts';
import { type Pkcs11Binding, pkcs11Provider } from '../../src/vault/keys/pkcs11-provider.ts';
import { newFolder } from '../start/child.ts';
import { world } from '../world.ts';
import { chance } from './inside.ts';

const MODULE = '/usr/lib/softhsm/libsofthsm2.so';
const PACKAGE = process.env['PKCS11JS'] ?? 'pkcs11js';
const PIN = '48151623';

function newBinding(): Pkcs11Binding | undefined {
  try {
    const { PKCS11 }: { PKCS11: new () => Pkcs11Binding } = createRequire(import.meta.url)(PACKAGE);
    return new PKCS11();
  } catch {
    return undefined;
  }
}

const there = existsSync(MODULE) && newBinding() !== undefined;

describe.skipIf(!there)('a token of SoftHSM (skipped without softhsm2 and pkcs11js)', () => {
  const folder = newFolder('florin-hsm-');
  mkdirSync(join(folder.path, 'tokens'));
  const conf = join(folder.path, 'softhsm2.conf');
  writeFileSync(
    conf,
    `directories.tokendir = ${join(folder.path, 'tokens')}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  );
  process.env['SOFTHSM2_CONF'] = conf;
  if (there)
    execFileSync('softhsm2-util', ['--init-token', '--free', '--label', 'florin', '--so-pin', PIN, '--pin', PIN], {
      stdio: 'ignore',
    });

  const open = (change: { pin?: string; token?: string; environment?: 'sandbox' | 'production' } = {}) => {
    const binding = newBinding();
    if (!binding) throw new Error('it was there');
    return pkcs11Provider({
      binding,
      module: MODULE,
      token: 'florin',
      pin: PIN,
      environment: 'sandbox',
      chance,
      ...change,
    });
  };

  test('wraps and unwraps inside, bound to its place; a key that was destroyed unwraps nothing', async () => {
    const provider = open();
    const first = provider.newest();
    const plain = chance.bytes(32);
    const wrapped = await provider.wrap(plain, 'here', first);
    expect(await provider.unwrap(wrapped, 'here', first)).toEqual(plain);
    expect(wrapped.includes(plain)).toBe(false);
    await expect(provider.unwrap(wrapped, 'there', first)).rejects.toThrow(/CKR_/);
    wrapped[20] = (wrapped[20] ?? 0) ^ 1;
    await expect(provider.unwrap(wrapped, 'here', first)).rejects.toThrow(/CKR_/);
    wrapped[20] = (wrapped[20] ?? 0) ^ 1;
    const second = await provider.make();
    expect([provider.newest(), await provider.knows(first), await provider.knows(second)]).toEqual([
      second,
      true,
      true,
    ]);
    await expect(provider.unwrap(wrapped, 'here', second)).rejects.toThrow(/CKR_/);
    provider.close();
    const later = open();
    expect([later.newest(), await later.unwrap(wrapped, 'here', first)]).toEqual([second, plain]);
    await later.destroy(first);
    await expect(later.unwrap(wrapped, 'here', first)).rejects.toBeInstanceOf(KeysSealed);
    await later.destroy(first);
    later.close();
  });

  test('a world whose keys are in the token pays, and no key file is made', async () => {
    const pin_file = join(folder.path, 'pin');
    writeFileSync(pin_file, PIN);
    await using w = await world({
      FLORIN_KEY_PROVIDER: 'pkcs11',
      FLORIN_PKCS11_MODULE: MODULE,
      FLORIN_PKCS11_PIN_FILE: pin_file,
      FLORIN_PKCS11_BINDING: PACKAGE,
    });
    expect((await w.shop.pay()).code).toBe('955555');
    const files = readdirSync(w.data_dir, { recursive: true }).map(String);
    expect(files.filter((name) => name.includes('vault-component'))).toEqual([]);
    const [row] = await w.sql<{ ref: string }>(`SELECT kek_ref AS ref FROM vault.key_epoch`);
    expect(row?.ref).toMatch(/^pkcs11:florin-sandbox:[0-9a-f]{24}$/);
  });

  test.each([
    ['a wrong PIN', { pin: '0000' }, /PIN does not open/],
    ['a token that is not there', { token: 'other' }, /no token with the label other/],
    ['no key of production', { environment: 'production' as const }, /no key with the label florin-production/],
  ])('a start is refused with %s', (_, change, says) => {
    expect(() => open(change)).toThrow(says);
    expect(() => open(change)).toThrow(StartError);
  });
});

/** A token that can be pulled out: from then on every call of its maker's module fails. */
function pluggedIn() {
  let is_gone = false;
  let sessions = 0;
  let logins = 0;
  let pin = PIN;
  const keys: Buffer[] = [];
  const device = <T>(answer: () => T) => {
    if (is_gone) throw new Error('CKR_DEVICE_REMOVED:50');
    return answer();
  };
  /** A session ends where the device was gone. */
  const within = <T>(session: Buffer, answer: () => T) =>
    device(() => {
      if (session[0] !== sessions) throw new Error('CKR_SESSION_HANDLE_INVALID:179');
      return answer();
    });
  const logIn = (given: string) => {
    logins++;
    if (given !== pin) throw new Error('CKR_PIN_INCORRECT:160');
  };
  const binding: Pkcs11Binding = {
    load: () => undefined,
    C_Initialize: () => undefined,
    C_Finalize: () => undefined,
    close: () => undefined,
    C_GetSlotList: () => device(() => [Buffer.of(1)]),
    C_GetTokenInfo: () => device(() => ({ label: 'florin'.padEnd(32) })),
    C_OpenSession: () => device(() => Buffer.of(sessions)),
    C_Login: (session, _, given) => within(session, () => logIn(given)),
    C_GetSessionInfo: (session) => within(session, () => ({})),
    C_GenerateKey: (session) => within(session, () => Buffer.of(keys.push(chance.bytes(12)))),
    C_FindObjectsInit: (session) => within(session, () => undefined),
    C_FindObjects: (session) => within(session, () => keys.map((_, at) => Buffer.of(at + 1))),
    C_FindObjectsFinal: (session) => within(session, () => undefined),
    C_GetAttributeValue: (session, object) =>
      within(session, () => keys.slice((object[0] ?? 1) - 1, object[0]).map((value) => ({ type: 0x102, value }))),
    C_DestroyObject: (session) => within(session, () => undefined),
    C_EncryptInit: (session) => within(session, () => undefined),
    C_Encrypt: (session, plain) => within(session, () => Buffer.concat([plain, Buffer.alloc(16)])),
    C_DecryptInit: (session) => within(session, () => undefined),
    C_Decrypt: (session, sealed) => within(session, () => sealed.subarray(0, -16)),
  };
  return {
    binding,
    pullOut: () => void (is_gone = true),
    plugIn: (its_pin = PIN) => {
      is_gone = false;
      sessions++;
      pin = its_pin;
    },
    logins: () => logins,
  };
}

test('a token that is pulled out while the vault runs seals it: each call says so, and none is taken for a fault', async () => {
  const { binding, pullOut } = pluggedIn();
  const provider = pkcs11Provider({ binding, module: 'm', token: 'florin', pin: PIN, environment: 'sandbox', chance });
  const ref = provider.newest();
  const plain = chance.bytes(32);
  const wrapped = await provider.wrap(plain, 'here', ref);
  expect(await provider.unwrap(wrapped, 'here', ref)).toEqual(plain);
  pullOut();
  await expect(provider.wrap(plain, 'here', ref)).rejects.toBeInstanceOf(KeysSealed);
  await expect(provider.unwrap(wrapped, 'here', ref)).rejects.toBeInstanceOf(KeysSealed);
  await expect(provider.knows(ref)).rejects.toBeInstanceOf(KeysSealed);
  await expect(provider.make()).rejects.toBeInstanceOf(KeysSealed);
  await expect(provider.destroy(ref)).rejects.toBeInstanceOf(KeysSealed);
});

const inToken = ({ binding }: ReturnType<typeof pluggedIn>) =>
  pkcs11Provider({ binding, module: 'm', token: 'florin', pin: PIN, environment: 'sandbox', chance });

test('a token that comes back opens the vault again: no restart is needed', async () => {
  const device = pluggedIn();
  const provider = inToken(device);
  const ref = provider.newest();
  const plain = chance.bytes(32);
  const wrapped = await provider.wrap(plain, 'here', ref);
  device.pullOut();
  await expect(provider.unwrap(wrapped, 'here', ref)).rejects.toBeInstanceOf(KeysSealed);
  device.plugIn();
  expect(await provider.unwrap(wrapped, 'here', ref)).toEqual(plain);
  // its sessions may also end while nobody asks it anything
  device.plugIn();
  await expect(provider.knows(ref)).rejects.toBeInstanceOf(KeysSealed);
  expect(await provider.knows(ref)).toBe(true);
});

test('a token that comes back with another PIN is not tried again, so that it does not lock itself', async () => {
  const device = pluggedIn();
  const provider = inToken(device);
  const ref = provider.newest();
  device.pullOut();
  await expect(provider.knows(ref)).rejects.toBeInstanceOf(KeysSealed);
  device.plugIn('another');
  for (let tries = 0; tries < 3; tries++) {
    const sealed: unknown = await provider.knows(ref).catch((error: unknown) => error);
    expect(sealed).toBeInstanceOf(KeysSealed);
    expect(sealed).toMatchObject({ cause: expect.stringContaining('The PIN does not open the token florin') });
  }
  expect(device.logins()).toBe(2);
});
