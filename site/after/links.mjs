// Every link of every page leads to a file that was built, and to an id that is in it. Links to other hosts are not asked.
import { posix } from 'node:path';

const BASE = '/docs/';

/** Addresses that the service answers itself, beside these pages. */
const SERVED = new Set(['/', '/docs/host.json', '/openapi.json']);

export function findDeadLinks(pages, files) {
  const ids = new Map([...pages].map(([name, html]) => [name, new Set(idsOf(html))]));
  return [...pages].flatMap(([name, html]) =>
    [...new Set(linksOf(html))]
      .filter((link) => !leads(link, { name, ids, files }))
      .map((link) => `${name}: ${link} leads nowhere`),
  );
}

function leads(link, { name, ids, files }) {
  if (/^(?:https?:|mailto:|data:)/.test(link)) return true;
  const address = new URL(link, `http://site${BASE}${name.replace(/index\.html$/, '')}`);
  const path = decodeURIComponent(address.pathname);
  if (SERVED.has(path)) return true;
  if (!path.startsWith(BASE)) return false;
  const file = path.endsWith('/') ? `${path}index.html`.slice(BASE.length) : path.slice(BASE.length);
  if (!files.has(posix.normalize(file))) return false;
  const id = decodeURIComponent(address.hash.slice(1));
  return id === '' || !file.endsWith('.html') || ids.get(file)?.has(id) === true;
}

function linksOf(html) {
  return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => plain(link));
}

function idsOf(html) {
  return [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => plain(id));
}

function plain(text) {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&#38;', '&').replaceAll('&amp;', '&');
}
