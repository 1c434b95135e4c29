// Holds outcomes.json and docs/provider-scenarios.md to the list of scenarios and to what the providers can do. Both
// are written by `npm run test:providers`, of what ran: nothing passes here because a list says so.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { providers as registry } from '../../src/provider/registry.ts';
import type { At } from './at/contract.ts';
import { abilitiesOf, isAble, readOutcomes, toldOf } from './outcomes.ts';
import { PAGE_FILE, pageOf } from './page.ts';
import { PROVIDERS } from './providers.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

const RUN = 'npm run test:providers';
const outcomes = readOutcomes();
const fileOf = (file: string) => new URL(`../../${file}`, import.meta.url);

const cells = SCENARIOS.flatMap((scenario) => PROVIDERS.map((at) => [scenario, at] as const));
const nameOf = ({ number, name }: Scenario, at: At) => `${number} ${name}, ${at.name}`;

test('the stories run over every provider of the registry', () => {
  expect(PROVIDERS.map(({ name }) => name).toSorted()).toEqual([...registry().keys()].toSorted());
});

test(`every scenario was told of every provider, or says why it cannot be; else: ${RUN}`, () => {
  const wrong = cells.filter(([{ number }, at]) => {
    const is_told = toldOf(outcomes, at.name, number).length > 0;
    const has_reason = at.untold.some(({ numbers }) => numbers.includes(number));
    return is_told === has_reason;
  });
  expect(wrong.map(([scenario, at]) => nameOf(scenario, at))).toEqual([]);
});

test('nothing failed when it ran last', () => {
  const failed = cells.filter(([{ number }, at]) => toldOf(outcomes, at.name, number).some((told) => told.failed > 0));
  expect(failed.map(([scenario, at]) => nameOf(scenario, at))).toEqual([]);
});

test('the opposite is looked for exactly where the provider lacks what the scenario needs', () => {
  const wrong = cells.filter(([{ number, needs }, at]) => {
    const lacked = needs !== undefined && !isAble(at.name, needs) ? needs : undefined;
    return toldOf(outcomes, at.name, number).some(({ lacks }) => lacks !== lacked);
  });
  expect(wrong.map(([scenario, at]) => nameOf(scenario, at))).toEqual([]);
});

test(`what the providers can do is what they could when it ran; else: ${RUN}`, () => {
  const then = Object.entries(outcomes).map(([name, { able }]) => [name, Object.keys(able)]);
  expect(then).toEqual(PROVIDERS.map(({ name }) => [name, abilitiesOf(name)]));
});

test(`stories that are counted are in files that are there; else: ${RUN}`, () => {
  const files = Object.values(outcomes).flatMap(({ stories }) => Object.values(stories).flatMap(Object.keys));
  expect([...new Set(files)].filter((file) => !existsSync(fileOf(file)))).toEqual([]);
});

test('a reason names a test that is there, and scenarios of the list', () => {
  const wrong = PROVIDERS.flatMap(({ untold }) => untold).filter(({ numbers, held_by: [file, words] }) => {
    const is_there = existsSync(fileOf(file)) && readFileSync(fileOf(file), 'utf8').includes(words);
    return !is_there || numbers.some((number) => SCENARIOS[number - 1] === undefined);
  });
  expect(wrong).toEqual([]);
});

test(`the page of the papers is made of the outcomes; else: ${RUN}`, () => {
  expect(readFileSync(PAGE_FILE, 'utf8')).toBe(pageOf(outcomes));
});
