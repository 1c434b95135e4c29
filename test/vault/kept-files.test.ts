// Files that something in a database stands for stay through a power cut: keys, without which what is sealed with them
// cannot be read, and the tokens of an import.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { systemChance, systemClock } from '../../src/kit/clock.ts';

import { makeFirstKey } from '../../src/payment/secret-key.ts';
import { openTokens } from '../../src/vault/import/output.ts';
import { fileProvider, makeFirstPair } from '../../src/vault/keys/file-provider.ts';
import { newFolder } from '../start/child.ts';

/** What was asked of the disk, in order: only what is `kept` outlasts a power cut. */
const asked = vi.hoisted((): { readonly what: 'written' | 'kept' | 'named' | 'erased'; readonly path: string }[] => []);

/** What goes wrong: so many files find room on the disk; the process is killed when it is about to remove this one. */
const trouble = vi.hoisted((): { room: number; kill_at: string } => ({ room: Infinity, kill_at: '' }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const open = new Map<number, string>();
  return {
    ...fs,
    writeFileSync: (path: string, data: Buffer, options?: { readonly flush?: boolean }) => {
      // a full disk still has room for a name
      if (trouble.room-- <= 0) fs.writeFileSync(path, '', options);
      if (trouble.room < 0) throw new Error('ENOSPC: no space left on device, write');
      fs.writeFileSync(path, data, options);
      asked.push({ what: options?.flush === true ? 'kept' : 'written', path });
    },
    linkSync: (from: string, path: string) => {
      fs.linkSync(from, path);
      asked.push({ what: 'named', path });
    },
    openSync: (path: string, flags: string) => {
      const file = fs.openSync(path, flags);
      open.set(file, path);
      return file;
    },
    fsyncSync: (file: number) => {
      fs.fsyncSync(file);
      asked.push({ what: 'kept', path: open.get(file) ?? '' });
    },
    rmSync: (path: string, options?: object) => {
      if (trouble.kill_at !== '' && path.includes(trouble.kill_at)) throw new Error('killed');
      fs.rmSync(path, options);
      asked.push({ what: 'erased', path });
    },
  };
});
afterEach(() => {
  asked.splice(0);
  Object.assign(trouble, { room: Infinity, kill_at: '' });
});

const chance = systemChance(systemClock());
const wholeBeforeNamed = (path: string) => [
  { what: 'kept', path: `${path}.${process.pid}` },
  { what: 'named', path },
];

test('both components of a new key are on the disk, with their names, before those of the old one are erased', async () => {
  using folder = newFolder();
  const { path } = folder;
  const provider = fileProvider({ folder: path, environment: 'sandbox', chance });
  const old = provider.newest();
  asked.splice(0);
  const made = await provider.make();
  expect(asked.filter(({ what }) => what !== 'erased')).toEqual([
    ...[1, 2].flatMap((part) => wholeBeforeNamed(join(path, `vault-component-${part}.${made}.json`))),
    { what: 'kept', path },
  ]);
  await provider.destroy(old);
  expect(asked.at(-1)).toEqual({ what: 'erased', path: join(path, 'vault-component-2.json.erasing') });
  provider.close();
});

test('a disk that is full between the two components of a new key leaves the vault with the key that it has', async () => {
  using folder = newFolder();
  const options = { folder: folder.path, environment: 'production', chance } as const;
  makeFirstPair(options);
  const running = fileProvider(options);
  trouble.room = 1;
  await expect(running.make()).rejects.toThrow('ENOSPC');
  trouble.room = Infinity;
  const started = fileProvider(options);
  expect(started.newest()).toBe(running.newest());
  const made = await started.make();
  expect([await running.knows(made), running.newest()]).toEqual([true, made]);
});

test.each(['vault-component-1', 'vault-component-2'])(
  'a rotation that is killed while it erases %s of the old key goes on, and nothing of that key is left',
  async (at) => {
    using folder = newFolder();
    const options = { folder: folder.path, environment: 'production', chance } as const;
    makeFirstPair(options);
    const killed = fileProvider(options);
    const old = killed.newest();
    const made = await killed.make();
    trouble.kill_at = `${at}.json`;
    await expect(killed.destroy(old)).rejects.toThrow('killed');
    trouble.kill_at = '';
    const again = fileProvider(options);
    expect(again.newest()).toBe(made);
    await again.destroy(old);
    expect(readdirSync(folder.path).toSorted()).toEqual([1, 2].map((part) => `vault-component-${part}.${made}.json`));
  },
);

test("the money zone's key is on the disk before anything is sealed with it", () => {
  using folder = newFolder();
  const path = makeFirstKey({ data_dir: folder.path, environment: 'production' }, chance);
  expect(asked.filter(({ what }) => what !== 'erased')).toEqual([
    ...wholeBeforeNamed(path),
    { what: 'kept', path: join(folder.path, 'keys') },
  ]);
});

test('the name of a tokens file is on the disk before a card of it is committed', async () => {
  using folder = newFolder();
  const file = await openTokens(join(folder.path, 'tokens.csv'), undefined);
  await file.close();
  expect(asked).toEqual([{ what: 'kept', path: folder.path }]);
});
