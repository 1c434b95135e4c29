// The frame of every page a payer sees: language, direction, style sheet, policy. Nothing is loaded from another
// origin but pictures of order lines, from hosts that the account allows.
import type { Colours } from '../../../core/payer/colours.ts';
import { type PageLanguage, directionOf } from '../../../core/payer/language.ts';
import { CLOSED_FEATURES, escapeHtml, hashSource } from '../../../kit/http/page.ts';
import type { PublicAnswer } from '../../../kit/http/public.ts';
import { SCRIPT, SCRIPT_HASH, styleOf } from './look.ts';

export type Sheet = {
  readonly title: string;
  readonly language: PageLanguage;
  readonly colours: Colours;
  readonly brand: string;
  /** HTML, its main element included. */
  readonly body: string;
  readonly status?: number;
  /** Data for the page's script; undefined: the page has no script. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Script and style sheet of the payment element. */
  readonly element?: { readonly script: string; readonly style: string };
  /** Origins of pictures beside our own. */
  readonly pictures?: readonly string[];
  /** Another origin that a form of this page is sent to, or that it frames. */
  readonly leads_to?: string;
  /** A wallet may be opened: that of the browser by the page itself, another one by a frame of that origin. */
  readonly pays?: { readonly self?: true; readonly frame?: string };
  /** The address to which a browser without a script goes on, and after how many seconds. */
  readonly goes_to?: { readonly url: string; readonly after_s: number };
};

export function sheet(made: Sheet): PublicAnswer {
  const { title, language, brand, colours, body, data, element } = made;
  const style = styleOf(colours, brand);
  const html = `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
${made.goes_to === undefined ? '' : `<noscript><meta http-equiv="refresh" content="${made.goes_to.after_s}; url=${escapeHtml(made.goes_to.url)}"></noscript>\n`}${element ? `<link rel="stylesheet" href="${escapeHtml(element.style)}">\n` : ''}<style>${style}</style>
</head>
<body>
${body}
${data ? scripts(data, element?.script) : ''}</body>
</html>
`;
  return { status: made.status ?? 200, headers: headersOf(made, style), body: html };
}

function scripts(data: Readonly<Record<string, unknown>>, element: string | undefined): string {
  // as data, a text can end neither the element nor become script
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="page-data">${json}</script>
${element === undefined ? '' : `<script src="${escapeHtml(element)}"></script>\n`}<script type="module">${SCRIPT}</script>
`;
}

function headersOf(
  { data, leads_to, pictures = [], pays = {} }: Sheet,
  style: string,
): Readonly<Record<string, string>> {
  const own = data ? `'self' ` : '';
  // what a bank's page leads on to is the bank's to know: other hosts of its own, over HTTPS
  const other = leads_to === undefined ? [] : [new URL(leads_to).origin, 'https:'];
  const framed = pays.frame === undefined ? [] : [pays.frame];
  const payers = [...(pays.self ? ['self'] : []), ...framed.map((origin) => `"${origin}"`)];
  const policy = [
    "default-src 'none'",
    `script-src ${data ? `'self' ${SCRIPT_HASH}` : "'none'"}`,
    `style-src ${own}${hashSource(style)}`,
    `img-src ${[own + 'data:', ...pictures].join(' ')}`,
    ...(data ? ["connect-src 'self'", `frame-src ${["'self'", ...framed, ...other].join(' ')}`] : []),
    // a form's redirects count too, wherever they end: ours end at a page of ours, which goes on by itself (`onPage`)
    `form-action ${["'self'", ...other].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    // the page that opened this one in a window holds no reference to it, and cannot lead it elsewhere unseen
    // a wallet's frame may have to open a window that answers it; who opened this page still has no reference
    'cross-origin-opener-policy': framed.length > 0 ? 'same-origin-allow-popups' : 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': CLOSED_FEATURES.replace('payment=()', `payment=(${payers.join(' ')})`),
    // the address holds the handle: no other site gets it
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** A plain GET to another address, byte for byte. */
export function leadTo(url: string): PublicAnswer {
  return {
    status: 303,
    headers: { location: url, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
    body: '',
  };
}
