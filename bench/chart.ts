// Horizontal bars as SVG, readable in light and dark: each bar has its figure beside it, and colours only repeat what
// words say.
const WIDTH = 720;
const NAMES = 210;
const FIGURES = 70;
const ROW = 26;
const HEAD = 58;

export type Bars = {
  readonly title: string;
  /** What the parts of a bar are, from the left. */
  readonly parts: readonly string[];
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[];
};

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const shown = (value: number) => Math.round(value).toLocaleString('en');

export function barsOf({ title, parts, rows }: Bars): string {
  const most = Math.max(...rows.map(({ values }) => sum(values)));
  const scale = (WIDTH - NAMES - FIGURES) / most;
  const height = HEAD + rows.length * ROW + 8;
  const legend = parts.length < 2 ? '' : parts.map(entryOf).join('');
  const bars = rows.map(({ name, values }, at) => barOf({ name, values, scale, y: HEAD + at * ROW })).join('');
  const told = rows.map(({ name, values }) => `${name} ${values.map(shown).join(' and ')}`).join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title what">
<title id="title">${escaped(title)}</title>
<desc id="what">${escaped(told)}</desc>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2933 }
.head { font-weight: 600; font-size: 15px }
.part0 { fill: #2f6fde }
.part1 { fill: #e0912f }
@media (prefers-color-scheme: dark) { text { fill: #e4e7eb } }
</style>
<text class="head" x="0" y="18">${escaped(title)}</text>
${legend}${bars}</svg>
`;
}

function entryOf(part: string, at: number): string {
  const x = at * 130;
  return `<rect class="part${at}" x="${x}" y="30" width="12" height="12" rx="2"/><text x="${x + 18}" y="41">${escaped(part)}</text>\n`;
}

type Bar = Bars['rows'][number] & { readonly scale: number; readonly y: number };

function barOf({ name, values, scale, y }: Bar): string {
  let x = NAMES;
  const pieces = values.map((value, at) => {
    const piece = `<rect class="part${at}" x="${x.toFixed(1)}" y="${y + 3}" width="${(value * scale).toFixed(1)}" height="17" rx="2"/>`;
    x += value * scale;
    return piece;
  });
  return `<text x="${NAMES - 8}" y="${y + 16}" text-anchor="end">${escaped(name)}</text>${pieces.join('')}<text x="${(x + 6).toFixed(1)}" y="${y + 16}">${shown(sum(values))}</text>\n`;
}
