// What a merchant copies from examples/, as the tests call it.
import { spawnSync } from 'node:child_process';

type Answer = {
  readonly result: { readonly code: string; readonly description: string };
  readonly redirect_url?: string;
};

const module_url = new URL('../../examples/node/outcome.mjs', import.meta.url).href;
const outcome: { whatNow(answer: Answer): string } = await import(module_url);

export const whatNow = (answer: Answer): string => outcome.whatNow(answer);

/** Whether the machine has a program: tests over it are left out without, and say so. */
export const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
