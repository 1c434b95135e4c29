// Every code of the customer's table that is the result of an answer is reached by its documented way, over HTTP alone.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, Reply } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Code, LAST, storyOf } from './codes.ts';

// Hundreds of calls: two seconds, or a minute on a machine with much else to do.
let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const FILE = new URL('../../../shared/spec/result-codes.csv', import.meta.url);
/** Those that are never the result of an answer (`-`) are left out. */
const codes: readonly Code[] = (existsSync(FILE) ? readFileSync(FILE, 'utf8').trim().split('\n').slice(1) : [])
  .map((line) => line.split(','))
  .filter(([, , , , , , http]) => http !== '-')
  .map(([code = '', name = '', phase = '', kind = '']) => ({ code, name, phase, kind }));

const AT_ONCE = 6;

/** Of the result of an answer, or of anything in it that has a result of its own. */
function codesIn(body: Json): readonly Json[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => [
    ...(name === 'code' || name === 'result_code' ? [value] : []),
    ...codesIn(value),
  ]);
}

/** Undefined: reached. */
async function missed(code: Code): Promise<string | undefined> {
  const story = storyOf(code);
  if (!story) return `${code.code} ${code.name}: has no story`;
  const replies: readonly Reply[] = await story(w.shop);
  if (replies.some(({ body }) => codesIn(body).includes(code.code))) return undefined;
  return `${code.code} ${code.name}: ${replies.map((reply) => `${reply.status} ${JSON.stringify(reply.code)}`).join(', ')}`;
}

async function walk(some: readonly Code[], at_once: number): Promise<readonly string[]> {
  const left = [...some];
  const wrong: string[] = [];
  const one = async () => {
    for (let code = left.shift(); code; code = left.shift()) {
      const { name } = code;
      const said = await missed(code).catch((error: unknown) => `${name}: ${String(error)}`);
      if (said !== undefined) wrong.push(said);
    }
  };
  await Promise.all(Array.from({ length: at_once }, one));
  return wrong;
}

test('every code is reached by its documented way', async (context) => {
  context.skip(codes.length === 0, 'the folder ../shared with the specification is not here');
  const last = (code: Code) => LAST.includes(code.code);
  const wrong = [
    ...(await walk(
      codes.filter((code) => !last(code)),
      AT_ONCE,
    )),
    ...(await walk(codes.filter(last), 1)),
  ];
  console.log(`${codes.length - wrong.length} of ${codes.length} codes reached`);
  expect(wrong).toEqual([]);
  expect(codes.length).toBeGreaterThan(120);
});
