// The one template of all logos: a rounded card with a chip, a sweep of light and the name of the method in outlines. As a
// favicon: a rounded tile with the method's mark, underlined.
import type { Method } from './methods.ts';
import { GRID, inkOf, pathOf, type Step } from './outline.ts';

/** Writes a word as outlines; the template knows no font. */
export type Pen = (word: string) => readonly Step[];

export const DRAWINGS = [
  'logo',
  'logo_white',
  'logo_colorbg',
  'logo_whitebg',
  'logo_favicon_colorbg',
  'logo_favicon_whitebg',
] as const;
export type Drawing = (typeof DRAWINGS)[number];

type Edge = { readonly color: string; readonly width: number; readonly opacity: number };
type Paint = {
  readonly fill: string;
  readonly edge?: Edge;
  readonly ink: string;
  readonly chip: string;
  readonly glow: string;
};

// The proportion of a bank card (ISO/IEC 7810 ID-1), in whole pixels.
const CARD = { width: 120, height: 76 };
const TILE = { width: 48, height: 48 };
const RADIUS = 9;
const MARGIN = 12;

// Letters, in pixels: the largest, those of a name in two lines, and from one of these lines to the next.
const LARGE = 24;
const STACKED = 17;
const LEADING = 18;
const CAP_HEIGHT = 0.7275;

const CHIP =
  'M12 18v-3a3 3 0 0 1 3-3h2.5v6zM12 19h5.5v6H15a3 3 0 0 1-3-3zM18.5 12h5v13h-5z' +
  'M24.5 12H27a3 3 0 0 1 3 3v3h-5.5zM24.5 19H30v3a3 3 0 0 1-3 3h-2.5z';
const SWEEPS = ['M58 0h53a9 9 0 0 1 9 9v53C115 32 92 9 58 0z', 'M85 0h26a9 9 0 0 1 9 9v30C116 21 104 7 85 0z'];

/** A drawing as the text of an SVG file. */
export function draw(drawing: Drawing, method: Method, pen: Pen): string {
  const paint = paintOf(drawing, method);
  const tile = drawing.startsWith('logo_favicon');
  const { width, height } = tile ? TILE : CARD;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${method.display_name}</title>`,
    ...(tile ? tileOf(method, paint, pen) : cardOf(method, paint, pen)),
    '</svg>\n',
  ].join('');
}

function paintOf(drawing: Drawing, { deep, bright }: Method): Paint {
  switch (drawing) {
    case 'logo':
    case 'logo_favicon_colorbg':
      return { fill: deep, ink: '#fff', chip: bright, glow: bright };
    case 'logo_colorbg':
      return { fill: bright, ink: deep, chip: deep, glow: '#fff' };
    case 'logo_white':
      return { fill: 'none', edge: { color: '#fff', width: 2, opacity: 1 }, ink: '#fff', chip: '#fff', glow: '#fff' };
    case 'logo_whitebg':
    case 'logo_favicon_whitebg':
      return { fill: '#fff', edge: { color: deep, width: 1, opacity: 0.25 }, ink: deep, chip: bright, glow: bright };
  }
}

function cardOf({ display_name }: Method, paint: Paint, pen: Pen): string[] {
  const lines = display_name.split(' ').map(pen);
  const room = CARD.width - 2 * MARGIN;
  const largest = lines.length > 1 ? STACKED : LARGE;
  const size = Math.min(largest, ...lines.map((line) => room / inkOf(line).width));
  const letters = lines.map((line, i) =>
    pathOf(line, { x: MARGIN, base_line: CARD.height - MARGIN - (lines.length - 1 - i) * LEADING, size }),
  );
  return [
    ground(CARD, paint),
    `<g fill="${paint.glow}" fill-opacity=".16">${SWEEPS.map((sweep) => `<path d="${sweep}"/>`).join('')}</g>`,
    `<path fill="${paint.chip}" d="${CHIP}"/>`,
    written(letters.join(''), paint),
  ];
}

function tileOf({ mark }: Method, paint: Paint, pen: Pen): string[] {
  const line = pen(mark);
  const { width } = inkOf(line);
  const size = Math.min(30, 35 / width);
  const [gap, bar] = [5, 3];
  const base_line = (TILE.height + CAP_HEIGHT * size - gap - bar) / 2;
  const x = (TILE.width - width * size) / 2;
  const [left, top] = [Math.round(x), Math.round(base_line + gap)];
  return [
    ground(TILE, paint),
    written(pathOf(line, { x, base_line, size }), paint),
    `<path fill="${paint.chip}" d="M${left} ${top}h${TILE.width - 2 * left}v${bar}H${left}z"/>`,
  ];
}

function written(data: string, { ink }: Paint): string {
  return `<path fill="${ink}" transform="scale(${GRID})" d="${data}"/>`;
}

/** The rounded card or tile; its edge, if it has one, lies inside of it. */
function ground(box: { readonly width: number; readonly height: number }, { fill, edge }: Paint): string {
  const inset = (edge?.width ?? 0) / 2;
  const at = edge === undefined ? '' : `x="${inset}" y="${inset}" `;
  const size = `width="${box.width - 2 * inset}" height="${box.height - 2 * inset}" rx="${RADIUS - inset}"`;
  const stroke =
    edge === undefined ? '' : ` stroke="${edge.color}" stroke-width="${edge.width}" stroke-opacity="${edge.opacity}"`;
  return `<rect ${at}${size} fill="${fill}"${stroke}/>`;
}
