// Whether a drawing that an operator drops in may be served from our origin. It is read as strict XML and every element
// must be on a list: a list of what is bad is never complete (a <set> can write an href, a prefix can hide a <script>).

const ELEMENTS = new Set(
  (
    'svg g defs symbol use switch title desc style path rect circle ellipse line polyline polygon text tspan textPath ' +
    'linearGradient radialGradient stop pattern clipPath mask marker filter'
  ).split(' '),
);
const FILTER_STEP = /^fe[A-Z][A-Za-z]+$/;
// A logo is a few thousand characters; a bound keeps what follows fast.
const LONGEST = 500_000;
const NAMESPACE = 'http://www.w3.org/2000/svg';

// XML knows four blanks, `\s` knows more; where two parsers differ, an attack hides.
const DECLARATION = /^\uFEFF?(?:<\?xml[ \t\r\n][^<>?]*\?>)?/;
const ATTRIBUTE = /[ \t\r\n]+([A-Za-z_][\w:.-]*)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/;
// A comment that HTML would end earlier is none.
const PIECES = [
  /<!--(?!-?>)(?:[^-]|-[^-])*-->/,
  /<!\[CDATA\[(?<cdata>(?:[^\]]|\](?!\]>))*)\]\]>/,
  new RegExp(`<(?<open>[A-Za-z][\\w:.-]*)(?<attributes>(?:${ATTRIBUTE.source})*)[ \\t\\r\\n]*(?<empty>/?)>`),
  /<\/(?<close>[A-Za-z][\w:.-]*)[ \t\r\n]*>/,
  /(?<text>[^<]+)/,
];
const PIECE = new RegExp(PIECES.map((piece) => piece.source).join('|'), 'gy');

type Groups = Readonly<Record<string, string | undefined>>;
type Reading = { readonly open: string[]; closed: boolean; style: string };

/** Why this drawing must not be served; undefined: it may be. */
export function refuseUnsafeSvg(text: string): string | undefined {
  if (text.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  // Escape bytes and a declared encoding can make a browser see other markup than we do.
  if (/[^\t\n\r -\uFFFC]/.test(text)) return 'it is not plain UTF-8 text';
  const declaration = DECLARATION.exec(text)?.[0] ?? '';
  const encoding = /encoding[ \t\r\n]*=[ \t\r\n]*["']([^"']*)/.exec(declaration)?.[1] ?? 'utf-8';
  if (encoding.toLowerCase() !== 'utf-8') return `its encoding is ${encoding}, not UTF-8`;

  const body = text.slice(declaration.length);
  const reading: Reading = { open: [], closed: false, style: '' };
  let end = 0;
  for (const match of body.matchAll(PIECE)) {
    const refused = refusePiece(match.groups ?? {}, reading);
    if (refused !== undefined) return refused;
    end = match.index + match[0].length;
  }
  if (end < body.length) return refuseRest(body.slice(end, end + 12));
  if (!reading.closed) return 'it is not one whole <svg> element';
  return refuseStyle(reading.style, 'its <style>');
}

function refuseRest(rest: string): string {
  if (/^<!(?:doctype|entity)/i.test(rest)) return 'it has a document type, which may define entities';
  return rest.startsWith('<?') ? 'it has a processing instruction' : 'it is not well-formed XML';
}

function refusePiece(piece: Groups, reading: Reading): string | undefined {
  if (piece['open'] !== undefined) return refuseElement(piece['open'], piece, reading);
  if (piece['close'] !== undefined) {
    if (reading.open.pop() !== piece['close']) return 'it is not well-formed XML';
    reading.closed = reading.open.length === 0;
    return undefined;
  }
  const characters = piece['cdata'] ?? decode(piece['text'] ?? '');
  if (characters === undefined) return 'it uses an entity';
  if (reading.open.length === 0 && characters.trim() !== '') return 'it has text outside of its <svg>';
  if (reading.open.at(-1) === 'style') reading.style += characters;
  return undefined;
}

function refuseElement(name: string, piece: Groups, reading: Reading): string | undefined {
  if (!ELEMENTS.has(name) && !FILTER_STEP.test(name)) return `it has a <${name}> element`;
  const root = reading.open.length === 0;
  if (root && (reading.closed || name !== 'svg')) return 'it is not one whole <svg> element';
  if (reading.open.at(-1) === 'style') return 'its <style> has markup';

  let named = false;
  for (const [, key = '', double, single] of (piece['attributes'] ?? '').matchAll(new RegExp(ATTRIBUTE, 'g'))) {
    const value = decode(double ?? single ?? '');
    const refused = value === undefined ? 'it uses an entity' : refuseAttribute(key.toLowerCase(), value);
    if (refused !== undefined) return refused;
    named ||= key === 'xmlns';
  }
  if (root && !named) return 'its <svg> does not name the SVG namespace';
  if (piece['empty'] === '') reading.open.push(name);
  else reading.closed ||= root;
  return undefined;
}

function refuseAttribute(key: string, value: string): string | undefined {
  const local = key.slice(key.indexOf(':') + 1);
  if (local.startsWith('on')) return `it has the event handler ${key}`;
  // A browser drops blanks and controls from an address before it looks at the scheme.
  if (/javascript:/i.test(value.replace(/[^!-~]/g, ''))) return `its ${key} is a javascript: address`;
  if (local === 'href' && !value.startsWith('#')) return `its ${key} points outside of the drawing`;
  if (key === 'xml:base' || local === 'src') return `its ${key} points outside of the drawing`;
  if (key === 'xmlns') return value === NAMESPACE ? undefined : 'it has elements that are not SVG';
  return key.includes(':') ? undefined : refuseStyle(value, `its ${key}`);
}

/** CSS fetches by url() and @import; an escape can hide either, and a drawing needs none. */
function refuseStyle(css: string, where: string): string | undefined {
  if (/[\\<@]/.test(css)) return `${where} has an at-rule, an escape or markup`;
  const outside = /url\((?![ \t\r\n]*["']?#)|(?:image-set|image|src|expression)\(|\/\/|javascript:/i;
  return outside.test(css) ? `${where} points outside of the drawing` : undefined;
}

const NAMED = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** Character numbers and the five names of XML itself; undefined for any other entity. */
function decode(text: string): string | undefined {
  const pieces = text.split('&').map((piece, i) => {
    if (i === 0) return piece;
    const [, number, name = ''] = /^(?:#(x[\da-fA-F]{1,6}|\d{1,7})|(\w+));/.exec(piece) ?? [];
    const character = number === undefined ? NAMED.get(name) : characterOf(number);
    return character === undefined ? undefined : character + piece.slice(piece.indexOf(';') + 1);
  });
  return pieces.includes(undefined) ? undefined : pieces.join('');
}

function characterOf(number: string): string | undefined {
  const code = number.startsWith('x') ? Number.parseInt(number.slice(1), 16) : Number(number);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
