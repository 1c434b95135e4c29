// The body of a step: its own members, and holes where the table has slots.
import type { Template } from '../contract.ts';
import { jsonTemplate } from '../template.ts';
import { STEPS, type StepName } from './steps.ts';

/** `money`: the amount, as JSON. It is written as digits, not through a number. */
export const templateOf = (step: StepName, members: Readonly<Record<string, unknown>>, money?: string): Template =>
  jsonTemplate(STEPS[step].slots, members, money === undefined ? undefined : `"amount":${money}`);
