// Lines of CSV (RFC 4180).
import { ExactNumber } from './exact.ts';

/**
 * One line of CSV. What a spreadsheet would take for a formula is made a text, whichever character it takes for the end
 * of a cell.
 */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/**
 * Where a cell may begin: at the semicolon too, which parts cells where the comma is the decimal point, quoted or not.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/g;

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  // below zero it begins as a formula does, and is none
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = text.replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
