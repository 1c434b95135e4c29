// What a page does that nobody sees: requests, console, messages; and whether axe is content with it.
import { AxeBuilder } from '@axe-core/playwright';
import type { ConsoleMessage, Page } from 'playwright-core';

export type Watched = { readonly requests: string[]; readonly errors: string[]; readonly console: string[] };

/**
 * Requests of the page and its frames, and what it complains about. Addresses of its own making (data:) are no
 * requests.
 */
export function watch(page: Page): Watched {
  const seen: Watched = { requests: [], errors: [], console: [] };
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) seen.requests.push(request.url());
  });
  page.on('console', (message) => {
    seen.console.push(`${message.type()}: ${message.text()}`);
    if (message.type() === 'error') seen.errors.push(complaintOf(message));
  });
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  return seen;
}

/**
 * What was not loaded is named, so that a test takes one refusal and no other; without its port and ids, which are
 * others each time.
 */
function complaintOf(message: ConsoleMessage): string {
  const text = message.text();
  const { url } = message.location();
  return text.startsWith(NOT_LOADED) && URL.canParse(url)
    ? `${text} ${new URL(url).pathname.replaceAll(/[0-9a-f]{24}/g, ':id')}`
    : text;
}
const NOT_LOADED = 'Failed to load resource';

/** What the browser says of a request of this path that was answered with 400. */
export const badRequest = (path: string): string =>
  `${NOT_LOADED}: the server responded with a status of 400 (Bad Request) ${path}`;

/**
 * Findings of axe in the page and in every frame of it, each as `rule: element`. A page without frames is looked at by
 * one call in it, with the findings alone described: otherwise axe tells of everything that it found in order too, and
 * opens a second page to put the frames together, which was most of the time of a test that looks often.
 */
export async function violationsIn(page: Page): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  const { violations } = await axe.setLegacyMode(page.frames().length === 1).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Hosts that a page asked, but for those it may. */
export function strangers({ requests }: Watched, ...allowed: readonly string[]): readonly string[] {
  return requests.filter((request) => !allowed.includes(new URL(request).origin));
}
