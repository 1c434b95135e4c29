// The shop's style sheet: a small, friendly coffee shop in light and dark.

export const SHOP_STYLE = `
:root { color-scheme: light dark; --ink: #2a211c; --soft: #6d5f55; --ground: #f6f1ea; --card: #fffdfa; --line: #e3d8cb; --accent: #7a3b1d; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #f2e9e0; --soft: #b9a99b; --ground: #17120f; --card: #221b17; --line: #3b3029; --accent: #f0a878; --on-accent: #2a140a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header { border-bottom: 1px solid var(--line); background: var(--card); }
header div, main { max-width: 62rem; margin: 0 auto; padding: .9rem 1.25rem; }
header a { color: var(--ink); font-weight: 700; font-size: 1.1rem; text-decoration: none; }
header span { color: var(--soft); font-size: .9rem; margin-inline-start: .6rem; }
main { padding-top: 2rem; padding-bottom: 4rem; }
h1 { margin: 0 0 .5rem; font-size: 1.7rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 0 0 .4rem; font-size: 1.1rem; }
p { margin: .4rem 0; }
.soft { color: var(--soft); }
a { color: var(--accent); text-underline-offset: .2em; }
.ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1rem; margin: 1.5rem 0; padding: 0; list-style: none; }
section.card:only-child { max-width: 34rem; }
.card { padding: 1.4rem 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
.ways .card { display: flex; flex-direction: column; gap: .5rem; }
.ways .action { margin-top: auto; }
.action, #payment-button { display: inline-flex; align-items: center; justify-content: center; min-height: 46px; padding: .6rem 1.2rem; border: 0; border-radius: 10px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; text-decoration: none; cursor: pointer; }
.action:focus-visible, a:focus-visible, input:focus-visible, select:focus-visible, #payment-button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 10px; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 19rem); gap: 1.5rem; align-items: start; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .3rem 1rem; margin: .5rem 0 0; }
dt { color: var(--soft); }
dd { margin: 0; text-align: end; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.total { font-weight: 700; font-size: 1.15rem; }
#notice, [id$="-payment-error"] { color: #b3261e; font-weight: 600; }
@media (prefers-color-scheme: dark) { #notice, [id$="-payment-error"] { color: #ffb4ab; } }
[id$="-payment-form"] .field { display: block; margin-bottom: .9rem; font-weight: 600; font-size: .92rem; }
.shop-input { display: block; width: 100%; min-height: 46px; margin-top: .3rem; padding: .6rem .8rem; border: 1px solid var(--soft); border-radius: 10px; background: var(--ground); color: var(--ink); font: inherit; font-weight: 400; }
[id$="-payment-logo"] img { display: block; height: 26px; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; }
.check { display: flex; gap: .6rem; align-items: center; min-height: 44px; }
.check input { margin: 0; width: 1.15rem; height: 1.15rem; accent-color: var(--accent); }
#payment-button { width: 100%; margin-top: .5rem; }
#payment-button:disabled { opacity: .6; }
[id$="-payment-container"] { --florin-color-accent: var(--accent); --florin-color-on-accent: var(--on-accent); --florin-color-text: var(--ink); --florin-color-soft: var(--soft); --florin-color-line: var(--soft); --florin-color-field: var(--ground); --florin-radius: 10px; }
.label { display: block; margin: .6rem 0 .2rem; font-weight: 600; font-size: .92rem; }
select { min-height: 44px; padding: .4rem .7rem; border: 1px solid var(--soft); border-radius: 10px; background: var(--card); color: var(--ink); font: inherit; }
.mark { display: inline-block; height: 22px; vertical-align: middle; }
@media (max-width: 46rem) { .pair { grid-template-columns: minmax(0, 1fr); } .pair > aside { order: -1; } }
`;
