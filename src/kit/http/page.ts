// The plain page of the payment API: one document, one style sheet in it, no script. The policy names the style sheet
// by its hash, so nothing else that finds its way into a page is applied or run. And what the pages of all hosts share.
import { createHash } from 'node:crypto';
import { STYLE } from './style.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '');
}

/** A script or style that stands in a page, as its policy names it. */
export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The features of a browser that no payer's page needs, as a Permissions-Policy names them. */
export const CLOSED_FEATURES = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()';

/** Headers of every page of ours: nothing from elsewhere, no framing. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; img-src data:; style-src ${hashSource(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** A florin: the letter on a coin. */
const MARK =
  '<svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true" fill="none"><circle cx="13" cy="13" r="13" fill="#0b5d57"/><path d="M17.6 7.2c-2.9-1.4-4.6.1-5.1 3l-1.3 7c-.4 2.4-1.7 3.2-3.8 2.4M9 12.2h7.2" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>';

const ICON = `data:image/svg+xml,${encodeURIComponent(MARK.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" '))}`;

/** A page of the payment API. `body` is HTML in a narrow column; `title` is text. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><div><a class="mark" href="/">${MARK}<span>Florin <span>Payment API</span></span></a><nav aria-label="Pages"><ul><li><a href="/docs/">Guides and reference</a></li></ul></nav></div></header>
<main id="main" class="plain">
${body}
</main>
</body>
</html>
`;
}
