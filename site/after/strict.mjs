// Makes pages that stand under a policy without 'unsafe-inline': what stands in `style` becomes a class of one style sheet, and
// what stands between <script> and </script> becomes a file.
import { createHash } from 'node:crypto';

const BASE = '/docs/';
/** Stands in the pages for the name of the style sheet until all of it is known. */
const SHEET = 'assets/inline.css';

export class Strict {
  classes = new Map();
  scripts = new Map();

  page(html) {
    return html
      .replace(/<script([^>]*)>([\s\S]*?)<\/script>/g, (whole, attributes, code) =>
        this.script(whole, attributes, code),
      )
      .replace(/<([a-z][\w-]*)((?:\s+[^\s=>"']+(?:="[^"]*")?)*)(\s*\/?)>/g, (whole, name, attributes, end) =>
        this.element(whole, name, attributes, end),
      )
      .replace('</head>', `<link rel="stylesheet" href="${BASE}${SHEET}"></head>`);
  }

  /** Name and text of what the pages ask for beside what Astro wrote. */
  files() {
    return new Map([[this.sheetName(), this.sheet()], ...[...this.scripts].map(([code, name]) => [name, code])]);
  }

  /** To be called when `page` has seen every page. */
  named(html) {
    return html.replace(`"${BASE}${SHEET}"`, `"${BASE}${this.sheetName()}"`);
  }

  sheet() {
    return [...this.classes]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, style]) => colours(name, style) ?? `.${name}.${name}{${style}}\n`)
      .join('');
  }

  sheetName() {
    return SHEET.replace('.css', `-${hashOf(this.sheet())}.css`);
  }

  script(whole, attributes, code) {
    if (/\ssrc=/.test(attributes) || /type="application\/(?:ld\+)?json"/.test(attributes)) return whole;
    const name = `assets/in-${hashOf(code)}.js`;
    this.scripts.set(code, name);
    return `<script${attributes} src="${BASE}${name}"></script>`;
  }

  element(whole, name, attributes, end) {
    const style = /\sstyle="([^"]*)"/.exec(attributes);
    if (!style) return whole;
    const css = style[1]
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
      .replace(/;\s*$/, '');
    const rest = attributes.replace(style[0], '');
    if (css === '') return `<${name}${rest}${end}>`;
    const own = `sx${hashOf(css)}`;
    this.classes.set(own, css);
    const known = /\sclass="([^"]*)"/.exec(rest);
    const classed = known ? rest.replace(known[0], ` class="${known[1]} ${own}"`) : `${rest} class="${own}"`;
    return `<${name}${classed}${end}>`;
  }
}

/** Code has a colour for the dark and one for the light. */
function colours(name, style) {
  const [, dark, light] = /^--0:(#\w+);--1:(#\w+)/.exec(style) ?? [];
  return dark === undefined ? undefined : `.${name}{color:${light}}[data-theme=dark] .${name}{color:${dark}}\n`;
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
