// A page of the site in a real browser: what it shows, what it asks for, what the browser says against it.
import { readdirSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const BUILT = new URL('../../web/site-built/', import.meta.url);

/** Old addresses, which lead on at once. */
const LEAD_ON = ['api/', 'codes/'];

/** The addresses of all pages, below /docs/. */
export function addresses(): readonly string[] {
  const names = readdirSync(BUILT, { recursive: true, encoding: 'utf8' });
  const all = names.filter((name) => name.endsWith('index.html')).map((name) => name.replace(/index\.html$/, ''));
  return all.filter((address) => !LEAD_ON.includes(address));
}

export const VIEWS = [
  { width: 390, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
  // the other two have the same colours and the same layout
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
] as const;

/** Legacy: no second page is opened to collect the findings of frames; our pages have none. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** What a page asks for, and what the browser says of it: refusals of the policy are among its errors. */
export function watch(page: Page) {
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    // addresses of its own making are no requests
    if (!/^(?:data|blob):/.test(request.url())) requests.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return { requests, errors };
}
