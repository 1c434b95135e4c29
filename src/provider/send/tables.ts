// The tables of steps, which stand beside the providers as data and nothing else: read at the start, by the names that
// the operator gives, so that a sender knows no provider's code. Their hash is what the operator signs.
import { existsSync, readdirSync } from 'node:fs';
import { StartError, whyNot } from '../../kit/start-error.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { Steps } from '../contract.ts';
import { stepsOf } from './table-form.ts';

export type Table = {
  /** The name of the folder. */
  readonly name: string;
  readonly steps: Steps;
  /** SHA-256, hex, of name and steps as canonical JSON: members sorted, nothing between them. */
  readonly hash: string;
};

export type LoadTable = (name: string) => Promise<Table>;

const FOLDER = new URL('../', import.meta.url);

/** Throws a StartError that names everything that is wrong with it. `folder`: whose folders hold the tables. */
export async function loadTable(name: string, folder: URL = FOLDER): Promise<Table> {
  if (!/^[a-z0-9_-]{1,64}$/.test(name)) throw new StartError(`${name} is no name of a table: a-z, 0-9, - and _`);
  const said = await importSteps(name, folder);
  const problems: string[] = [];
  const steps = stepsOf(said, problems);
  if (problems.length > 0)
    throw new StartError(`The table ${name} is not right:\n${problems.map((one) => `  - ${one}`).join('\n')}`);
  return { name, steps, hash: hashOf(name, steps) };
}

async function importSteps(name: string, folder: URL): Promise<unknown> {
  const file = new URL(`${name}/steps.ts`, folder);
  if (!existsSync(file))
    throw new StartError(`There is no table ${name} in this build. Its tables: ${tablesIn(folder).join(', ')}.`);
  try {
    const module: unknown = await import(file.href);
    return typeof module === 'object' && module !== null && 'STEPS' in module ? module.STEPS : undefined;
  } catch (error) {
    throw new StartError(`The table ${name} of this build cannot be read: ${whyNot(error)}`);
  }
}

function tablesIn(folder: URL): readonly string[] {
  const names = readdirSync(folder).filter((name) => existsSync(new URL(`${name}/steps.ts`, folder)));
  return names.toSorted();
}

function hashOf(name: string, steps: Steps): string {
  return sha256(canonical({ name, steps }));
}

/** One text for one value, whatever the order in which its members were written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
