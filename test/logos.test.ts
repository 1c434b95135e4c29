import { Resvg } from '@resvg/resvg-js';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LOGO_FIELDS, SCHEME_NAMES, logoFiles } from '../src/core/card.ts';
import { refuseUnsafeSvg } from '../src/vault/logos/svg.ts';
import { LOGO_FOLDER, deriveLogos } from '../web/logos/draw.ts';
import { METHODS } from '../web/logos/methods.ts';
import { DRAWINGS } from '../web/logos/template.ts';

const NAMES = SCHEME_NAMES.flatMap((scheme) => LOGO_FIELDS.map((field) => logoFiles(scheme)[field]));
const VECTORS = NAMES.filter((name) => name.endsWith('.svg'));
const MARK_FOLDER = join(LOGO_FOLDER, '../marks');
const DARK = '#12151c';
const WHITE = '#ffffff';

type Rgb = readonly [number, number, number];
type Picture = { readonly width: number; readonly height: number; readonly pixels: readonly Rgb[] };

function fileOf(name: string): Buffer {
  return readFileSync(join(LOGO_FOLDER, name));
}

function pictureOf(svg: string, background: string): Picture {
  const image = new Resvg(svg, { background, fitTo: { mode: 'zoom', value: 2 } }).render();
  const bytes = image.pixels;
  const pixels = Array.from({ length: bytes.length / 4 }, (_, i): Rgb => {
    return [bytes[i * 4] ?? 0, bytes[i * 4 + 1] ?? 0, bytes[i * 4 + 2] ?? 0];
  });
  return { width: image.width, height: image.height, pixels };
}

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function rgb(hex: string): Rgb {
  const at = (i: number): number => Number.parseInt(hex.slice(i, i + 2), 16);
  return [at(1), at(3), at(5)];
}

/** How much of these pixels can be told from a colour as easily as text must be (4.5 to 1). */
function shareReadable(pixels: readonly Rgb[], on: Rgb): number {
  return pixels.filter((pixel) => contrast(pixel, on) >= 4.5).length / pixels.length;
}

/** The pixels where the name stands: below the chip of a card, above the bar of a favicon. */
function nameIn({ width, height, pixels }: Picture): readonly Rgb[] {
  const [top, bottom, side] = width === height ? [0.2, 0.62, 0.12] : [0.4, 0.87, 0.1];
  return pixels.filter((_, i) => {
    const [x, y] = [(i % width) / width, Math.floor(i / width) / height];
    return x > side && x < 1 - side && y > top && y < bottom;
  });
}

