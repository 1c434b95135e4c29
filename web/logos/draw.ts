// Derives web/logos/files: `node web/logos/draw.ts`. The files are committed, so that serving them needs neither font
// nor renderer; test/logos.test.ts fails if they differ from what this script draws.
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { logoFiles } from '../../src/core/card.ts';
import { METHODS } from './methods.ts';
import type { Step } from './outline.ts';
import { DRAWINGS, type Mark, draw, type Pen } from './template.ts';

export const LOGO_FOLDER = join(import.meta.dirname, 'files');
const MARKS = join(import.meta.dirname, 'marks');

const FONT = '@fontsource/inter/files/inter-latin-700-normal.woff';
// In em; large text needs closer letters than running text.
const LETTER_SPACING = -0.015;

// opentype.js has no types; these are the parts that we use.
type Glyph = {
  readonly advanceWidth: number;
  getPath(x: number, y: number, size: number): { readonly commands: readonly Step[] };
};
type Font = { readonly unitsPerEm: number; charToGlyph(character: string): Glyph };

/** All files of the folder, by name. */
export function deriveLogos(): Map<string, Buffer> {
  const tools = { pen: penOf(FONT), markOf };
  const files = METHODS.flatMap(({ scheme, method }) => {
    const names = logoFiles(scheme);
    return DRAWINGS.flatMap((drawing): [string, Buffer][] => {
      const svg = draw(drawing, method, tools);
      const zoom = drawing === 'logo' ? 1 : 2;
      return [
        [names[drawing], Buffer.from(svg)],
        [names[`${drawing}_png`], rasterOf(svg, zoom)],
      ];
    });
  });
  return new Map(files);
}

function markOf(name: string): Mark {
  const text = readFileSync(join(MARKS, `${name}.svg`), 'utf8');
  const [, view = '', inside = ''] = /^<svg [^>]*viewBox="([^"]*)">(.*)<\/svg>\s*$/s.exec(text) ?? [];
  const [x, y, width, height] = view.split(' ').map(Number);
  if (x === undefined || y === undefined || !width || !height) throw new Error(`the mark ${name} has no box`);
  return { box: { x, y, width, height }, inside };
}

function rasterOf(svg: string, zoom: number): Buffer {
  return new Resvg(svg, { fitTo: { mode: 'zoom', value: zoom }, font: { loadSystemFonts: false } }).render().asPng();
}

function penOf(file: string): Pen {
  const require = createRequire(import.meta.url);
  const opentype: { parse(file: ArrayBuffer): Font } = require('opentype.js');
  const font = opentype.parse(new Uint8Array(readFileSync(require.resolve(file))).buffer);
  return (word) => {
    let x = 0;
    return [...word].flatMap((character) => {
      const glyph = font.charToGlyph(character);
      const { commands } = glyph.getPath(x, 0, 1);
      x += glyph.advanceWidth / font.unitsPerEm + LETTER_SPACING;
      return commands;
    });
  };
}

function writeLogos(): void {
  rmSync(LOGO_FOLDER, { recursive: true, force: true });
  mkdirSync(LOGO_FOLDER, { recursive: true });
  for (const [name, bytes] of deriveLogos()) writeFileSync(join(LOGO_FOLDER, name), bytes);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeLogos();
