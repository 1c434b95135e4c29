// The colours of a merchant on the hosted page. The colours are the merchant's, the contrast is ours: what is written
// can be read, on a light and on a dark screen (WCAG 2.2, 1.4.3 and 1.4.11). Used by the page, by the check of the
// settings, and by the preview.

/** All as #rrggbb; "" of the panel's two: chosen here. */
export type Colours = { readonly page_colour: string; readonly panel_colour: string; readonly panel_text: string };

export type Theme = {
  /** The colour of the pay button and of marked parts. */
  readonly accent: string;
  readonly on_accent: string;
  /** The merchant's side: its ground, what is written on it, the quieter words, and lines that carry a meaning. */
  readonly panel: string;
  readonly panel_ink: string;
  readonly panel_soft: string;
  readonly panel_edge: string;
};

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const LIGHT_PAGE: Rgb = WHITE;
const DARK_PAGE: Rgb = [21, 27, 31];
const NIGHT: Rgb = [12, 17, 20];
/** The contrast that words need, and the contrast that lines and marks need. */
const READ = 4.5;
const SEEN = 3;
/** A panel at night: how much darker it is at least, and how well white stands out from it. */
const DUSK = 0.4;
const DEEP = 10;

export function themeOf(colours: Colours, screen: 'light' | 'dark'): Theme {
  const wanted = rgbOf(colours.page_colour);
  const dark = screen === 'dark';
  const accent = dark ? moved(wanted, WHITE, on(DARK_PAGE, READ)) : moved(wanted, BLACK, on(LIGHT_PAGE, READ));
  const day = colours.panel_colour === '' ? panelOf(wanted) : rgbOf(colours.panel_colour);
  const panel = dark ? moved(mix(day, NIGHT, DUSK), NIGHT, on(WHITE, DEEP)) : day;
  const given = colours.panel_text === '' ? undefined : rgbOf(colours.panel_text);
  const best = inkOn(panel);
  // what was given for the day is kept by day, as it stands: `unreadable` has proved it
  const ink = given === undefined ? best : dark ? moved(given, best, on(panel, READ)) : given;
  return {
    accent: css(accent),
    on_accent: css(inkOn(accent)),
    panel: css(panel),
    panel_ink: css(ink),
    panel_soft: css(quiet(ink, panel)),
    panel_edge: css(moved(panel, ink, on(panel, SEEN))),
  };
}

/** A pair that could not be read. */
export type Unreadable = { readonly pair: string; readonly contrast: number; readonly least: number };

/**
 * Every pair that is written or drawn in the merchant's colours and falls short, by day and by night; empty: all can be
 * read.
 */
export function unreadable(colours: Colours): readonly Unreadable[] {
  return (['light', 'dark'] as const).flatMap((screen) => {
    const theme = themeOf(colours, screen);
    const page = css(screen === 'dark' ? DARK_PAGE : LIGHT_PAGE);
    const pairs = [
      ['button on page', theme.accent, page, READ],
      ['text on button', theme.on_accent, theme.accent, READ],
      ['text on panel', theme.panel_ink, theme.panel, READ],
      ['quiet text on panel', theme.panel_soft, theme.panel, READ],
      ['lines on panel', theme.panel_edge, theme.panel, SEEN],
    ] as const;
    return pairs.flatMap(([pair, one, other, least]) => {
      const found = contrastOf(one, other);
      return found >= least ? [] : [{ pair: `${pair}, ${screen}`, contrast: Math.floor(found * 100) / 100, least }];
    });
  });
}

/** Contrast ratio of two colours (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  return contrast(rgbOf(one), rgbOf(other));
}

/**
 * A colour that white can be read on is deepened, so that the button stands out from its side; a bright one is kept.
 */
function panelOf(colour: Rgb): Rgb {
  return contrast(colour, WHITE) >= READ ? mix(colour, NIGHT, 0.3) : colour;
}

const STEPS = 20;

type Standing = { readonly ground: Rgb; readonly least: number };

const on = (ground: Rgb, least: number): Standing => ({ ground, least });

/** The colour, moved towards `end` until it stands out from its ground. */
function moved(colour: Rgb, end: Rgb, { ground, least }: Standing): Rgb {
  for (let step = 0; step <= STEPS; step++) {
    const mixed = mix(colour, end, step / STEPS);
    if (contrast(mixed, ground) >= least) return mixed;
  }
  return end;
}

/** A quiet colour: as near to the background as can still be read, and at least three tenths away from it. */
function quiet(ink: Rgb, ground: Rgb): Rgb {
  for (let step = 6; step > 0; step--) {
    const mixed = mix(ink, ground, step / STEPS);
    if (contrast(mixed, ground) >= READ) return mixed;
  }
  return ink;
}

const inkOn = (colour: Rgb) => (contrast(colour, WHITE) >= contrast(colour, BLACK) ? WHITE : BLACK);

function mix(from: Rgb, to: Rgb, part: number): Rgb {
  const one = (i: 0 | 1 | 2) => Math.round(from[i] + (to[i] - from[i]) * part);
  return [one(0), one(1), one(2)];
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

function css(colour: Rgb): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
