// The web app as the back office's host serves it: one document for every address of the app, and its files under their
// hashes. It is made at the first look (kit/web/app-bundle.ts): a service whose back office is never opened never
// builds it.
import { gzipSync } from 'node:zlib';
import type { PublicAnswer, PublicPath } from '../kit/http/public.ts';
import { type App, bundleApp } from '../kit/web/app-bundle.ts';

/** Each part that is in the bundle, also those that other parts use inside (test/backoffice-app/classes.test.ts). */
const MANTINE = [
  'default-css-variables baseline VisuallyHidden Group Stack UnstyledButton Button ActionIcon CloseButton Kbd',
  'Input Pill PillsInput NumberInput PasswordInput PinInput Combobox ScrollArea Switch Checkbox',
  'CheckboxCard CheckboxIndicator Radio RadioCard RadioIndicator Tabs SegmentedControl',
  'FloatingIndicator Overlay Paper Popover ModalBase Modal Drawer Menu Tooltip Skeleton Loader Progress',
  'ColorInput ColorPicker ColorSwatch InlineInput',
].flatMap((line) => line.split(' '));
const STYLES = [
  'fonts',
  'tokens',
  'base',
  'shell',
  'parts',
  'forms',
  'table',
  'pages',
  'order',
  'related',
  'overview',
  'details',
  'find',
  'preview',
  'rules',
  'tablet',
  'forced',
  'print',
];
const WEIGHTS = ['400', '500', '600'];

const RECIPE = {
  entry: 'web/backoffice/start.tsx',
  styles: [
    ...MANTINE.map((name) => `@mantine/core/styles/${name}.layer.css`),
    ...STYLES.map((name) => `web/backoffice/styles/${name}.css`),
  ],
  fonts: WEIGHTS.flatMap((weight) =>
    ['latin', 'latin-ext'].map((part) => `@fontsource/inter/files/inter-${part}-${weight}-normal.woff2`),
  ),
  sources: ['web/backoffice', 'web/fields-frame.ts', 'web/messages.ts', 'src/core/money.ts', 'src/core/card.ts'],
  packages: [
    'react',
    'react-dom',
    '@mantine/core',
    '@mantine/hooks',
    '@tanstack/react-query',
    'uqr',
    '@simplewebauthn/browser',
  ],
};

/** Makes the app where it is not made yet: for an image, and for a host that may not make it itself. */
export async function makeBackoffice(): Promise<void> {
  await bundleApp(RECIPE);
}

/** Every page of the app, and its files. What begins with /api/ is not here: an unknown one is the host's own 404. */
export function backofficePages(addresses: { readonly vault_url: string }): readonly PublicPath[] {
  // one making for all who ask at once; one that failed is tried again by the next
  let making: Promise<Served> | undefined;
  const served = () =>
    (making ??= bundleApp(RECIPE)
      .then((app) => serve(app, addresses.vault_url))
      .catch((error: unknown) => {
        making = undefined;
        throw error;
      }));
  return [
    { path: '/app/:file', answer: async ({ file = '' }) => (await served()).files.get(file) },
    {
      path: '/icon.svg',
      answer: () => ({ headers: { ...FILE_HEADERS, 'content-type': 'image/svg+xml' }, body: ICON }),
    },
    { path: '/', answer: async () => (await served()).document },
    {
      path: '/*',
      answer: async ({ '*': path = '' }) => (/^api(?:\/|$)/.test(path) ? undefined : (await served()).document),
    },
  ];
}

type Served = { readonly document: PublicAnswer; readonly files: ReadonlyMap<string, PublicAnswer> };

function serve({ script, style, files }: App, vault_url: string): Served {
  const answers = [...files].map(([name, body]) => [name, fileAnswer(name, body)] as const);
  return {
    document: {
      headers: { ...DOCUMENT_HEADERS, 'content-security-policy': policyOf(vault_url) },
      body: documentOf(script, style),
    },
    files: new Map(answers),
  };
}

const FILE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

const KINDS: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
};

function fileAnswer(name: string, body: Buffer): PublicAnswer {
  const kind = name.slice(name.lastIndexOf('.') + 1);
  const headers = { ...FILE_HEADERS, 'content-type': KINDS[kind] ?? 'application/octet-stream' };
  return kind === 'woff2' ? { headers, body } : { headers, body, gzip: gzipSync(body, { level: 9 }) };
}

/**
 * Nothing from elsewhere but the vault's frame of card fields, nothing written into the page, no text that becomes
 * script, and no frame around it.
 */
const policyOf = (vault_url: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src 'self' ${URL.parse(vault_url)?.origin ?? ''}`.trim(),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26" fill="none"><circle cx="13" cy="13" r="13" fill="#0b5d57"/><path d="M17.6 7.2c-2.9-1.4-4.6.1-5.1 3l-1.3 7c-.4 2.4-1.7 3.2-3.8 2.4M9 12.2h7.2" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>';

function documentOf(script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Back office</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/app/${style}">
<script type="module" src="/app/${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The back office needs JavaScript.</noscript>
</body>
</html>
`;
}
