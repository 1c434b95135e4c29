// The key-encryption key in two component files. Each component is a full-length 256-bit value, and the key is both
// combined by XOR in memory: one alone says nothing (PCI DSS 3.6.1.2, 3.7.6). A sandbox makes them at its first start;
// production never does by itself.
import { chmodSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Chance } from '../../kit/clock.ts';
import { deriveKey, open, seal, sha256 } from '../../kit/crypto.ts';
import { keepNames, makeFolder, writeKept } from '../../kit/kept-file.ts';
import { StartError, whyNot } from '../../kit/start-error.ts';
import { type KeyProvider, KeysSealed } from './provider.ts';

type Options = {
  readonly folder: string;
  readonly environment: 'sandbox' | 'production';
  readonly chance: Chance;
};
type Pair = { readonly ref: string; readonly key: Buffer; readonly paths: readonly string[] };
type Component = { readonly environment: string; readonly id: string; readonly check: string; readonly bytes: Buffer };

const NAME = /^vault-component-([12])(\.[0-9a-f]{24})?\.json$/;
/** What a component is called while it is erased: it counts as none any more. */
const ERASING = '.erasing';
const pathsOf = (folder: string, id?: string) =>
  [1, 2].map((part) => join(folder, `vault-component-${part}${id === undefined ? '' : `.${id}`}.json`));

/**
 * Reads every pair of components. StartError: none is complete, one is of the other environment, or one was changed.
 */
export function fileProvider(options: Options): KeyProvider {
  const { folder, environment, chance } = options;
  const pairs = new Map<string, Pair>();
  const look = () => {
    for (const pair of [...pairs.values()].filter(({ paths }) => !paths.every((path) => existsSync(path)))) {
      pair.key.fill(0);
      pairs.delete(pair.ref);
    }
    for (const paths of pairsIn(folder)) if (!isKnown(pairs, paths)) add(pairs, readPair(paths, options));
  };
  if (pairsIn(folder).length === 0) {
    const [first, second] = pathsOf(folder);
    const there = [first, second].filter((path) => path !== undefined && existsSync(path)).length;
    if (there > 0 || environment === 'production') throw missing(folder, 2 - there);
    makePair(pathsOf(folder), chance.id(), options);
  }
  look();
  const pairOf = (ref: string): Pair => {
    if (!pairs.has(ref)) look();
    const pair = pairs.get(ref);
    if (!pair) throw new KeysSealed(`the key files of ${ref} are not in ${folder}`);
    return pair;
  };
  return {
    name: 'file',
    newest: () => [...pairs.keys()].toSorted().at(-1) ?? '',
    knows: async (ref) => {
      look();
      return pairs.has(ref);
    },
    wrap: async (plain, aad, ref) => seal(plain, chance.bytes(12), { key: pairOf(ref).key, aad }),
    unwrap: async (wrapped, aad, ref) => open(wrapped, { key: pairOf(ref).key, aad }),
    make: async () => {
      const id = chance.id();
      makePair(pathsOf(folder, id), id, options);
      look();
      return id;
    },
    destroy: async (ref) => {
      look();
      for (const path of componentsOf(folder, ref)) erase(path);
      pairs.get(ref)?.key.fill(0);
      pairs.delete(ref);
    },
    close: () => {
      for (const { key } of pairs.values()) key.fill(0);
      pairs.clear();
    },
  };
}

/**
 * The keys whose two parts are in a folder; it makes none. StartError: one was changed, or is of the other environment.
 */
export function refsIn(options: Omit<Options, 'chance'>): readonly string[] {
  return pairsIn(options.folder).map((paths) => {
    const { ref, key } = readPair(paths, options);
    key.fill(0);
    return ref;
  });
}

/** Makes the first pair: what `florin make-keys` does in production. StartError when there is one already. */
export function makeFirstPair(options: Options): readonly string[] {
  const paths = pathsOf(options.folder);
  const absent = paths.filter((path) => !existsSync(path));
  if (absent.length === 1)
    throw new StartError(
      `One of two key files is there, and ${absent.join()} is not there. Put it back from its backup. If this key was never used, and this command was ended early, remove the other one and run it again.`,
    );
  if (absent.length === 0 || pairsIn(options.folder).length > 0)
    throw new StartError(
      `There are key files in ${options.folder} already. New ones are made by florin rotate-keys kek.`,
    );
  makePair(paths, options.chance.id(), options);
  return paths;
}

/** Complete pairs only: a half one is what a rotation that was killed left behind, and nothing was sealed with it. */
function pairsIn(folder: string): readonly (readonly string[])[] {
  const names = namesIn(folder);
  const ids = new Set(names.flatMap((name) => NAME.exec(name)?.slice(2) ?? []));
  return [...ids]
    .map((dotted: string | undefined) => pathsOf(folder, dotted?.slice(1)))
    .filter((paths) => paths.every((path) => existsSync(path)));
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

/** Files of a key; of one whose destruction was killed perhaps one component, or one half erased. */
export function componentsOf(folder: string, ref: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(ERASING) || NAME.test(name))
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(ERASING) || idIn(path) === ref);
}

