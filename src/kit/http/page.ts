// The plain pages of the hosts: one small document, no script, readable in light and dark.

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

/** Headers of every page of ours: nothing from elsewhere, no framing. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** `body` is HTML; `title` is text. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; --ink: #17202a; --soft: #55606e; --line: #d9dee5; --ground: #f7f8fa; --card: #ffffff; --accent: #0b5d57; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf1; --soft: #a3adba; --line: #313a46; --ground: #12161b; --card: #1a2027; --accent: #63d3c7; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 3rem 1.25rem; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
p { margin: .5rem 0; }
.soft { color: var(--soft); }
a { color: var(--accent); }
code { font-family: ui-monospace, monospace; font-size: .92em; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .45rem .5rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; font-size: .9rem; }
@media (max-width: 30rem) { body { padding: 1rem .5rem; } main { padding: 1.25rem; } }
</style>
</head>
<body><main>
${body}
</main></body>
</html>
`;
}
