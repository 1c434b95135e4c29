// The simulated bank's pages in the payer's browser. They work without a script, which only counts down and saves a
// click.
import { CHALLENGE_CODES } from '../../../core/sandbox/challenge-codes.ts';
import { escapeHtml, hashSource } from '../../../kit/http/page.ts';
import { toDecimal } from '../../../core/money.ts';
import type { Page, Reply } from '../../call/answer.ts';
import type { AskedFor, Authentication, Notice } from '../authentication.ts';
import { CODE_MS, MOST_TRIES } from '../bank.ts';
import { BACK_SCRIPT, CODE_SCRIPT, STYLE } from './look.ts';
import { cresOf } from '../messages.ts';

type Sheet = {
  readonly title: string;
  readonly body: string;
  readonly script?: string;
  /** The address of the page that shows this one in a frame, if there is one. */
  readonly address?: string;
  /** The form may lead to any address: browsers also apply the policy to the redirects that follow. */
  readonly leads_away?: true;
  readonly window_size?: string;
};

function page(status: number, sheet: Sheet): Reply {
  const { title, body, script, window_size = '05' } = sheet;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body class="w${window_size}">
<header><div>${MARK}<span>Sandbox Bank</span></div><p>Test bank</p></header>
<main>
${body}
</main>
${script === undefined ? '' : `<script type="module">${script}</script>\n`}</body>
</html>
`;
  return { status, body: {}, page: { headers: headersOf(sheet), html } };
}

const MARK =
  '<svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"><path d="M3 9.5 12 4l9 5.5zM5.5 10v8M10 10v8M14 10v8M18.5 10v8M3 20.5h18"/></svg>';

function headersOf({ script, address, leads_away }: Sheet): Page['headers'] {
  const origin = address === undefined ? '' : (URL.parse(address)?.origin ?? '');
  const policy = [
    "default-src 'none'",
    `script-src ${script === undefined ? "'none'" : hashSource(script)}`,
    `style-src ${hashSource(STYLE)}`,
    'img-src data:',
    `form-action ${leads_away ? 'https: http:' : "'self'"}`,
    "base-uri 'none'",
    // only the page that asked may show it in a frame
    `frame-ancestors ${origin === '' ? "'none'" : origin}`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}

/** Shown if this bank has no such challenge, or if it is not open. */
export function nothingPage(): Reply {
  const body = `<h1>There is nothing to confirm here</h1>
<p>Go back to the shop and start the payment again.</p>`;
  return page(404, { title: 'Nothing to confirm', body });
}

/** Leads to a page that can be loaded again. */
export function leadTo(location: string): Reply {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  return { status: 303, body: {}, page: { headers, html: '' } };
}

export function challengePage(authentication: Authentication, now: number): Reply {
  const { asked, way, window_size } = authentication;
  if (asked === null) return nothingPage();
  const shared = { title: 'Confirm your payment – Sandbox Bank', address: asked.notification_url, window_size };
  if (way === 'silent') return page(200, { ...shared, body: waiting(authentication, asked) });
  return page(200, { ...shared, script: CODE_SCRIPT, body: asking(authentication, asked, now) });
}

/** The page of a card whose bank never answers. */
function waiting(authentication: Authentication, asked: AskedFor): string {
  return `<h1>Confirm your payment</h1>
${facts(authentication, asked)}
<p role="status">Open the app of your bank and confirm there. This page waits for it.</p>
<p class="soft">Sandbox: this card's bank never answers.</p>`;
}

function asking(authentication: Authentication, asked: AskedFor, now: number): string {
  const { notice } = authentication;
  const left = Math.max(0, Math.ceil((authentication.code_sent_at + CODE_MS - now) / 1000));
  const said = noticeOf(notice, authentication);
  const is_wrong = notice !== null && notice !== 'code_sent';
  return `<h1>Confirm your payment</h1>
${facts(authentication, asked)}
<p id="sent">We sent a one-time code to your phone number ending in 00.</p>
${said === '' ? '' : `<p id="notice" class="${is_wrong ? 'wrong' : 'good'}" role="${is_wrong ? 'alert' : 'status'}">${said}</p>\n`}<form method="post">
<label for="code">One-time code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="8" required autofocus aria-describedby="sent left${is_wrong ? ' notice' : ''}"${is_wrong ? ' aria-invalid="true"' : ''}>
<p id="left" class="soft" data-seconds="${left}">${left === 0 ? 'This code is no longer valid.' : `The code is valid for ${minutes(left)}.`}</p>
<button class="main" name="action" value="verify">Verify</button>
</form>
<div class="other">
<form method="post"><button name="action" value="resend">Send a new code</button></form>
<form method="post"><button name="action" value="cancel">Cancel</button></form>
</div>
${HINT}`;
}

