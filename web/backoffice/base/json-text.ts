// Lays out JSON from other programs sign by sign. A number keeps its form, and a masked or cut text, which no parser
// accepts, is laid out too.

const TOKEN = /"(?:\\.|[^"\\])*"?|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** A text that is not JSON stays as it is. */
export function laidOut(text: string): string {
  if (!/^\s*(?:\{\s*["}]|\[\s*["{[\]])/.test(text)) return text;
  const end = text.search(/\n\[cut here: [^\n]*\]$/);
  const json = end < 0 ? text : text.slice(0, end);
  let depth = 0;
  let out = '';
  const line = () => `\n${'  '.repeat(Math.max(0, depth))}`;
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      depth++;
      out += token + line();
    } else if (token === '}' || token === ']') {
      depth--;
      out += line() + token;
    } else if (token === ',') out += token + line();
    else out += token === ':' ? ': ' : token;
  }
  return out + (end < 0 ? '' : text.slice(end));
}
