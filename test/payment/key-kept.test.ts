// A repeat under a key is safe as long as the provider keeps the key, and a call may be on its way for a while.
import { expect, test } from 'vitest';
import { ClockWatch } from '../../src/kit/clock.ts';
import { keyIsKept } from '../../src/payment/order/engine/provider-call.ts';
import { asPassed } from '../../src/payment/order/engine/recovery/waits.ts';
import { providers } from '../../src/provider/registry.ts';
import { freshOrder } from './decide/facts.ts';

const KEEPING = [...providers().values()].filter(({ can }) => can.key_kept_h > 0);

test.each(KEEPING.map((provider) => [provider.name, provider] as const))(
  'what arrives at %s when its key is forgotten is not sent',
  (_, provider) => {
    const order = freshOrder({ amount_minor: 2500n, currency: 'EUR', with_capture: false });
    const [operation] = order.operations;
    if (!operation) throw new Error('it has an authorization');
    const keptAfter = (age_s: number) => {
      const read_at = new Date(Date.parse(operation.created_at) + age_s * 1000).toISOString();
      return keyIsKept({ provider, order: { ...order, read_at }, operation });
    };
    const { key_kept_h, in_flight_s } = provider.can;
    const last_s = key_kept_h * 3600 - in_flight_s;
    expect([0, last_s - 1, last_s, key_kept_h * 3600 - 1].map(keptAfter)).toEqual([true, true, false, false]);
  },
);

test.each(KEEPING.map((provider) => [provider.name, provider] as const))(
  'what %s has forgotten while this machine slept, and its own time stood still, is not sent under its key',
  async (_, provider) => {
    const order = freshOrder({ amount_minor: 2500n, currency: 'EUR', with_capture: false });
    const [operation] = order.operations;
    if (!operation) throw new Error('it has an authorization');
    const slept_ms = 4 * 3_600_000;
    const database_clock = new ClockWatch(() => 0);
    for (const now_ms of [0, slept_ms]) await database_clock.look(async () => now_ms);
    expect(database_clock.setForward_ms()).toBe(slept_ms);
    const read_at = new Date(Date.parse(operation.created_at) + provider.can.key_kept_h * 3_600_000).toISOString();
    const passed = asPassed({ database_clock }, { ...order, read_at });
    expect(keyIsKept({ provider, order: passed, operation })).toBe(false);
  },
);
