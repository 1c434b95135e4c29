// The look of the simulated bank's pages: from 250 by 400 pixels (the standard's smallest window) to the whole screen,
// light and dark, with two short scripts. Pairs of colours keep a contrast of 4.5 to 1.

export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #14213d; --soft: #53607a; --line: #d9dfe9; --ground: #eef1f7; --card: #ffffff; --accent: #2743b8; --on-accent: #ffffff;
  --wrong: #9c1f2e; --wrong-tint: #fdecee; --good: #146339; --good-tint: #e6f5ec; --test: #fff3d1; --on-test: #5c4300;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e9edf7; --soft: #a9b4cc; --line: #303a52; --ground: #0d1220; --card: #171e30; --accent: #9db2ff; --on-accent: #0d1220;
    --wrong: #ffb3bb; --wrong-tint: #3c1a20; --good: #8fe0b0; --good-tint: #14301f; --test: #3a2f10; --on-test: #ffe3a0;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header, main { width: 100%; max-width: 30rem; margin: 0 auto; padding: 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; padding-bottom: 0; }
header div { display: flex; gap: .5rem; align-items: center; font-weight: 650; color: var(--accent); }
header span { color: var(--ink); }
header p { margin: 0; padding: .1rem .55rem; border-radius: 99px; background: var(--test); color: var(--on-test); font-size: .8rem; font-weight: 600; }
main { margin-top: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; max-width: 27.5rem; }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.25; letter-spacing: -.01em; }
p { margin: .75rem 0; }
.soft { color: var(--soft); font-size: .9rem; }
dl { margin: 0 0 1rem; border-top: 1px solid var(--line); }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .45rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0 0 0 auto; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
label { display: block; margin: .9rem 0 .3rem; font-weight: 600; }
input:not([type=hidden]) { width: 100%; padding: .6rem .8rem; border: 1px solid var(--soft); border-radius: 9px; background: var(--card); color: var(--ink); font: 1.25rem/1.4 ui-monospace, Menlo, Consolas, monospace; letter-spacing: .3em; }
input[aria-invalid] { border-color: var(--wrong); }
input:focus-visible, button:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#left { margin: .35rem 0 1rem; }
button { min-height: 2.75rem; width: 100%; padding: .5rem 1rem; border: 1px solid var(--soft); border-radius: 9px; background: transparent; color: var(--ink); font: inherit; font-weight: 600; cursor: pointer; }
button.main { border-color: transparent; background: var(--accent); color: var(--on-accent); }
button:active { filter: brightness(.92); }
.other { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem; margin-top: .6rem; }
.wrong, .good { padding: .55rem .8rem; border-radius: 9px; }
.wrong { background: var(--wrong-tint); color: var(--wrong); }
.good { background: var(--good-tint); color: var(--good); }
.hint { margin-top: 1.25rem; padding-top: .75rem; border-top: 1px solid var(--line); font-size: .9rem; }
summary { cursor: pointer; color: var(--soft); padding: .25rem 0; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .3rem .5rem .3rem 0; text-align: left; font-weight: 400; border-bottom: 1px solid var(--line); }
tbody th { font-family: ui-monospace, Menlo, Consolas, monospace; }
thead th { color: var(--soft); }
tr:last-child > * { border-bottom: 0; }
@media (min-width: 34rem) { .w05 main { margin-top: 2.5rem; padding: 2rem; } .w05 header { padding-top: 2.5rem; } }
@media (max-width: 26rem) {
  header { padding: .7rem .9rem 0; } main { margin-top: .6rem; padding: .9rem; border-width: 1px 0; border-radius: 0; }
  h1 { font-size: 1.15rem; margin-bottom: .5rem; } dl div { padding: .25rem 0; } body { font-size: .95rem; }
}
@media (max-height: 27rem) {
  header { padding-top: .45rem; } main { margin-top: .45rem; padding: .6rem .9rem; } h1 { font-size: 1.05rem; margin-bottom: .3rem; }
  p { margin: .4rem 0; } dl { margin-bottom: .4rem; } dl div { padding: .1rem 0; } label { margin: .4rem 0 .2rem; }
  input:not([type=hidden]) { padding: .2rem .7rem; font-size: 1.1rem; } #left { margin: .2rem 0 .5rem; } button { min-height: 2.4rem; padding: .25rem .75rem; }
}
`;

/** Counts down the time of the code; a screen reader reads only the end, not every second. */
export const CODE_SCRIPT = `
const left = document.getElementById('left');
const end = performance.now() + Number(left.dataset.seconds) * 1000;
const tick = () => {
  const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
  left.textContent = seconds === 0
    ? 'This code is no longer valid. Ask for a new one.'
    : 'The code is valid for ' + Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0') + '.';
  if (seconds > 0) setTimeout(tick, 1000);
  else left.setAttribute('role', 'status');
};
tick();
`;

export const BACK_SCRIPT = `document.getElementById('back').submit();`;