function mostCommon(pixels: readonly Rgb[]): Rgb {
  const groups = [...Map.groupBy(pixels, (pixel) => pixel.join()).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? [0, 0, 0];
}

function boxOf(svg: string): { width: number; height: number } {
  const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)" viewBox="0 0 \1 \2">/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}

test('every logo a checkout may name is there, and nothing else', () => {
  expect(NAMES).toHaveLength(120);
  expect(readdirSync(LOGO_FOLDER).toSorted()).toEqual(NAMES.toSorted());
});

test('the committed logos are what the template draws', () => {
  const derived = deriveLogos();
  expect([...derived.keys()].toSorted()).toEqual(NAMES.toSorted());
  const stale = [...derived].filter(([name, drawn]) => {
    const committed = fileOf(name);
    return !drawn.equals(committed) && (name.endsWith('.svg') || farthest(drawn, committed) > 2);
  });
  expect(stale.map(([name]) => name)).toEqual([]);
});

/** How far the pixels of two PNG are apart: another processor may round the last bit another way. */
function farthest(a: Buffer, b: Buffer): number {
  const [left, right] = [a, b].map((png) => {
    const size = `width="${png.readUInt32BE(16)}" height="${png.readUInt32BE(20)}"`;
    const image = `<image ${size} href="data:image/png;base64,${png.toString('base64')}"/>`;
    return new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${image}</svg>`).render().pixels;
  });
  if (left === undefined || left.length !== right?.length) return 255;
  return left.reduce((most, value, i) => Math.max(most, Math.abs(value - (right[i] ?? 255))), 0);
}

test('the plain PNG is as large as its SVG and each other PNG twice as large', () => {
  for (const scheme of SCHEME_NAMES) {
    const files = logoFiles(scheme);
    for (const drawing of DRAWINGS) {
      const box = boxOf(fileOf(files[drawing]).toString());
      const png = fileOf(files[`${drawing}_png`]);
      const zoom = files[`${drawing}_png`].includes('@2x') ? 2 : 1;
      expect(png.toString('latin1', 1, 4)).toBe('PNG');
      expect(png.readUInt32BE(16)).toBe(box.width * zoom);
      expect(png.readUInt32BE(20)).toBe(box.height * zoom);
      if (drawing.startsWith('logo_favicon')) expect(box.width).toBe(box.height);
    }
  }
});

test('no logo depends on a font, a script or another file, and each is small enough to be there at once', () => {
  for (const name of VECTORS) {
    const svg = fileOf(name).toString();
    expect(svg).not.toMatch(/<text|<script|<style|<image|href|url\((?!#)|font/i);
    expect(gzipSync(svg).length).toBeLessThan(2600);
    expect(refuseUnsafeSvg(svg)).toBeUndefined();
  }
});

const NAMED = METHODS.filter(({ method }) => !('mark' in method));
const MARKED = METHODS.filter(({ method }) => 'mark' in method);

test('only a method whose mark cannot be had is drawn with its name, and none with letters that stand for it', () => {
  expect(NAMED.map(({ scheme }) => scheme)).toEqual(['cb', 'bancontact']);
  expect(MARKED.flatMap(({ method }) => ('mark' in method ? [`${method.mark}.svg`] : [])).toSorted()).toEqual(
    readdirSync(MARK_FOLDER).toSorted(),
  );
});

test('a name can be read: the white one on a dark page, every other one on a white one', () => {
  for (const { scheme } of NAMED) {
    for (const drawing of DRAWINGS.filter((one) => !one.startsWith('logo_favicon'))) {
      const file = logoFiles(scheme)[drawing];
      const page = drawing === 'logo_white' ? DARK : WHITE;
      const picture = pictureOf(fileOf(file).toString(), page);
      const name = nameIn(picture);
      const seen = {
        file,
        drawing: shareReadable(picture.pixels, rgb(page)),
        name: shareReadable(name, mostCommon(name)),
      };
      // Letters cover a tenth to a third of where they stand; more would be a ground taken for letters.
      expect(seen).toSatisfy(() => seen.drawing > 0.03 && seen.name > 0.05 && seen.name < 0.6);
    }
  }
});

test('a mark stands whole, in the middle, on a ground of its own, and so looks the same on every page', () => {
  for (const { scheme, method } of MARKED) {
    for (const drawing of DRAWINGS) {
      const svg = fileOf(logoFiles(scheme)[drawing]).toString();
      const [light, dark] = [pictureOf(svg, WHITE), pictureOf(svg, DARK)];
      const marks = [light, dark].map((picture) => markIn(picture, 'ground' in method ? method.ground : ''));
      const [on_light, on_dark] = marks;
      expect(on_light).toEqual(on_dark);
      const seen = { scheme, drawing, ...on_light };
      expect(seen).toSatisfy(() => seen.share !== undefined && seen.share > 0.05 && seen.share < 0.6);
      // as much room left as right, and as much above as below, by two pixels of 96 and more
      expect(seen).toSatisfy(() => [seen.off_x, seen.off_y].every((off) => off !== undefined && Math.abs(off) <= 3));
      expect(seen.clear).toBeGreaterThanOrEqual(4);
    }
  }
});

/**
 * Where a picture differs from its ground, the edge aside: how much of it, how far from the middle, how much clear
 * space there is.
 */
function markIn({ width, height, pixels }: Picture, ground: string) {
  const [r, g, b] = rgb(ground.length === 4 ? `#${ground.slice(1).replace(/./g, '$&$&')}` : ground);
  const rim = 6;
  const drawn = pixels.flatMap((pixel, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const inner = x >= rim && x < width - rim && y >= rim && y < height - rim;
    const differs = Math.abs(pixel[0] - r) + Math.abs(pixel[1] - g) + Math.abs(pixel[2] - b) > 90;
    return inner && differs ? [{ x, y }] : [];
  });
  const [xs, ys] = [drawn.map(({ x }) => x), drawn.map(({ y }) => y)];
  const ends = (all: readonly number[], size: number) => {
    const [first, last] = [all.reduce((a, c) => Math.min(a, c), size), all.reduce((a, c) => Math.max(a, c), 0)];
    return { before: first, after: size - 1 - last };
  };
  const [across, down] = [ends(xs, width), ends(ys, height)];
  return {
    share: drawn.length / (width * height),
    off_x: (across.before - across.after) / 2,
    off_y: (down.before - down.after) / 2,
    clear: Math.min(across.before, across.after, down.before, down.after),
  };
}

test('two methods never look alike', () => {
  for (const drawing of DRAWINGS)
    expect(new Set(METHODS.map(({ scheme }) => fileOf(logoFiles(scheme)[drawing]).toString())).size).toBe(
      METHODS.length,
    );
});

const OPEN = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const inside = (text: string): string => `${OPEN}>${text}</svg>`;

const ATTACKS: Readonly<Record<string, string>> = {
  'a script': inside('<script>alert(1)</script>'),
  'a script in capitals': inside('<SCRIPT>alert(1)</SCRIPT>'),
  'an empty script': inside('<script xlink:href="https://evil.example/a.js"/>'),
  'a script under a prefix': `<svg xmlns="http://www.w3.org/2000/svg" xmlns:s="http://www.w3.org/2000/svg"><s:script/></svg>`,
  'a script behind a comment': inside('<!-- > --><script/>'),
  'a script after a broken comment': inside('<!--> <script/> -->'),
  'a script behind character data': inside('<desc><![CDATA[ ]]]]></desc><script/>'),
  'an event handler': `${OPEN} onload="alert(1)"/>`,
  'an event handler in capitals': inside('<path OnClick="alert(1)"/>'),
  'an event handler in single quotes on a new line': inside("<path\nonclick\n=\n'alert(1)'/>"),
  'an event handler after a slash': '<svg/onload=alert(1) xmlns="http://www.w3.org/2000/svg"/>',
  'an event handler without quotes': inside('<path onclick=alert(1) />'),
  'foreign content': inside('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
  'an element of HTML': inside('<iframe src="https://evil.example"/>'),
  'elements made HTML': inside('<g xmlns="http://www.w3.org/1999/xhtml"><style>a</style></g>'),
  'a picture from elsewhere': inside('<image href="https://evil.example/a.png"/>'),
  'a drawing from elsewhere': inside('<use xlink:href="https://evil.example/a.svg#a"/>'),
  'a drawing from a folder': inside('<use href="other.svg#a"/>'),
  'a drawing in data': inside('<use href="data:image/svg+xml;base64,AAAA#a"/>'),
  'a link': inside('<a href="#a"><path/></a>'),
  'a filter that loads': inside('<filter><feImage href="https://evil.example/a.png"/></filter>'),
  'a javascript address': inside('<use href="javascript:alert(1)"/>'),
  'a javascript address in pieces': inside('<use href="#a" target=" java&#10;script&#x3a;alert(1)"/>'),
  'an href written later': inside('<use id="u"/><set href="#u" attributeName="href" to="javascript:alert(1)"/>'),
  'an animation': inside('<animate attributeName="href" values="javascript:alert(1)"/>'),
  'a fill from elsewhere': inside('<path fill="url(https://evil.example/a.svg#a)"/>'),
  'a fill in quotes': inside(`<path fill="url( 'a.svg#a')"/>`),
  'a fill behind an entity': inside('<path fill="&#117;rl(//evil.example)"/>'),
  'a style attribute that loads': inside('<path style="mask:URL(//evil.example/a)"/>'),
  'a style attribute with escapes': inside('<path style="mask:u\\72l(//evil.example/a)"/>'),
  'a style that imports': inside('<style>@import "//evil.example/a.css";</style>'),
  'a style that imports in pieces': inside('<style>@im<!-- -->port "a.css";</style>'),
  'a style that imports in character data': inside('<style><![CDATA[@import "a.css";]]></style>'),
  'a style that loads a font': inside('<style>@font-face{font-family:a;src:url(a)}</style>'),
  'a style that chooses a picture': inside('<style>g{mask:image-set("a.png" 1x)}</style>'),
  'a style with markup': inside('<style><![CDATA[</style><script>alert(1)</script>]]></style>'),
  'another base': inside('<g xml:base="https://evil.example/"><use href="#a"/></g>'),
  'a document type': `<!DOCTYPE svg [<!ENTITY a "b">]>${inside('')}`,
  'a document type in small letters': `<!doctype svg>${inside('')}`,
  'an entity': inside('<title>&a;</title>'),
  'an entity named like a method of objects': inside('<title>&constructor;</title>'),
  'an entity in an attribute': inside('<path fill="&a;"/>'),
  'a bare ampersand': inside('<title>a & b</title>'),
  'a style sheet from elsewhere': `<?xml version="1.0"?><?xml-stylesheet href="a.css"?>${inside('')}`,
  'another encoding': `<?xml version="1.0" encoding="ISO-2022-JP"?>${inside('')}`,
  'an escape byte': inside('<title>\u001b$B</title>'),
  'a zero byte': inside('<title>\u0000</title>'),
  'more text than a logo has': inside('<g/>'.repeat(130_000)),
  'bytes that are not UTF-8': inside('<title>\uFFFD</title>'),
  'another root': '<html xmlns="http://www.w3.org/1999/xhtml"/>',
  'no namespace': '<svg><path/></svg>',
  'a second root': `${inside('')}${inside('')}`,
  'text before': `alert(1)${inside('')}`,
  'text after': `${inside('')}alert(1)`,
  'an element that is not closed': `${OPEN}><g></svg>`,
  'an end that is missing': `${OPEN}><g>`,
  'an element cut off': `${OPEN}><path d="M0`,
  nothing: '',
};

test.each(Object.entries(ATTACKS))('a dropped-in drawing with %s is refused', (_name, svg) => {
  expect(refuseUnsafeSvg(svg)).toMatch(/^its? /);
});

test('the reason says what to look for', () => {
  expect(refuseUnsafeSvg(inside('<script/>'))).toBe('it has a <script> element');
  expect(refuseUnsafeSvg(inside('<path onclick="a"/>'))).toBe('it has the event handler onclick');
  expect(refuseUnsafeSvg(inside('<use href="a.svg"/>'))).toBe('its href points outside of the drawing');
  expect(refuseUnsafeSvg('<!DOCTYPE svg>')).toBe('it has a document type, which may define entities');
});

test('a logo as drawing programs write it is accepted', () => {
  const drawing = [
    '\uFEFF<?xml version="1.0" encoding="UTF-8" standalone="no"?>\r\n<!-- Generator: a program, 28.1 -->\n',
    `${OPEN} viewBox='0 0 10 10' xml:space="preserve">\n<title>Caf\u00e9 &amp; bar &#233;</title>`,
    '<style type="text/css"><![CDATA[\n.st0{fill:#fff;clip-path:url(#c)}\n]]></style>',
    '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient><clipPath id="c"/></defs>',
    '<g class="st0"><path fill="url(#g)" style="mask:url(\'#m\')" d="M0 0 h10z"/><use xlink:href="#g"/></g>',
    '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter></svg>\n<!-- end -->\n',
  ].join('');
  expect(refuseUnsafeSvg(drawing)).toBeUndefined();
});

test('a large hostile file is refused in no time', () => {
  const before = process.threadCpuUsage();
  for (const piece of ['<!-', '<g ', ' a=""', ']]', '<![CDATA[', '&#', '- ', '   ']) {
    expect(refuseUnsafeSvg(`${OPEN}${piece.repeat(80_000)}`)).toBeDefined();
    expect(refuseUnsafeSvg(`${OPEN}>${piece.repeat(80_000)}`)).toBeDefined();
  }
  // of the processor's, which others may have meanwhile
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(2000);
});
