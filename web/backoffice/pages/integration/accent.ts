// The merchant's colour as the hosted page shows it on white: darker until it stands out (src/payment/page/view/look.ts).
type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const SEEN = 4.5;

export function accentOf(colour: string): { readonly accent: string; readonly on_accent: string } {
  const wanted = /^#[0-9a-f]{6}$/i.test(colour) ? rgbOf(colour) : rgbOf('#0b5d57');
  const steps = Array.from({ length: 21 }, (_, step) => mix(wanted, step / 20));
  const accent = steps.find((step) => contrast(step, WHITE) >= SEEN) ?? BLACK;
  const on = contrast(accent, WHITE) >= contrast(accent, BLACK) ? WHITE : BLACK;
  return { accent: css(accent), on_accent: css(on) };
}

function mix([r, g, b]: Rgb, part: number): Rgb {
  const one = (value: number) => Math.round(value * (1 - part));
  return [one(r), one(g), one(b)];
}

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

const css = (colour: Rgb) => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
