// What a hosted page looks like: our style sheet and the merchant's colour. The colour is the merchant's, the contrast is ours:
// it is made darker or lighter until what is marked with it can be seen (WCAG 2.2, 1.4.3 and 1.4.11).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const fileOf = (name: string) => readFileSync(new URL(`../../../../web/page/${name}`, import.meta.url), 'utf8');
const STYLE = fileOf('colours.css') + fileOf('pay.css') + fileOf('link.css');
export const SCRIPT = fileOf('pay.js');

export const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
export const SCRIPT_HASH = hashOf(SCRIPT);

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const LIGHT_CARD: Rgb = WHITE;
const DARK_CARD: Rgb = [22, 31, 39];
const SEEN = 4.5;

const styles = new Map<string, string>();
const MAX_STYLES = 1000;

/** The whole style sheet of a page in this colour; `brand` gives the names of the payment element's variables. */
export function styleOf(colour: string, brand: string): string {
  const known = styles.get(`${brand} ${colour}`);
  if (known !== undefined) return known;
  const wanted = rgbOf(colour);
  const light = readable(wanted, LIGHT_CARD, BLACK);
  const dark = readable(wanted, DARK_CARD, WHITE);
  const style = `${STYLE.replaceAll('florin-', `${brand}-`)}
:root { --accent: ${css(light)}; --on-accent: ${css(inkOn(light))}; }
@media (prefers-color-scheme: dark) { :root { --accent: ${css(dark)}; --on-accent: ${css(inkOn(dark))}; } }
`;
  if (styles.size < MAX_STYLES) styles.set(`${brand} ${colour}`, style);
  return style;
}

/** The colour, moved towards `end` until it stands out from its ground. */
function readable(colour: Rgb, ground: Rgb, end: Rgb): Rgb {
  for (let step = 0; step <= 20; step++) {
    const mixed = mix(colour, end, step / 20);
    if (contrast(mixed, ground) >= SEEN) return mixed;
  }
  return end;
}

const inkOn = (colour: Rgb) => (contrast(colour, WHITE) >= contrast(colour, BLACK) ? WHITE : BLACK);

function mix(from: Rgb, to: Rgb, part: number): Rgb {
  const one = (i: 0 | 1 | 2) => Math.round(from[i] + (to[i] - from[i]) * part);
  return [one(0), one(1), one(2)];
}

/** Contrast ratio of two colours (WCAG 2.2). */
function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

function rgbOf(colour: string): Rgb {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function css(colour: Rgb): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
