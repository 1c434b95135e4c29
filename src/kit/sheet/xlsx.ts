// A workbook with one sheet (ECMA-376), written row by row. Every text is a text by its type, so nothing in it is ever
// a formula; numbers are numbers, which sums can be made of. docs/decisions/0105 says why this is not a library.
import { zip } from '../zip.ts';
import { ExactNumber } from './exact.ts';

export type Cell = string | number | boolean | ExactNumber | null;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const FIXED: readonly (readonly [name: string, text: string])[] = [
  [
    '[Content_Types].xml',
    `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Report" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
];

/** Bytes of the file. At most 1,048,576 rows, which is what a sheet can have. */
export function xlsx(rows: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<Buffer, void, undefined> {
  const parts = FIXED.map(([name, text]) => [name, [text]] as const);
  return zip([...parts, ['xl/worksheets/sheet1.xml', sheet(rows)]]);
}

async function* sheet(rows: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<string, void, undefined> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetData>`;
  for await (const portion of rows) yield portion.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('');
  yield '</sheetData></worksheet>';
}

function cell(value: Cell): string {
  if (value === null || value === '') return '<c/>';
  if (typeof value === 'number') return `<c><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(value instanceof ExactNumber ? value.text : value)}</t></is></c>`;
}

const MOST_LETTERS = 32_767;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The sign before what a workbook would read as an escape of another sign (ECMA-376, 22.9.2.19). */
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** Signs that XML 1.0 does not have become a question mark. */
function escaped(text: string): string {
  return text
    .slice(0, MOST_LETTERS)
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')
    .replaceAll(ESCAPE, '_x005F_')
    .replaceAll(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
}
