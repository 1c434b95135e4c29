// Between the record that an authorization is sent and the sending, the vault reads its card and takes its cvc. Where
// that takes too long it sends nothing: others may have taken its silence for its end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDestinations } from '../../src/destinations.ts';
import { ClockWatch, systemClock } from '../../src/kit/clock.ts';
import { crashAt } from '../../src/kit/crash.ts';
import { readConfig } from '../../src/settings/config.ts';
import type { Transport } from '../../src/provider/send/transport.ts';
import type { Cvcs, TakenCvc } from '../../src/vault/card/cvcs.ts';
import { contractCache } from '../../src/vault/contracts/contracts.ts';
import { Answers } from '../../src/vault/forward/answers.ts';
import { forward } from '../../src/vault/forward/forward.ts';
import { tombstone } from '../../src/vault/forward/tombstone.ts';
import type { VaultTools } from '../../src/vault/tools.ts';
import { type World, world } from '../world.ts';
import { askedOf } from './asked.ts';
import { insideOf } from './inside.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

/** A vault whose cvcs take so long to come, by the clock that measures durations. */
async function slowVault(cvc_ms: number) {
  let [passed, sent] = [0, 0];
  const given: string[] = [];
  const clock = systemClock();
  Object.assign(clock, { ticks: () => passed });
  const inside = insideOf(w, { clock });
  const taken = (): TakenCvc => ({ digits: Buffer.from('123'), until: new Date(), checkout_id: null });
  const cvcs: Pick<Cvcs, 'take' | 'giveBack'> = {
    take: async () => {
      passed += cvc_ms;
      return taken();
    },
    giveBack: async (_, { digits }) => void given.push(digits.toString()),
  };
  const transport: Transport = {
    send: async () => {
      sent++;
      return { kind: 'unknown', why: 'timeout' };
    },
    close: async () => undefined,
  };
  const tools: Partial<VaultTools> = {
    ...inside,
    clock,
    database_clock: new ClockWatch(() => clock.ticks()),
    relaxed_db: inside.db,
    cvcs: cvcs as Cvcs,
    answers: new Answers(inside.log),
    contracts: contractCache(clock),
    crash: crashAt(''),
    destinations: await openDestinations(readConfig({ FLORIN_DATA_DIR: w.data_dir }), {
      simulator_url: 'http://127.0.0.1:9',
      simulators: new Map(),
    }),
  };
  return {
    tools: tools as VaultTools,
    transport,
    seen: () => ({ sent, given }),
    [Symbol.asyncDispose]: () => inside[Symbol.asyncDispose](),
  };
}

test.each([
  [2000, { outcome: 'unknown', reason: 'timeout' }, { sent: 1, given: [] }, true],
  [4000, { outcome: 'not_sent', reason: 'connect' }, { sent: 0, given: ['123'] }, false],
] as const)('a cvc that comes after %d ms', async (cvc_ms, outcome, seen, is_sent) => {
  await using slow = await slowVault(cvc_ms);
  const asked = askedOf(w, await w.shop.token());
  expect(await forward(slow.tools, slow.transport, { ...asked, body: [...asked.body] })).toEqual(outcome);
  expect(slow.seen()).toEqual(seen);
  expect((await tombstone(slow.tools, asked.operation_id)).sent).toBe(is_sent);
});
