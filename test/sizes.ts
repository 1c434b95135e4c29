// How much is drawn at random. `npm test` takes a part of it; `npm run test:full` takes all that a release is measured by.
const FULL = process.env['FLORIN_TEST_FULL'] === '1';

/** `setting`: an environment variable that says another number, as for a night's run. */
export function sizeOf(setting: string, { usual, full }: { readonly usual: number; readonly full: number }): number {
  return Number(process.env[setting] ?? (FULL ? full : usual));
}
