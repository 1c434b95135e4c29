// Saves a chart as a picture or as a table, made in the browser from what is shown.
import type { Figures, Overview } from '../../../../src/backoffice/wire/overview.ts';
import { moneyField } from '../../base/format.ts';
import { saveFile } from '../../base/save.ts';
import { t } from '../../base/texts.ts';
import { tellError } from '../../base/toast.tsx';
import { OUTCOMES } from '../orders/filters.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Style sheets do not apply to a saved picture, so these properties are written into its elements. */
const WRITTEN = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-size', 'font-family', 'opacity'] as const;
const TITLE = 34;
/** Pixels of the picture for each pixel of the page. */
const SHARP = 2;

/** Saves the drawing with its title as a PNG. */
export function savePicture(drawing: SVGSVGElement | null, title: string, name: string): void {
  if (drawing) pictureOf(drawing, title).then((blob) => saveFile(blob, name), tellNot);
}

const tellNot = (error: unknown) => tellError(t('The picture was not made'), error);

async function pictureOf(drawing: SVGSVGElement, title: string): Promise<Blob> {
  const { width, height } = drawing.viewBox.baseVal;
  const copy = drawing.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('a copy of a drawing is one');
  writeStyles(drawing, copy);
  const { color, backgroundColor } = getComputedStyle(drawing.closest('.panel') ?? document.body);
  const frame = document.createElementNS(SVG, 'svg');
  frame.setAttribute('xmlns', SVG);
  frame.setAttribute('width', String(width * SHARP));
  frame.setAttribute('height', String((height + TITLE) * SHARP));
  frame.setAttribute('viewBox', `0 0 ${width} ${height + TITLE}`);
  const ground = frame.appendChild(document.createElementNS(SVG, 'rect'));
  ground.setAttribute('width', String(width));
  ground.setAttribute('height', String(height + TITLE));
  ground.setAttribute('fill', backgroundColor);
  const heading = frame.appendChild(document.createElementNS(SVG, 'text'));
  heading.textContent = title;
  for (const [key, value] of Object.entries({
    x: '8',
    y: '20',
    fill: color,
    'font-size': '14',
    'font-family': 'sans-serif',
  }))
    heading.setAttribute(key, value);
  copy.setAttribute('y', String(TITLE));
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  frame.append(copy);
  return painted(frame, width * SHARP, (height + TITLE) * SHARP);
}

function writeStyles(from: Element, to: Element): void {
  const styles = getComputedStyle(from);
  for (const name of WRITTEN) to.setAttribute(name, styles.getPropertyValue(name));
  for (const [n, child] of [...from.children].entries()) {
    const twin = to.children[n];
    if (twin) writeStyles(child, twin);
  }
}

async function painted(frame: SVGSVGElement, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(frame))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height);
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('the browser made no picture of it'))), 'image/png');
  });
}

/**
 * One line for each bar: its times, orders by outcome, the rate with its interval, the volume, and the earlier values.
 */
export function saveCsv({ series, series_before, currency }: Overview, name: string): void {
  const head = [
    'begins',
    'ends',
    'payments',
    ...OUTCOMES.map(([key]) => key),
    'approval_rate',
    'approval_low_95',
    'approval_high_95',
    'volume',
    'currency',
    'payments_before',
  ];
  const money = ({ volume_minor }: Figures) =>
    volume_minor === null || currency === null ? '' : moneyField(volume_minor, currency);
  const rate = (part: number | undefined) => (part === undefined ? '' : part.toFixed(4));
  const rows = series.map((one, n) => [
    one.begins,
    one.ends,
    one.orders,
    ...OUTCOMES.map(([key]) => one.outcomes[key]),
    rate(one.approval?.share),
    rate(one.approval?.low),
    rate(one.approval?.high),
    money(one),
    currency ?? '',
    series_before?.[n]?.orders ?? '',
  ]);
  // the cells are dates, numbers and codes, which need no quotes
  const text = [head, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
  saveFile(new Blob([text], { type: 'text/csv' }), name);
}