function idIn(path: string): string {
  const { id, bytes } = readComponent(path);
  bytes.fill(0);
  return id;
}

function isKnown(pairs: ReadonlyMap<string, Pair>, paths: readonly string[]): boolean {
  return [...pairs.values()].some((pair) => pair.paths[0] === paths[0]);
}

function add(pairs: Map<string, Pair>, pair: Pair): void {
  pairs.set(pair.ref, pair);
}

function missing(folder: string, count: number): StartError {
  return new StartError(
    `The vault needs both key files, ${pathsOf(folder).join(' and ')}; ${count} missing. Put them back: without them no stored card can be read. A new deployment makes its own with florin make-keys.`,
  );
}

function readPair(paths: readonly string[], { folder, environment }: Omit<Options, 'chance'>): Pair {
  const components = paths.map(readComponent);
  const key = Buffer.alloc(32);
  for (const component of components) {
    if (component.environment !== environment)
      throw new StartError(
        `The key files in ${folder} are those of a ${component.environment} deployment; this one is ${environment}. Set FLORIN_DATA_DIR to its own folder.`,
      );
    component.bytes.forEach((byte, index) => (key[index] = (key[index] ?? 0) ^ byte));
    component.bytes.fill(0);
  }
  const [first, second] = components;
  const fit = first && first.id === second?.id && first.check === second.check && first.check === checkOf(key);
  if (!fit)
    throw new StartError(`The key files in ${folder} do not belong together. Restore both from the same backup.`);
  return { ref: first.id, key, paths };
}

function makePair(paths: readonly string[], id: string, { folder, environment, chance }: Options): void {
  makeFolder(folder, 0o700);
  const parts = paths.map(() => chance.bytes(32));
  const key = Buffer.alloc(32);
  for (const part of parts) part.forEach((byte, index) => (key[index] = (key[index] ?? 0) ^ byte));
  const check = checkOf(key);
  key.fill(0);
  paths.forEach((path, index) => {
    const part = parts[index];
    if (!part) return;
    const head = `{"environment":"${environment}","id":"${id}","created_at":"${new Date(idTime(id)).toISOString()}","check":"${check}","component":"`;
    const file = Buffer.alloc(head.length + 64 + 3);
    file.write(head, 'latin1');
    part.forEach((byte, at) => file.write(byte.toString(16).padStart(2, '0'), head.length + at * 2, 'latin1'));
    file.write('"}\n', head.length + 64, 'latin1');
    writeKept(path, file, 0o400);
    file.fill(0);
    part.fill(0);
  });
  // the database keeps what is wrapped with them, and a rotation erases what wrapped it before
  keepNames(folder);
}

/** An id begins with its moment in seconds (core/ids.ts). */
function idTime(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) * 1000;
}

const COMPONENT = '"component":"';

/** The digits of the component are taken out as bytes, and overwritten, before the rest becomes text. */
function readComponent(path: string): Component {
  const file = readFile(path);
  try {
    const at = file.indexOf(COMPONENT) + COMPONENT.length;
    const bytes = at < COMPONENT.length ? undefined : fromHex(file.subarray(at, at + 64));
    if (bytes) {
      file.fill(0x30, at, at + 64);
      const value: unknown = JSON.parse(file.toString('latin1'));
      const [environment, id, check] = ['environment', 'id', 'check'].map((name) => textOf(value, name));
      if (environment !== undefined && id !== undefined && check !== undefined)
        return { environment, id, check, bytes };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  } finally {
    file.fill(0);
  }
  throw new StartError(
    `The key file ${path} is damaged. Restore it from its backup: without it no stored card can be read.`,
  );
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`The key file ${path} cannot be read: ${whyNot(error)}`);
  }
}

/** 32 bytes of 64 small hex digits; undefined: they are none. */
function fromHex(digits: Buffer): Buffer | undefined {
  const values = [...digits].map((code) => (code >= 0x61 ? code - 0x57 : code - 0x30));
  if (values.length !== 64 || values.some((value) => value < 0 || value > 15)) return undefined;
  const bytes = Buffer.alloc(32);
  for (let i = 0; i < 32; i++) bytes[i] = ((values[2 * i] ?? 0) << 4) | (values[2 * i + 1] ?? 0);
  values.fill(0);
  return bytes;
}

function textOf(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

/**
 * Overwritten first: a file that is only unlinked stays on the disk. Copies in backups are the operator's to destroy.
 */
function erase(path: string): void {
  const erasing = path.endsWith(ERASING) ? path : path + ERASING;
  renameSync(path, erasing);
  keepNames(dirname(path));
  chmodSync(erasing, 0o600);
  writeFileSync(erasing, Buffer.alloc(statSync(erasing).size), { flag: 'r+', flush: true });
  rmSync(erasing);
}

/** Says whether a combined key is the right one without saying anything of it. */
function checkOf(key: Uint8Array): string {
  return sha256(deriveKey(key, 'check', 'key check value')).slice(0, 16);
}
