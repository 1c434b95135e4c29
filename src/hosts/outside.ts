// The ways out of a process: to providers, and to addresses that merchants gave.
import type { Config } from '../settings/config.ts';
import { systemClock } from '../kit/clock.ts';
import { openEgress } from '../kit/egress.ts';
import { openPublicEgress, targetRules } from '../kit/outside/target.ts';
import { DEADLINE_MS } from '../payment/notification/dispatcher.ts';
import { CONNECTIONS } from '../payment/notification/schedule.ts';
import type { Outside } from '../payment/tools.ts';
import { sandboxEgress } from '../sandbox/egress.ts';

/** The way to other hosts; simulated providers mark a call that was not accepted. */
export function outsideOf({ environment }: Config): typeof openEgress {
  return environment === 'sandbox' ? (options) => sandboxEgress(openEgress(options)) : openEgress;
}

/** Sends to addresses that merchants gave; no provider is ever called this way. */
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
