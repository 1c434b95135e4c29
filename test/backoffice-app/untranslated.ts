// Reads the web app's sources as a tree, and finds what a person would read there and no catalogue would know: a text
// outside of `t`, `plural` and `rich`. What looks like a text is decided by where it stands, and elsewhere by how it is
// written.
import { parseAst } from 'rolldown/parseAst';

export type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
};
type Above = readonly { readonly node: Node; readonly at: string }[];
export type Found = { readonly node: Node; readonly text: string; readonly above: Above };
/** A call of one of the functions that translate, with the texts it may be given. */
export type Call = {
  readonly by: string;
  readonly keys: readonly string[];
  readonly node: Node;
  readonly text?: string;
};

const TELLERS = ['t', 'plural', 'rich'];

/** Attributes that are always read, also when it is one small word. */
const READ =
  /^(?:label|title|placeholder|description|lead|text|act|submit|yes|said|note|unit|alt|hint|aria-label|aria-description|aria-roledescription)$/;
/** Attributes, members and calls whose texts are for the machine, however they look. */
const MACHINE =
  /^(?:className|classNames|d|viewBox|autoComplete|transform|points|strokeDasharray|accept|rel|sizes|style|href|src|policy|allow)$/;
const MACHINE_CALLS =
  /^(?:querySelector|querySelectorAll|closest|matches|fetch|Error|TypeError|RegExp|Intl|createElement)$/;

/** The same in every language: names of companies, products and standards, and what a program reads. */
const NAMES = new Set([
  'Florin',
  'Visa',
  'Mastercard',
  'American Express',
  'Diners Club',
  'Discover',
  'UnionPay',
  'Maestro',
  'Bancontact',
  'Edge',
  'Opera',
  'Samsung Internet',
  'Firefox',
  'Chrome',
  'Safari',
  'Android',
  'ChromeOS',
  'Windows',
  'Linux',
  '3-D Secure',
  'English',
  'Français',
  '{} · Florin',
  '{} UTC',
  '({} UTC)',
  'ms',
  '{} ms',
  '{}, {} ms',
  'HTTP {}',
  ', HTTP {}',
  'Control+K Meta+K',
  'Ctrl K',
  'j',
  'k',
]);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export function treeOf(path: string, text: string): Node {
  const tree: unknown = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts', astType: 'ts' });
  if (!isNode(tree)) throw new Error('a program is a tree');
  return tree;
}

function walk(node: Node, above: Above, see: (node: Node, above: Above) => void): void {
  see(node, above);
  for (const [at, value] of Object.entries(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) walk(child, [{ node, at }, ...above], see);
}

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  if (node.type === 'MemberExpression') return nameOf(node['property']);
  const { name = node['value'] } = node;
  return isNode(name) ? nameOf(name) : typeof name === 'string' ? name : '';
};

/** The text of a literal or of the fixed parts of a template. */
function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText') return String(node['value']);
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('{}');
}

/** An address is not read. */
const hasWords = (text: string) => /\p{L}/u.test(text.replaceAll('{}', '')) && !/^https?:\/\/\S*$/.test(text);

/** Two words, or one that begins with a capital. */
const looksRead = (text: string) =>
  (/^[^\p{L}]*\p{Lu}\p{Ll}/u.test(text) ||
    /\p{L}[,.;:!?…]? \p{L}|\p{L}[,.:;]? \{\}|\{\} \p{L}|\d \p{L}{3}/u.test(text)) &&
  !/^[a-z0-9_ ]*_[a-z0-9_ ]*$|^(?:GET|POST|PUT|DELETE|PATCH) \/|^<svg|sans-serif$|^[.#[]|^x-|\/\{\}|^[A-Z][a-zA-Z]+\/[A-Z]/.test(
    text,
  );

type Place = 'read' | 'machine' | 'open';

function placeOf(above: Above): Place {
  for (const [i, { node, at }] of above.entries()) {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      if (at !== 'arguments') continue;
      const name = nameOf(node['callee']);
      if (TELLERS.includes(name)) return 'machine';
      // an error that is made to be shown is read
      if (name === 'Error' && above.slice(i).some((one) => nameOf(one.node['callee']) === 'tellError')) return 'read';
      if (MACHINE_CALLS.test(name)) return 'machine';
      return 'open';
    }
    if (/^(?:Import|Export(?:All|Named))/.test(node.type) && at === 'source') return 'machine';
    if (/^TS(?!As|Satisfies|NonNull)/.test(node.type)) return 'machine';
    if (node.type === 'TaggedTemplateExpression') return 'machine';
    if (node.type === 'BinaryExpression' && /^[!=]=|^in/.test(String(node['operator']))) return 'machine';
    if (node.type === 'SwitchCase' && at === 'test') return 'machine';
    if (node.type === 'MemberExpression' && at === 'property') return 'machine';
    if (node.type === 'Property') {
      if (at === 'key') return 'machine';
      if (MACHINE.test(nameOf(node['key']))) return 'machine';
      if (READ.test(nameOf(node['key']))) return 'read';
      return 'open';
    }
    if (node.type === 'JSXAttribute') {
      const name = nameOf(node['name']);
      if (name === 'key' || MACHINE.test(name)) return 'machine';
      return READ.test(name) ? 'read' : 'open';
    }
    if (node.type === 'ConditionalExpression' && at === 'test') return 'open';
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') return 'read';
    if (/Function|Statement|Declarat/.test(node.type) && i > 0) return 'open';
  }
  return 'open';
}

/** Within <code>: what is typed or pasted. */
const isCode = ([parent]: Above) => {
  const opening = parent?.node['openingElement'];
  return isNode(opening) && nameOf(opening['name']) === 'code';
};

/** What a person would read and what nothing translates. */
export function untranslated(tree: Node): readonly Found[] {
  const found: Found[] = [];
  walk(tree, [], (node, above) => {
    const text = textOf(node);
    if (text === undefined || !hasWords(text) || NAMES.has(text.trim())) return;
    if (above.some(({ node: upper }) => found.some((one) => one.node === upper))) return;
    const place = node.type === 'JSXText' ? (isCode(above) ? 'machine' : 'read') : placeOf(above);
    if (place === 'read' || (place === 'open' && looksRead(text))) found.push({ node, text, above });
  });
  return found;
}

/** What calls of the functions that translate are given; `text` is undefined where it is no text that stands there. */
export function callsOf(tree: Node): readonly Call[] {
  const calls: Call[] = [];
  walk(tree, [], (node) => {
    const by = nameOf(node['callee']);
    if (node.type !== 'CallExpression' || !isNode(node['callee']) || node['callee'].type !== 'Identifier') return;
    if (!TELLERS.includes(by)) return;
    const given = node['arguments'] as readonly Node[];
    const texts = by === 'plural' ? given.slice(1, 3) : given.slice(0, 1);
    calls.push({ by, keys: texts.flatMap(literalsIn), node });
  });
  return calls;
}

function literalsIn(node: Node): readonly string[] {
  if (node.type === 'ConditionalExpression')
    return [node['consequent'], node['alternate']].filter(isNode).flatMap(literalsIn);
  const text = node.type === 'Literal' ? textOf(node) : undefined;
  return text === undefined ? ['?'] : [text];
}
