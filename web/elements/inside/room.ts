// The height of the frame. The page, another process, gives it a moment after it was asked, and until then what grew
// would cut the last field off. So what makes the fields taller is measured, taken back at once, and shown as soon as
// there is room for it.
import { part } from './page.ts';

/** What makes the fields taller; both bring the document in line with what holds when they are called. */
type Growth = { readonly show: () => void; readonly hide: () => void };

/** A page that gives no room still gets the text. */
const PATIENCE_MS = 300;

const waiting: Growth[] = [];
let tell: ((pixels: number) => void) | undefined;
let told = 0;
let needed = 0;
let timer = 0;

/** Shows it now where there is room, else as soon as the page has given some. */
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
 * Tells the height, now and whenever it changes. A frame out of view gets no ResizeObserver, so our own changes are
 * followed as well.
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
