// The height of the frame. The page is another process, and gives the height a moment after it was asked; until then
// the larger content would push the last field out of view. So content that makes the fields taller is measured, hidden
// at once, and shown as soon as there is room.
import { part } from './page.ts';

/**
 * Content that makes the fields taller. Both functions set the document to the state that is valid when they are
 * called.
 */
type Growth = { readonly show: () => void; readonly hide: () => void };

/** After this time the content is shown even if the page gives no room. */
const PATIENCE_MS = 300;

const waiting: Growth[] = [];
let tell: ((pixels: number) => void) | undefined;
let told = 0;
let needed = 0;
let timer = 0;

/** Shows the content now if there is room, else as soon as the page has given it. */
export function showInRoom(growth: Growth): void {
  const all = [...waiting, growth];
  for (const one of all) one.show();
  const pixels = heightOfFields();
  if (!tell || pixels <= innerHeight) return;
  for (const one of all.toReversed()) one.hide();
  waiting.push(growth);
  needed = pixels;
  clearTimeout(timer);
  timer = setTimeout(showAll, PATIENCE_MS);
  report();
}

function showAll(): void {
  clearTimeout(timer);
  for (const growth of waiting.splice(0)) growth.show();
  report();
}

function heightOfFields(): number {
  return Math.ceil(part('fields', HTMLElement).getBoundingClientRect().height);
}

function report(): void {
  const pixels = Math.max(heightOfFields(), waiting.length > 0 ? needed : 0);
  if (pixels !== told) tell?.(pixels);
  told = pixels;
}

/**
 * Reports the height, now and after each change. A frame out of view gets no ResizeObserver events, so our own changes
 * are observed too.
 */
export function tellHeight(telling: (pixels: number) => void): void {
  tell = telling;
  const body = part('fields', HTMLElement);
  new ResizeObserver(report).observe(body);
  const changes = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(report).observe(body, changes);
  new MutationObserver(report).observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  addEventListener('resize', () => {
    if (waiting.length > 0 && innerHeight >= needed) showAll();
  });
  report();
}
