// The package as it would be published: what is in it, whether others can import it, how large it is, and that a
// server's part has no way to a card.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const CLIENT = join(import.meta.dirname, '../../client');
const MOST_KB = 12;
const CARD = /[`'"]\/token\b|\bcard_number\b|\bcvc\b/;
type Manifest = {
  readonly dependencies?: object;
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
};
const manifest: Manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));

/** The package unpacked, as npm would put it into node_modules. */
let unpacked: string;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-package-'));
  const copy = join(folder, 'client');
  cpSync(CLIENT, copy, { recursive: true, filter: (path) => !path.includes('dist') });
  // the same build that `npm pack` begins with, into the copy
  const build = ['tool', 'tsc', '-p', 'client/build.tsconfig.json', '--outDir', join(copy, 'dist')];
  execFileSync(process.execPath, ['bin/florin.mjs', ...build], { cwd: join(CLIENT, '..'), stdio: 'pipe' });
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--offline'], { cwd: copy, encoding: 'utf8' }),
  ) as readonly { readonly filename: string }[];
  execFileSync('tar', ['-xzf', join(copy, packed?.filename ?? ''), '-C', folder]);
  unpacked = join(folder, 'package');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = () =>
  readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1));

/** What a bundler makes of a program that imports so, in bytes of gzip; and its text. */
async function bundled(program: string): Promise<{ readonly bytes: number; readonly code: string }> {
  const build = await rolldown({
    input: 'program',
    external: ['react'],
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => {
          if (id === 'program') return id;
          const name = id.startsWith('@florin/client') ? `.${id.slice('@florin/client'.length)}` : undefined;
          return name === undefined ? null : join(unpacked, manifest.exports[name]?.default ?? '');
        },
        load: (id) => (id === 'program' ? program : null),
      },
    ],
  });
  const { output } = await build.generate({ minify: true });
  const code = output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('');
  return { bytes: gzipSync(code).length, code };
}

describe('the package', () => {
  test('holds code, types, README and licence, and nothing else', () => {
    expect(
      files().filter((file) => !/^(?:dist\/[\w/]+\.(?:js|d\.ts)|README\.md|LICENSE|package\.json)$/.test(file)),
    ).toEqual([]);
    for (const { types, default: code } of Object.values(manifest.exports))
      expect([types, code].filter((file) => !existsSync(join(unpacked, file)))).toEqual([]);
  });

  test('depends on nothing: neither in its manifest nor in what it imports', () => {
    expect(manifest.dependencies).toBeUndefined();
    const imports = files()
      .filter((file) => /\.(?:js|ts)$/.test(file))
      .flatMap((file) =>
        [...readFileSync(join(unpacked, file), 'utf8').matchAll(/(?:from |import\()\s*['"]([^'"]+)['"]/g)].map(
          ([, target = '']) => [file, target] as const,
        ),
      );
    expect(imports.length).toBeGreaterThan(20);
    const outside = imports.filter(([, target]) => !/^\.\.?\/.*\.(?:js|ts)$/.test(target));
    expect(new Set(outside.map(([file, target]) => `${file.split('.')[0]}: ${target}`))).toEqual(
      new Set(['dist/react: react']),
    );
  });

  test('is right for those who publish it (publint)', async () => {
    const { messages } = await publint({ pkgDir: unpacked, strict: true, pack: false });
    const shown: { exports: object } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
    expect(messages.map((message) => formatMessage(message, shown as never))).toEqual([]);
  });

  test('gives its types to a program of others, and refuses what they refuse', () => {
    const program = `import { Florin, handle } from '@florin/client';
import { verify } from '@florin/client/notifications';
import { openVault } from '@florin/client/vault';
import { loadElements } from '@florin/client/elements';
export const florin = new Florin({ base_url: 'https://a', key: 'k' });
export const others = [verify, openVault, loadElements, handle];
export const captured = (await florin.orders.create({})).captured;
await florin.orders.refund('id', { amount: 0.1 });
`;
    writeFileSync(join(folder, 'program.mts'), program);
    mkdirSync(join(folder, 'node_modules/@florin'), { recursive: true });
    symlinkSync(unpacked, join(folder, 'node_modules/@florin/client'));
    const flags = '--noEmit --strict --pretty false --module nodenext --target es2023 --lib es2023,dom'.split(' ');
    const tsc = join(CLIENT, '../node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, ...flags, 'program.mts'], { cwd: folder, encoding: 'utf8' });
    const errors = [...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error (TS\d+)/gm)].map(([, file, code]) => [file, code]);
    expect(errors).toEqual([
      ['program.mts', 'TS2339'],
      ['program.mts', 'TS2322'],
    ]);
  });

  test('is imported by the Node that runs this, each of its doors', async () => {
    for (const [name, { default: code }] of Object.entries(manifest.exports)) {
      if (name === './react') continue;
      const door: object = await import(join(unpacked, code));
      expect([name, Object.keys(door).length > 0]).toEqual([name, true]);
    }
  });
});

describe('size and contents, after a bundler', () => {
  test(`all of the server's part is below ${MOST_KB} kB`, async () => {
    const { bytes, code } = await bundled("export * from '@florin/client';");
    expect(bytes).toBeLessThan(MOST_KB * 1000);
    // a server that pays has no way to the vault and no word of a card
    expect(code).not.toMatch(CARD);
    expect((await bundled("export * from '@florin/client/vault';")).code).toMatch(CARD);
  });

  test(`all of the page's part is below ${MOST_KB} kB, and has no way to a private route`, async () => {
    const { bytes, code } = await bundled(
      "export * from '@florin/client/elements'; export * from '@florin/client/react';",
    );
    expect(bytes).toBeLessThan(MOST_KB * 1000);
    expect(code).not.toMatch(/\/payment\/|x-api-key/);
  });

  test('who only checks notifications gets no more than that', async () => {
    const { bytes, code } = await bundled("export { verify } from '@florin/client/notifications';");
    expect(bytes).toBeLessThan(2000);
    expect(code).not.toMatch(/\/payment\//);
  });
});
