// The way to addresses that merchants gave.
import type { Config } from '../settings/config.ts';
import { systemClock } from '../kit/clock.ts';
import { openPublicEgress, targetRules } from '../kit/outside/target.ts';
import { DEADLINE_MS } from '../payment/notification/dispatcher.ts';
import { CONNECTIONS } from '../payment/notification/schedule.ts';
import type { Outside } from '../payment/tools.ts';

/** No provider is ever called over it. */
export function outsideTo({ notification_private_targets, brand }: Config): Outside {
  const rules = targetRules(notification_private_targets);
  return {
    ...openPublicEgress(rules, { connections: CONNECTIONS }),
    rules,
    brand,
    clock: systemClock(),
    deadline_ms: DEADLINE_MS,
  };
}
