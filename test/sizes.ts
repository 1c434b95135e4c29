// How much is drawn at random. `npm test` takes a part of it, and the first rows of what is
// the same again in another look; the longer forms take all that a release is measured by.
const FULL = process.env['FLORIN_TEST_FULL'] === '1';

/** `setting`: an environment variable that says another number, as for a night's run. */
export function sizeOf(setting: string, { usual, full }: { readonly usual: number; readonly full: number }): number {
  return Number(process.env[setting] ?? (FULL ? full : usual));
}

/** The first of the rows in `npm test`, all of them in the longer forms. */
export function rowsOf<T>(rows: readonly T[], usual: number): readonly T[] {
  return FULL ? rows : rows.slice(0, usual);
}
