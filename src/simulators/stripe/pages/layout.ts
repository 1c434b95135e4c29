// The plain pages of the simulated Stripe: without scripts, and without anything from other hosts.
import { escapeHtml, hashSource } from '../../../kit/http/page.ts';
import { type Reply, html } from '../../line.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1a1f36; --soft: #4f566b; --line: #d5dbe3; --ground: #f7fafc; --card: #ffffff; --accent: #4b3fc4; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ebeef1; --soft: #b3bac5; --line: #3c4257; --ground: #10131f; --card: #1b2030; --accent: #b3acff; --on-accent: #10131f; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
main.narrow { max-width: 28rem; margin-top: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
h1 { font-size: 1.4rem; margin: 0 0 .75rem; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
p { margin: .5rem 0; }
.soft { color: var(--soft); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; background: var(--card); font-size: .9rem; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
button { width: 100%; min-height: 2.75rem; margin-top: .6rem; border: 1px solid var(--soft); border-radius: 6px; background: transparent; color: var(--ink); font: inherit; font-weight: 600; cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
/** `body` is HTML with its main element. A form may lead to the page the payer came from, which may be any address. */
export const page = (title: string, body: string, status = 200): Reply =>
  html(
    status,
    `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body>
${body}
</body>
</html>
`,
    {
      'content-security-policy': `default-src 'none'; style-src ${hashSource(STYLE)}; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
    },
  );

/** `amount` is in the currency's smallest unit, as Stripe counts it. */
export function moneyOf(amount: number, currency: string): string {
  const decimals =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  const digits = String(amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return `${text} ${currency.toUpperCase()}`;
}
