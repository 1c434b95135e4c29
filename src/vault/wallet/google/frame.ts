// The document that Google Pay's script runs in: a frame of the hosted page, at a name of the vault's host where
// nothing else is served. It has no card field, no cookie and no way to `POST /token`; what leaves it is a message to
// the page.
import { readFileSync } from 'node:fs';
import { CLOSED_FEATURES, escapeHtml } from '../../../kit/http/page.ts';
import type { PublicFile } from '../../../kit/http/public.ts';
import { oneScript } from '../../../kit/web/script.ts';
import { asset } from '../../elements/assets.ts';

export const GOOGLE_FRAME_PATH = '/google-pay';
const SCRIPT_PATH = '/gp/p/js/pay.js';

/** The address of the frame, and the script that it loads. */
export type GoogleFrame = {
  /** The origin of the frame, from the operator's settings. */
  readonly origin: string;
  /** The host of Google's script: Google, and in a sandbox this machine. */
  readonly google: string;
  readonly environment: 'PRODUCTION' | 'TEST';
};

type Settings = {
  readonly environment: 'sandbox' | 'production';
  readonly wallet_url: string;
  readonly sandbox_google_pay_url: string;
};

/** Undefined: this deployment has none, so no account has Google Pay on its hosted page. */
export function googleFrameOf({ environment, wallet_url, sandbox_google_pay_url }: Settings): GoogleFrame | undefined {
  const production = environment === 'production';
  const google = production ? GOOGLE : originOf(sandbox_google_pay_url);
  const origin = originOf(wallet_url);
  if (origin === undefined || google === undefined) return undefined;
  return { origin, google, environment: production ? 'PRODUCTION' : 'TEST' };
}

const originOf = (url: string) => URL.parse(url)?.origin;

const GOOGLE = 'https://pay.google.com';
/**
 * The sources that Google's script is known to need beside its own host: the browser's payment method of that name,
 * pictures and letters of the button.
 */
const BESIDE = {
  connect: ['https://google.com/pay', 'https://www.google.com/pay'],
  style: ['https://fonts.googleapis.com'],
  font: ['https://fonts.gstatic.com'],
  image: ['https://www.gstatic.com'],
} as const;

const fileOf = (name: string) => readFileSync(new URL(`../../../../web/wallet/${name}`, import.meta.url), 'utf8');
const SCRIPT = asset(oneScript(fileOf('google-pay.js')));
const STYLE = fileOf('google-pay.css').trim();

/** `page`: the one origin that may frame it, and that it speaks to. */
function frameDocument({ google, environment }: GoogleFrame, page: string): string {
  const data = { page, environment, script: google + SCRIPT_PATH };
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`);
  return `<!doctype html>
<html lang="en" ${attributes.join(' ')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Google Pay</title>
<style>${STYLE}</style>
</head>
<body>
<div id="button"></div>
<script>${SCRIPT.body.toString('utf8')}</script>
</body>
</html>
`;
}

export function framePolicy({ google }: GoogleFrame, page: string): string {
  const real = google === GOOGLE;
  const and = (what: keyof typeof BESIDE) => [google, ...(real ? BESIDE[what] : [])].join(' ');
  return [
    "default-src 'none'",
    `script-src '${SCRIPT.integrity}' ${google}`,
    // Google's script writes the style of its button into the document
    `style-src 'unsafe-inline' ${and('style')}`,
    `font-src ${and('font')}`,
    `img-src data: ${and('image')}`,
    `connect-src ${and('connect')}`,
    `frame-src ${google}`,
    `form-action ${google}`,
    "base-uri 'none'",
    `frame-ancestors ${page}`,
  ].join('; ');
}

/** The frame, by itself: at which name it is served is the host's to say (`apart`). */
export function framePaths(
  frame: GoogleFrame | undefined,
  addresses: { readonly vault_url: string },
): readonly PublicFile[] {
  if (!frame) return [];
  const answer = () => {
    const page = originOf(addresses.vault_url) ?? '';
    return {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': framePolicy(frame, page),
        'permissions-policy': CLOSED_FEATURES.replace('payment=()', 'payment=(self)'),
        'cross-origin-resource-policy': 'cross-origin',
        'origin-agent-cluster': '?1',
        // Google is told the frame's origin, which is registered there, and no path
        'referrer-policy': 'strict-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      },
      body: frameDocument(frame, page),
    };
  };
  return [{ path: GOOGLE_FRAME_PATH, answer }];
}

const RUNS_ON = 'a frame of the hosted page, at an origin of its own without card fields';

/** Entries for the manifest of scripts: ours with its hash; Google's without one, because it changes without notice. */
export function frameScripts(frame: GoogleFrame | undefined) {
  if (!frame) return { own: [], scripts: [], policies: {} };
  const url = frame.google + SCRIPT_PATH;
  const own = {
    name: 'Google Pay frame',
    path: GOOGLE_FRAME_PATH,
    runs_on: RUNS_ON,
    reason: 'asks Google Pay whether it can pay, shows its button, and hands its sealed payload to the page',
    text: SCRIPT.body.toString('utf8'),
  };
  const google = {
    name: 'Google Pay',
    url,
    runs_on: RUNS_ON,
    owner: 'Google',
    reason: 'shows the button and the sheet of Google Pay',
  };
  return { own: [own], scripts: [google], policies: { [GOOGLE_FRAME_PATH]: framePolicy(frame, '{vault_url}') } };
}
