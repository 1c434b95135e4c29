// The one style sheet of our plain pages: no script, no font and no picture from elsewhere; light and dark; from 320
// pixels up. Colours are pairs that keep a contrast of 4.5 to 1 on each of their grounds; axe holds them to it in a
// browser test.

export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #14212b; --soft: #51606d; --line: #dce3e8; --ground: #f5f7f8; --card: #ffffff; --accent: #0b5d57; --tint: #e6f2f0;
  --warn: #8a3b12; --warn-tint: #fbeee6; --code: #0f1f29; --code-ink: #e4edf3; --code-key: #86e0d2; --code-soft: #a9bac6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e7edf2; --soft: #a5b3bf; --line: #2b3742; --ground: #0e151b; --card: #161f27; --accent: #6ad8c9; --tint: #173431;
    --warn: #ffb894; --warn-tint: #3a2418; --code: #0a1218; --code-ink: #dbe6ee; --code-key: #7fdccd; --code-soft: #9fb1be;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.bar { position: sticky; top: 0; z-index: 1; background: var(--card); border-bottom: 1px solid var(--line); }
.bar div { max-width: 84rem; margin: 0 auto; padding: .7rem 1.5rem; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center; }
.mark { display: inline-flex; gap: .6rem; align-items: center; margin-right: auto; color: var(--ink); font-weight: 650; text-decoration: none; }
.mark svg { display: block; }
.mark span span { color: var(--soft); font-weight: 400; }
.bar ul { display: flex; gap: 1.25rem; margin: 0; padding: 0; list-style: none; font-size: .92rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--card); padding: .5rem 1rem; }
.plain { max-width: 48rem; margin: 0 auto; padding: 3rem 1.5rem 4rem; }
.card { padding: 1.75rem 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
.card + .card { margin-top: 1.25rem; }
h1 { margin: 0 0 .6rem; font-size: 1.9rem; line-height: 1.2; letter-spacing: -.015em; }
h2 { margin: 2rem 0 .6rem; font-size: 1.25rem; line-height: 1.3; letter-spacing: -.01em; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
p { margin: .6rem 0; }
.soft { color: var(--soft); }
.eyebrow { margin: 0 0 .4rem; color: var(--soft); font-size: .88rem; }
a { color: var(--accent); text-underline-offset: .2em; }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code { font-size: .88em; overflow-wrap: anywhere; }
.whole code { white-space: nowrap; }
table { width: 100%; border-collapse: collapse; font-size: .94rem; }
th, td { padding: .6rem .75rem .6rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
tr:last-child > td, tr:last-child > th { border-bottom: 0; }
thead th { padding-top: 0; color: var(--soft); font-weight: 600; font-size: .82rem; }
tbody th { font-weight: 400; }
.ok { display: inline-flex; align-items: center; gap: .5rem; }
.ok::before { content: ""; width: .6rem; height: .6rem; border-radius: 50%; background: #1f9d63; }
@media (max-width: 34rem) {
  html { scroll-padding-top: 6rem; }
  .bar div, .plain { padding-left: 1rem; padding-right: 1rem; }
  .plain { padding-top: 1.25rem; }
  .card { padding: 1.25rem 1.1rem; }
  h1 { font-size: 1.6rem; }
}
@media print { .bar { display: none; } }
`;
