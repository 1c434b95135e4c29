// Files that something in a database stands for stay through a power cut: keys, without which what is sealed with them
// cannot be read, and the tokens of an import.
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { systemChance, systemClock } from '../../src/kit/clock.ts';

import { makeFirstKey } from '../../src/payment/secret-key.ts';
import { openTokens } from '../../src/vault/import/output.ts';
import { fileProvider } from '../../src/vault/keys/file-provider.ts';
import { newFolder } from '../start/child.ts';

/** What was asked of the disk, in order: only what is `kept` outlasts a power cut. */
const asked = vi.hoisted((): { readonly what: 'written' | 'kept' | 'erased'; readonly path: string }[] => []);

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const open = new Map<number, string>();
  return {
    ...fs,
    writeFileSync: (path: string, data: Buffer, options?: { readonly flush?: boolean }) => {
      fs.writeFileSync(path, data, options);
      asked.push({ what: options?.flush === true ? 'kept' : 'written', path });
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
      fs.rmSync(path, options);
      asked.push({ what: 'erased', path });
    },
  };
});
afterEach(() => void asked.splice(0));

const chance = systemChance(systemClock());

test('both components of a new key are on the disk, with their names, before those of the old one are erased', async () => {
  using folder = newFolder();
  const { path } = folder;
  const provider = fileProvider({ folder: path, environment: 'sandbox', chance });
  const old = provider.newest();
  asked.splice(0);
  const made = await provider.make();
  expect(asked).toEqual([
    { what: 'kept', path: join(path, `vault-component-1.${made}.json`) },
    { what: 'kept', path: join(path, `vault-component-2.${made}.json`) },
    { what: 'kept', path },
  ]);
  await provider.destroy(old);
  expect(asked.at(-1)).toEqual({ what: 'erased', path: join(path, 'vault-component-2.json') });
  provider.close();
});

test("the money zone's key is on the disk before anything is sealed with it", () => {
  using folder = newFolder();
  const path = makeFirstKey({ data_dir: folder.path, environment: 'production' }, chance);
  const whole = `${path}.${process.pid}`;
  expect(asked.slice(1)).toEqual([
    { what: 'kept', path: whole },
    { what: 'kept', path: join(folder.path, 'keys') },
    { what: 'erased', path: whole },
  ]);
});

test('the name of a tokens file is on the disk before a card of it is committed', async () => {
  using folder = newFolder();
  const file = await openTokens(join(folder.path, 'tokens.csv'), undefined);
  await file.close();
  expect(asked).toEqual([{ what: 'kept', path: folder.path }]);
});