const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

function noticeOf(notice: Notice | null, { tries }: Authentication): string {
  const left = MOST_TRIES - tries;
  switch (notice) {
    case 'code_wrong':
      return `That code is not right. ${left === 1 ? 'One try is' : `${left} tries are`} left.`;
    case 'code_old':
      return 'That code is too old. Ask for a new one.';
    case 'code_missing':
      return 'Type the code that we sent you.';
    case 'code_sent':
      return 'A new code is on its way.';
    case 'no_more_codes':
      return 'No further code can be sent for this payment.';
    case null:
      return '';
  }
}

function facts({ card_4_digits }: Authentication, { merchant_name, amount, currency }: AskedFor): string {
  const rows = [
    ['Merchant', escapeHtml(merchant_name)],
    ['Amount', `<strong>${escapeHtml(amountOf(amount, currency))}</strong>`],
    ['Card', `<span aria-hidden="true">•••• </span><span class="said">ending in </span>${escapeHtml(card_4_digits)}`],
  ];
  return `<dl>${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
}

/** The amount as people write it. The decimal text is exact; the formatter only groups its digits. */
function amountOf(amount: number, currency: string): string {
  const decimal = toDecimal(BigInt(amount), currency);
  if (!isDecimal(decimal)) return `${decimal} ${currency}`;
  return new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' }).format(decimal);
}

const isDecimal = (text: string): text is `${number}` => /^\d+(?:\.\d+)?$/.test(text);

const HINT = `<details class="hint"><summary>Sandbox: 1234 confirms. Other codes</summary>
<table><thead><tr><th scope="col">Code</th><th scope="col">Outcome</th></tr></thead><tbody>
${CHALLENGE_CODES.map(({ code, outcome }) => `<tr><th scope="row">${code}</th><td>${outcome}</td></tr>`).join('\n')}
<tr><th scope="row">other</th><td>not right; refused after ${MOST_TRIES}</td></tr>
</tbody></table></details>`;

/** Sends the browser back to the page that asked; the bank has sent its decision before. */
export function backPage(authentication: Authentication): Reply {
  const { session_data } = authentication;
  const address = authentication.asked?.notification_url ?? '';
  const session = session_data === null ? {} : { threeDSSessionData: session_data };
  const { title, text } = END[authentication.ended?.cancelled ? 'left' : isGood(authentication) ? 'good' : 'bad'];
  const fields = { cres: base64UrlOf(cresOf(authentication)), ...session };
  return page(200, { title, ...sent({ address, fields, head: `<h1>${title}</h1>\n<p>${text}</p>` }) });
}

const isGood = ({ ended }: Authentication): boolean => ended?.status === 'Y' || ended?.status === 'A';
const END = {
  good: { title: 'Confirmed', text: 'You go back to the shop now.' },
  bad: { title: 'Not confirmed', text: 'The payment was not confirmed. You go back to the shop now.' },
  left: { title: 'Cancelled', text: 'You did not confirm the payment. You go back to the shop now.' },
} as const;

/** The hidden page that looks at the browser; this bank needs no time for that. */
export function methodPage({ id }: Authentication, address: string): Reply {
  const fields = { threeDSMethodData: base64UrlOf({ threeDSServerTransID: id }) };
  const title = 'Your browser was seen';
  return page(200, { title, ...sent({ address, fields, head: `<h1>${title}</h1>` }) });
}

type Sending = {
  readonly address: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly head: string;
};

/** A form that submits itself, with a button for browsers without scripts. */
function sent({ address, fields, head }: Sending): Omit<Sheet, 'title'> {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  const body = `${head}
<form id="back" method="post" action="${escapeHtml(address)}">${hidden.join('')}<button class="main">Continue</button></form>`;
  return { body, script: BACK_SCRIPT, address, leads_away: true };
}

/** The standard requires base64url without padding. */
function base64UrlOf(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url');
}
