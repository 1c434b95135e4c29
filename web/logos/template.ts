// The one template of all logos: a rounded card, or a square tile as a favicon. It shows the mark of the method;
// without a mark it shows a chip, a sweep of light, and the name in outlines.
import type { Method } from './methods.ts';
import { GRID, inkOf, pathOf, type Step } from './outline.ts';

/** Writes a word as outlines, because the template knows no font. */
export type Pen = (word: string) => readonly Step[];
/** A mark: its box, and the drawing inside. */
export type Mark = { readonly box: Box; readonly inside: string };
export type Tools = { readonly pen: Pen; readonly markOf: (name: string) => Mark };

export const DRAWINGS = [
  'logo',
  'logo_white',
  'logo_colorbg',
  'logo_whitebg',
  'logo_favicon_colorbg',
  'logo_favicon_whitebg',
] as const;
export type Drawing = (typeof DRAWINGS)[number];

type Size = { readonly width: number; readonly height: number };
type Box = Size & { readonly x: number; readonly y: number };
type Edge = { readonly color: string; readonly width: number; readonly opacity: number };
type Paint = {
  readonly fill: string;
  readonly edge?: Edge;
  readonly ink: string;
  readonly chip: string;
  readonly glow: string;
};

// The proportions of a bank card (ISO/IEC 7810 ID-1), in whole pixels.
const CARD = { width: 120, height: 76 };
const TILE = { width: 48, height: 48 };
const RADIUS = 9;
const MARGIN = 12;

// Letters, in pixels: the largest size, the size of a name in two lines, and the distance between these lines.
const LARGE = 24;
const STACKED = 17;
const LEADING = 18;

// The clear space that the schemes require around their marks.
const CLEAR = { card: { x: 14, y: 12 }, tile: { x: 4, y: 6 } };
const EDGE: Edge = { color: '#0f181e', width: 1, opacity: 0.18 };

const CHIP =
  'M12 18v-3a3 3 0 0 1 3-3h2.5v6zM12 19h5.5v6H15a3 3 0 0 1-3-3zM18.5 12h5v13h-5z' +
  'M24.5 12H27a3 3 0 0 1 3 3v3h-5.5zM24.5 19H30v3a3 3 0 0 1-3 3h-2.5z';
const SWEEPS = ['M58 0h53a9 9 0 0 1 9 9v53C115 32 92 9 58 0z', 'M85 0h26a9 9 0 0 1 9 9v30C116 21 104 7 85 0z'];

/** The text of an SVG file. */
export function draw(drawing: Drawing, method: Method, { pen, markOf }: Tools): string {
  const tile = drawing.startsWith('logo_favicon');
  const { width, height } = tile ? TILE : CARD;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${method.display_name}</title>`,
    ...('mark' in method ? marked(tile, method.ground, markOf(method.mark)) : named(drawing, method, pen)),
    '</svg>\n',
  ].join('');
}

/** A mark keeps its colours, so the logo adds a background on which the mark may stand, whatever page shows it. */
function marked(tile: boolean, fill: string, { box, inside }: Mark): string[] {
  const size = tile ? TILE : CARD;
  const clear = tile ? CLEAR.tile : CLEAR.card;
  const scale = Math.min((size.width - 2 * clear.x) / box.width, (size.height - 2 * clear.y) / box.height);
  const [width, height] = [tidy(box.width * scale), tidy(box.height * scale)];
  const at = `x="${tidy((size.width - width) / 2)}" y="${tidy((size.height - height) / 2)}"`;
  const view = `viewBox="${box.x} ${box.y} ${box.width} ${box.height}"`;
  return [
    ground(size, { fill, edge: EDGE }),
    `<svg ${at} width="${width}" height="${height}" ${view}>`,
    inside,
    '</svg>',
  ];
}

const tidy = (pixels: number) => Math.round(pixels * 100) / 100;

type Named = Extract<Method, { deep: string }>;

function named(drawing: Drawing, method: Named, pen: Pen): string[] {
  const paint = paintOf(drawing, method);
  return drawing.startsWith('logo_favicon') ? tileOf(paint) : cardOf(method, paint, pen);
}

function paintOf(drawing: Drawing, { deep, bright }: Named): Paint {
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
    sweeps(paint),
    `<path fill="${paint.chip}" d="${CHIP}"/>`,
    written(letters.join(''), paint),
  ];
}

/** The card without a name: two letters in a tile would be a mark that payers do not know. */
function tileOf(paint: Paint): string[] {
  const card = `<g transform="translate(4 11) scale(.333)">${sweeps(paint)}<path fill="${paint.chip}" d="${CHIP}"/></g>`;
  const edge = { color: paint.chip, width: 1.5, opacity: 1 };
  const outline = `<g transform="translate(4 11)">${ground({ width: 40, height: 26 }, { fill: 'none', edge }, 4)}</g>`;
  return [ground(TILE, paint), card, outline];
}

function sweeps({ glow }: Paint): string {
  return `<g fill="${glow}" fill-opacity=".16">${SWEEPS.map((sweep) => `<path d="${sweep}"/>`).join('')}</g>`;
}

function written(data: string, { ink }: Paint): string {
  return `<path fill="${ink}" transform="scale(${GRID})" d="${data}"/>`;
}

/** The rounded card or tile; its edge, if it has one, is inside. */
function ground(box: Size, { fill, edge }: Pick<Paint, 'fill' | 'edge'>, radius = RADIUS): string {
  const inset = (edge?.width ?? 0) / 2;
  const at = edge === undefined ? '' : `x="${inset}" y="${inset}" `;
  const size = `width="${box.width - 2 * inset}" height="${box.height - 2 * inset}" rx="${radius - inset}"`;
  const stroke =
    edge === undefined ? '' : ` stroke="${edge.color}" stroke-width="${edge.width}" stroke-opacity="${edge.opacity}"`;
  return `<rect ${at}${size} fill="${fill}"${stroke}/>`;
}
