// How the form should look: the page's style variables, its font, and whether it is a light or a dark place.
import { STYLE_VARIABLES, type Look, type Theme } from '../../messages.ts';
import { named } from './build.ts';

/** Reads the variables that hold for the form, wherever the page has set them. */
export function lookOf(form: HTMLElement): Look {
  const style = getComputedStyle(form);
  const variables: Record<string, string> = {};
  for (const name of STYLE_VARIABLES) {
    const value = style.getPropertyValue(`--${named(name)}`).trim();
    if (value !== '') variables[name] = value;
  }
  variables['font-family'] ??= style.fontFamily;
  return { theme: themeOf(form, style), variables };
}

/** `--florin-theme` decides; else the ground the form stands on. */
function themeOf(form: HTMLElement, style: CSSStyleDeclaration): Theme {
  const wanted = style.getPropertyValue(`--${named('theme')}`).trim();
  if (wanted === 'dark' || wanted === 'light') return wanted;
  for (let place: HTMLElement | null = form; place; place = place.parentElement) {
    const brightness = brightnessOf(getComputedStyle(place).backgroundColor);
    if (brightness !== undefined) return brightness < 0.4 ? 'dark' : 'light';
  }
  return (canvasBrightness(form) ?? 1) < 0.4 ? 'dark' : 'light';
}

/** Nothing is painted: the browser's own ground, which follows the page's color-scheme and the payer's choice. */
function canvasBrightness(form: HTMLElement): number | undefined {
  const probe = document.createElement('span');
  probe.style.backgroundColor = 'Canvas';
  form.append(probe);
  const brightness = brightnessOf(getComputedStyle(probe).backgroundColor);
  probe.remove();
  return brightness;
}

/** 0 black to 1 white; undefined where nothing is painted. */
function brightnessOf(color: string): number | undefined {
  const [r = 0, g = 0, b = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  if (!color.startsWith('rgb') || alpha < 0.5) return undefined;
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

/** Calls when what the page looks like may have changed. Answers how to stop. */
export function watchLook(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(changed);
  for (const place of [document.documentElement, document.body])
    observer.observe(place, { attributes: true, attributeFilter: ['class', 'style', 'data-theme'] });
  dark.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', changed);
  };
}
