// The rules a new account starts with (docs/risk.md): signs of card testing. They mark and never refuse; an account
// publishes rules of its own over them.
import { HOUR_S } from '../durations.ts';
import type { VelocityRule } from './rules.ts';

type Counted = Pick<VelocityRule, 'name' | 'subject' | 'limit'> & { readonly measure: 'declines' | 'attempts' };

const mark = (rule: Counted): VelocityRule => ({ kind: 'velocity', action: 'mark', window_s: HOUR_S, ...rule });

export const DEFAULT_RULES: readonly VelocityRule[] = [
  mark({ name: 'declines of a card', subject: 'card', measure: 'declines', limit: 5 }),
  mark({ name: 'declines of a customer', subject: 'customer', measure: 'declines', limit: 5 }),
  mark({ name: 'declines from an address', subject: 'ip', measure: 'declines', limit: 10 }),
  mark({ name: 'attempts of a customer', subject: 'customer', measure: 'attempts', limit: 20 }),
  mark({ name: 'attempts from an address', subject: 'ip', measure: 'attempts', limit: 50 }),
];
