// The look of the form: the page's style variables, its font, and whether its background is light or dark.
import { STYLE_VARIABLES, type Look } from '../../messages.ts';
import { named } from './build.ts';

/** Reads the variables that apply to the form, wherever the page has set them. */
export function lookOf(form: HTMLElement): Look {
  const style = getComputedStyle(form);
  const variables: Record<string, string> = {};
  for (const name of STYLE_VARIABLES) {
    const value = style.getPropertyValue(`--${named(name)}`).trim();
    if (value !== '') variables[name] = value;
  }
  variables['font-family'] ??= style.fontFamily;
  const ground = groundOf(form);
  // the fields get the same background, so that a browser or a contrast checker sees what the payer sees
  if (ground.plain) variables['color-ground'] ??= ground.color;
  const wanted = style.getPropertyValue(`--${named('theme')}`).trim();
  if (wanted === 'dark' || wanted === 'light') return { theme: wanted, variables };
  return { theme: brightnessOf(ground.color) < 0.4 ? 'dark' : 'light', variables };
}

type Ground = { readonly color: string; /** True if the background is one plain colour. */ readonly plain: boolean };

/**
 * The background of the form: the nearest painted element, or the browser's own background, which follows the page's
 * color-scheme.
 */
function groundOf(form: HTMLElement): Ground {
  let plain = true;
  for (let place: HTMLElement | null = form; place; place = place.parentElement) {
    const { backgroundColor, backgroundImage } = getComputedStyle(place);
    plain &&= backgroundImage === 'none' && isOpaqueOrNone(backgroundColor);
    if (alphaOf(backgroundColor) >= 0.5) return { color: backgroundColor, plain };
  }
  const probe = document.createElement('span');
  probe.style.backgroundColor = 'Canvas';
  // beside the parts, because their own color-scheme would change the result
  (form.shadowRoot ?? form).append(probe);
  const { backgroundColor } = getComputedStyle(probe);
  probe.remove();
  return { color: backgroundColor, plain };
}

/** Red, green and blue of a computed colour, 0 to 255, and its alpha; forms other than rgb() count as white. */
function partsOf(color: string): readonly number[] {
  const parts = color.startsWith('rgb') ? (color.match(/[\d.]+/g) ?? []).map(Number) : [255, 255, 255];
  return parts.length === 3 ? [...parts, 1] : parts;
}

function alphaOf(color: string): number {
  return partsOf(color)[3] ?? 1;
}

function isOpaqueOrNone(color: string): boolean {
  return alphaOf(color) === 1 || alphaOf(color) === 0;
}

/** 0 is black, 1 is white. */
function brightnessOf(color: string): number {
  const [r = 0, g = 0, b = 0] = partsOf(color);
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

/** Calls `changed` if the page's look may have changed. Returns a function that stops it. */
export function watchLook(form: HTMLElement, changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(changed);
  for (let place = form.parentElement; place; place = place.parentElement)
    observer.observe(place, { attributes: true, attributeFilter: ['class', 'style', 'data-theme'] });
  dark.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', changed);
  };
}
