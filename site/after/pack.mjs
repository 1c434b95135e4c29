// What every page repeats, said shortly: pictures of the menu bar stand in one file, names of classes are as short as they can be,
// and what other sites would show of a link is left out.
import { createHash } from 'node:crypto';

const UNASKED = /<meta (?:property="og:|name="(?:twitter:|generator"))[^>]*>/g;
/** What the search has read by now, and what nothing asks for: all of our code is written from left to right. */
const READ = /\s(?:data-pagefind-(?:weight="\d+"|ignore|body)|dir="auto")(?=[\s>])/g;
/** An entry of the list of headings, in which each part says how deep it is: to say it once is enough. */
const ENTRY = /<li class="(astro-\w+)( sx\w+)"><a( href="[^"]*") class="\1\2"><span class="\1\2">([^<]*)<\/span>/g;
const ICON = /(<svg [^>]*viewBox="0 0 24 24"[^>]*>)(<path d="[^"]*"\s*\/?>(?:<\/path>)?)<\/svg>/g;
/** What Astro calls the parts of its components, and what ./strict.mjs calls styles. */
const LONG = /\b(?:astro-[a-z0-9]{8}|sx[0-9a-f]{8})\b/g;

export class Pack {
  icons = new Map();

  page(html) {
    return html
      .replace(UNASKED, '')
      .replace(READ, '')
      .replace(/(?<=<\/?(?:table|thead|tbody|tr|th|td)>)\n(?=<\/?(?:table|thead|tbody|tr|th|td)\b)/g, '')
      .replace(ICON, (_, open, path) => {
        if (!this.icons.has(path)) this.icons.set(path, `i${this.icons.size}`);
        return `${open}<use href="@icons#${this.icons.get(path)}"/></svg>`;
      });
  }

  /** To be called when `page` has seen every page. */
  named(html) {
    return html
      .replace(ENTRY, '<li class="$1$2"><a$3 class="$1">$4')
      .replaceAll('"@icons#', `"/docs/${this.sheetName()}#`);
  }

  sheet() {
    const symbols = [...this.icons].map(([path, id]) => `<symbol id="${id}" viewBox="0 0 24 24">${path}</symbol>\n`);
    return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('').replace(/"><\/path>/g, '"/>')}</svg>\n`;
  }

  sheetName() {
    return `assets/icons-${createHash('sha256').update(this.sheet()).digest('hex').slice(0, 8)}.svg`;
  }
}

/**
 * Texts with short names in the place of long ones: the same in pages, style sheets and scripts. A name is shortened by itself alone,
 * so that a file whose name has the hash of what was in it is still the same under that name.
 */
export function shortNames(texts) {
  const names = new Set([...texts.values()].flatMap((text) => text.match(LONG) ?? []));
  const short = new Map([...names].map((name) => [name, shortOf(name)]));
  if (new Set(short.values()).size < short.size) throw new Error('two names become one: keep more of them');
  return new Map([...texts].map(([file, text]) => [file, text.replace(LONG, (name) => short.get(name))]));
}

function shortOf(name) {
  return name.startsWith('sx') ? `s${name.slice(2, 6)}` : `_${name.slice(6, 10)}`;
}
