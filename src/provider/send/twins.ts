// Names that are two to us and one to some reader: many take a name in any case, and the last of two; others drop
// blanks around it, or read a dot as an underscore. What is pinned at one of them could be overruled by the other.

export function hasTwins(names: readonly string[]): boolean {
  return new Set(names.map(lenient)).size < names.length;
}

// first upper case: some signs are a letter of ours only there
const lenient = (name: string) => name.trim().toUpperCase().toLowerCase().replaceAll(/[\s.]/g, '_');

const MOST_LEVELS = 8;

/**
 * Has a form two keys that mean the same? Also `a[]` or `a[b]` beside an `a`, whose value some servers take in its
 * place.
 */
export function hasFormTwins(keys: readonly string[]): boolean {
  const parts = keys.map((key) => key.split('[', MOST_LEVELS + 1));
  if (parts.some(({ length }) => length > MOST_LEVELS)) return true;
  const groups = parts.flatMap((levels) => levels.slice(1).map((_, at) => levels.slice(0, at + 1).join('[')));
  return hasTwins([...keys, ...new Set(groups)]);
}
