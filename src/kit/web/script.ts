/**
 * One script of several files that import from each other, those that are imported first; its comments are for who
 * reads the files.
 */
export function oneScript(...files: readonly string[]): string {
  const code = files.map((text) =>
    text.replaceAll(/^import .*\n/gm, '').replaceAll(/^export (?=function |const )/gm, ''),
  );
  return code.join('').replaceAll(/^ *\/\/.*\n/gm, '');
}
