// The look of a hosted page: our style sheet and the merchant's colours.
import { readFileSync } from 'node:fs';
import { hashSource } from '../../../kit/http/page.ts';
import { oneScript } from '../../../kit/web/script.ts';
import { type Colours, themeOf } from '../../../core/payer/colours.ts';

const fileOf = (name: string) => readFileSync(new URL(`../../../../web/page/${name}`, import.meta.url), 'utf8');
const STYLE = fileOf('colours.css') + fileOf('pay.css') + fileOf('link.css');
export const SCRIPT = oneScript(fileOf('wallets.js'), fileOf('pay.js'));

export const SCRIPT_HASH = hashSource(SCRIPT);

const styles = new Map<string, string>();
const MAX_STYLES = 1000;

/** The whole style sheet of a page in these colours; `brand` gives the names of the payment element's variables. */
export function styleOf(colours: Colours, brand: string): string {
  const name = [brand, ...Object.values(colours)].join(' ');
  const known = styles.get(name);
  if (known !== undefined) return known;
  const style = `${STYLE.replaceAll('florin-', `${brand}-`)}
${rootOf(colours, 'light')}
@media (prefers-color-scheme: dark) {
${rootOf(colours, 'dark')}
}
`;
  if (styles.size < MAX_STYLES) styles.set(name, style);
  return style;
}

function rootOf(colours: Colours, screen: 'light' | 'dark'): string {
  const { accent, on_accent, panel, panel_ink, panel_soft, panel_edge } = themeOf(colours, screen);
  return `:root { --accent: ${accent}; --on-accent: ${on_accent}; }
:root { --panel: ${panel}; --panel-ink: ${panel_ink}; --panel-soft: ${panel_soft}; --panel-edge: ${panel_edge}; }`;
}
