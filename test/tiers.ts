// Which form of the tests runs a file (vitest.config.ts).
import { matchesGlob } from 'node:path';
import { projectsOf } from '../vitest.config.ts';

/** What a form runs, by its settings. */
export function runsIn(mode: string): (file: string) => boolean {
  const fits = (file: string, patterns: readonly string[] = []) => patterns.some((one) => matchesGlob(file, one));
  const settings = projectsOf(mode).map((project) => project.test ?? {});
  return (file) => settings.some(({ include, exclude }) => fits(file, include) && !fits(file, exclude));
}

/** The quickest form that runs a file. */
export function modeOf(file: string): 'test' | 'rest' {
  const mode = (['test', 'rest'] as const).find((one) => runsIn(one)(file));
  if (mode === undefined) throw new Error(`neither npm test nor npm run test:rest runs ${file}`);
  return mode;
}
