// The same function in the other languages of examples/.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ROOT } from './pages.ts';

const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  php: [
    '-r',
    'require "examples/php/outcome.php"; echo json_encode(array_map("what_now", json_decode(stream_get_contents(STDIN), true)));',
  ],
  python3: [
    '-c',
    'import json, sys; sys.dont_write_bytecode = True; sys.path.insert(0, "examples/python"); from outcome import what_now; print(json.dumps([what_now(a) for a in json.load(sys.stdin)]))',
  ],
};

/** What examples/php/outcome.php and examples/python/outcome.py say of answers. */
export async function answersOf(program: string, answers: readonly object[]): Promise<unknown> {
  const { stdout, stderr } = spawnSync(program, SCRIPTS[program] ?? [], {
    cwd: fileURLToPath(ROOT),
    input: JSON.stringify(answers),
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
