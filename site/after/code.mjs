// Code as Expressive Code writes it, packed: it says the same in a quarter of the size. A line is a line of text and no element, and
// neighbours of one colour are one element. The copy button is made by a script (src/page.ts).

const BLOCK = /<div class="expressive-code">[\s\S]*?<\/figure><\/div>/g;

export function packCode(html) {
  return html.replace(BLOCK, packed);
}

function packed(block) {
  const [, language, code] = /<pre data-language="(\w+)"[^>]*><code>([\s\S]*)<\/code><\/pre>/.exec(block) ?? [];
  if (code === undefined) throw new Error(`not how code was written until now: ${block.slice(0, 300)}`);
  const title = /<span class="title">([\s\S]*?)<\/span>/.exec(block)?.[1] ?? '';
  const lines = code
    .split('<div class="ec-line">')
    .slice(1)
    .map((line) => lineOf(line.replace(/^<div class="code">/, '').replace(/(?:<\/div>)+$/, '')));
  const pre = `<pre data-language="${language}" tabindex="0"><code>${lines.join('\n')}</code></pre>`;
  return title === ''
    ? `<div class="code not-content">${pre}</div>`
    : `<figure class="code not-content"><figcaption>${title}</figcaption>${pre}</figure>`;
}

function lineOf(line) {
  const parts = [];
  for (const [, style, text] of line
    .replace(/<span class="indent">((?:<span[^>]*>)?)(\s*)((?:<\/span>)?)<\/span>/g, '$1$2$3')
    .matchAll(/(?:<span style="([^"]*)">)?([^<]+)(?:<\/span>)?/g)) {
    const last = parts.at(-1);
    // white space has no colour: it goes with what stands before it
    if (last && (last.style === style || text.trim() === '')) last.text += text;
    else parts.push({ style: text.trim() === '' ? undefined : style, text });
  }
  return parts
    .map(({ style, text }) => (style === undefined ? text : `<span style="${style}">${text}</span>`))
    .join('')
    .trimEnd();
}
