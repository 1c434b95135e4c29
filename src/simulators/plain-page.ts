// Plain pages of simulators: a heading, and tables of what is in their books.
import { escapeHtml } from '../kit/http/page.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}table{border-collapse:collapse;width:100%;margin-bottom:2rem}' +
  'th,td{border-bottom:1px solid #ccc;padding:.3rem .6rem;text-align:left}button{font:inherit;margin:.3rem .6rem .3rem 0;padding:.4rem 1rem}';

export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><h1>${title}</h1>${body}</body></html>`;
}

export function table(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const lines = rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`).join('');
  return `<h2>${escapeHtml(caption)}</h2><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>`;
}
