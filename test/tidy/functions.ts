// Finds the functions of a file that have a body, by their brackets: declarations, expressions, arrows, methods.
import { brackets, split } from './rule.ts';

export type Found = {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /**
   * Those of a function we named ourselves (`function f`, `const f =`); undefined where somebody else sets the
   * signature.
   */
  readonly parameters: readonly string[] | undefined;
};

const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'await', 'return']);

/** `code` is that of a lexed file: no comments, no texts. */
export function functionsOf(code: string): Found[] {
  const closes = brackets(code);
  const found = new Map<number, Found>();
  for (const [open, close] of [...closes].toSorted(([a], [b]) => a - b)) {
    if (code[open] !== '(') continue;
    const { name, start, named } = header(code, open);
    const body = CONTROL.has(name) ? undefined : bodyAfter(code, close + 1, closes);
    // seen already: what stood there was part of a type
    if (body === undefined || found.has(body)) continue;
    const parameters = named ? split(code.slice(open + 1, close)) : undefined;
    found.set(body, { name, start, end: closes.get(body) ?? body, parameters });
  }
  for (const match of code.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*\s*=>\s*(?=[{([])/g)) {
    const body = match.index + match[0].length;
    if (!found.has(body)) {
      found.set(body, { name: 'an arrow', start: match.index, end: closes.get(body) ?? body, parameters: undefined });
    }
  }
  return [...found.values()].toSorted((a, b) => a.start - b.start);
}

/** What stands before the bracket that opens the parameters. */
function header(code: string, open: number): { name: string; start: number; named: boolean } {
  const before = withoutGenerics(code.slice(Math.max(0, open - 600), open).trimEnd());
  const start = Math.max(0, open - 600) + before.length;
  const declared = /\bfunction\b\s*\*?\s*([\w$]*)$/.exec(before);
  if (declared) return { name: declared[1] || 'a function', start: start - declared[0].length, named: true };
  const assigned = /\b(?:const|let)\s+([\w$]+)\s*(?::[^=;]+)?=\s*(?:async\s*)?$/.exec(before);
  if (assigned) return { name: assigned[1] ?? '', start: start - assigned[0].length, named: true };
  const method = /([#\w$]+)$/.exec(before.replace(/\basync$/, ''));
  const extended = /\bextends\s+[\w$.]+$/.test(before);
  return {
    name: extended ? 'if' : (method?.[1] ?? 'an arrow'),
    start: start - (method?.[0].length ?? 0),
    named: false,
  };
}

function withoutGenerics(before: string): string {
  if (!before.endsWith('>') || before.endsWith('=>')) return before;
  let depth = 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    if (before[i] === '>' && before[i - 1] !== '=') depth += 1;
    if (before[i] === '<') depth -= 1;
    if (depth === 0) return before.slice(0, i).trimEnd();
  }
  return before;
}

/**
 * Where the body opens, after the parameters and perhaps the type of what is returned; undefined: this was no function.
 */
function bodyAfter(code: string, from: number, closes: ReadonlyMap<number, number>): number | undefined {
  const at = skipBlank(code, from);
  if (code[at] === '{') return at;
  if (code.startsWith('=>', at)) return arrowBody(code, at + 2);
  return code[at] === ':' ? bodyAfterType(code, at + 1, closes) : undefined;
}

function arrowBody(code: string, from: number): number | undefined {
  const at = skipBlank(code, from);
  return '{(['.includes(code[at] ?? ' ') ? at : undefined;
}

/** Brackets in a type that hold parameters, not another type. */
const PARAMETERS = /^\(\s*(?:\)|\.\.\.|[{[]|[\w$]+\s*[:,?=)])/;

/** Reads a type: what may follow tells its `{` from that of the body. */
function bodyAfterType(code: string, from: number, closes: ReadonlyMap<number, number>): number | undefined {
  let wanted = true;
  let list = false;
  for (let at = skipBlank(code, from); at < code.length; at = skipBlank(code, at)) {
    const c = code.charAt(at);
    const word = /^[\w$]+/.exec(code.slice(at, at + 80))?.[0];
    if (code.startsWith('=>', at)) {
      if (!list) return arrowBody(code, at + 2);
      wanted = true;
      at += 2;
    } else if (c === '{' && !wanted) {
      return at;
    } else if ('{(['.includes(c)) {
      list = c === '(' && wanted && PARAMETERS.test(code.slice(at, at + 200));
      wanted = false;
      at = (closes.get(at) ?? code.length) + 1;
      continue;
    } else if (word !== undefined) {
      const joins = /^(?:is|extends|keyof|typeof|readonly|asserts|unique|infer|new)$/.test(word);
      if (!wanted && !joins) return undefined;
      wanted = joins;
      at += word.length;
    } else if ('|&.'.includes(c)) {
      wanted = true;
      at += 1;
    } else if (c === '<') {
      at = afterGenerics(code, at);
    } else if ('\'"`'.includes(c) && wanted) {
      wanted = false;
      at = code.indexOf(c, at + 1) + 1;
    } else return undefined;
    list = false;
  }
  return undefined;
}

function afterGenerics(code: string, from: number): number {
  let depth = 0;
  for (let i = from; i < code.length; i += 1) {
    if (code[i] === '<') depth += 1;
    if (code[i] === '>' && code[i - 1] !== '=') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return code.length;
}

function skipBlank(code: string, from: number): number {
  let at = from;
  while (at < code.length && code.charAt(at).trim() === '') at += 1;
  return at;
}
