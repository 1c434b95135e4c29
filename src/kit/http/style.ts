// The one style sheet of our plain pages: no script, no font and no picture from elsewhere; light and dark; from 320 pixels up.
// Colours are pairs that keep a contrast of 4.5 to 1 on each of their grounds; axe holds them to it in a browser test.

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
.badge { display: inline-block; padding: .05rem .5rem; border-radius: 99px; background: var(--tint); color: var(--accent); font-size: .78rem; font-weight: 600; white-space: nowrap; }
.must { color: var(--warn); background: var(--warn-tint); }
.ok { display: inline-flex; align-items: center; gap: .5rem; }
.ok::before { content: ""; width: .6rem; height: .6rem; border-radius: 50%; background: #1f9d63; }
.doc { max-width: 84rem; margin: 0 auto; padding: 0 1.5rem 5rem; display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 2.5rem; }
.side { position: sticky; top: 3.4rem; align-self: start; max-height: calc(100vh - 3.4rem); overflow-y: auto; padding: 2rem 0; font-size: .92rem; }
.side h2 { margin: 0 0 .3rem; font-size: .8rem; color: var(--soft); letter-spacing: 0; }
.side div + div { margin-top: 1.1rem; }
.side ul { margin: 0; padding: 0; list-style: none; }
.side li a { display: block; padding: .2rem 0; color: var(--ink); }
.doc > main { padding-top: 2rem; min-width: 0; }
.doc section { padding: 2rem 0 2.5rem; border-top: 1px solid var(--line); }
.doc section:first-child { border-top: 0; padding-top: 0; }
.doc section > h2 { margin-top: 0; font-size: 1.45rem; }
.route { display: flex; flex-wrap: wrap; gap: .4rem .75rem; align-items: baseline; margin: 0 0 .75rem; }
.verb { padding: .1rem .55rem; border-radius: 6px; background: var(--accent); color: var(--card); font-weight: 650; font-size: .8rem; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 25rem); gap: 2rem; align-items: start; }
.examples { position: sticky; top: 4.5rem; }
.fields td:first-child, .fields th[scope=row] { width: 42%; }
.fields p { margin: .15rem 0 0; font-size: .9rem; }
.fields .type { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
details + details, table + details, details + table { margin-top: .6rem; }
summary { padding: .6rem 1rem; cursor: pointer; font-weight: 600; font-size: .94rem; }
summary .soft { font-weight: 400; }
details > table, details > .inner { margin: 0 1rem .5rem; width: calc(100% - 2rem); }
figure { margin: 0 0 1rem; border: 1px solid #24353f; border-radius: 12px; overflow: hidden; background: var(--code); color: var(--code-ink); }
figcaption { padding: .55rem 1rem; font-size: .82rem; color: var(--code-soft); border-bottom: 1px solid #24353f; }
pre { margin: 0; padding: .9rem 1rem; max-height: 26rem; overflow: auto; font-size: .8rem; line-height: 1.55; tab-size: 2; }
pre b { color: var(--code-key); font-weight: 400; }
@media (max-width: 74rem) { .pair { grid-template-columns: minmax(0, 1fr); gap: 1rem; } .examples { position: static; } }
@media (max-width: 56rem) {
  .doc { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .side { position: static; max-height: none; padding: 1.25rem 0 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .5rem 1.25rem; }
  .side div + div { margin-top: 0; }
}
@media (max-width: 34rem) {
  html { scroll-padding-top: 6rem; }
  .bar div, .plain, .doc { padding-left: 1rem; padding-right: 1rem; }
  .plain { padding-top: 1.25rem; }
  .card { padding: 1.25rem 1.1rem; }
  h1 { font-size: 1.6rem; }
}
@media print { .bar, .side { display: none; } .doc { display: block; } pre { max-height: none; white-space: pre-wrap; } }
`;
