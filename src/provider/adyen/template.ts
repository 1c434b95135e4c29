// The body of a step: its own members, and holes where the table has slots.
import type { Slot, Template } from '../contract.ts';
import { STEPS, type StepName } from './steps.ts';

type Members = { [name: string]: unknown };

/** Inside a JSON text every quote is escaped: no text of anybody's reads as a hole. */
const HOLE = /\{"slot":"([a-z_.]+\??)"\}/;

/** `money`: the amount, as JSON. It is written as digits, not through a number. */
export function templateOf(step: StepName, members: Readonly<Members>, money?: string): Template {
  const body: Members = { ...members };
  for (const [place, slot] of Object.entries(STEPS[step].slots)) put(body, place.split('/').slice(1), { slot });
  const text = JSON.stringify(body);
  const parts = (money === undefined ? text : `{"amount":${money},${text.slice(1)}`).split(HOLE);
  return parts.map((part, index) => (index % 2 === 1 ? { slot: part as Slot } : part));
}

function put(members: Members, [name = '', ...deeper]: readonly string[], hole: { readonly slot: string }): void {
  if (deeper.length === 0) {
    members[name] = hole;
    return;
  }
  const inner: Members = { ...(members[name] as Members | undefined) };
  put(inner, deeper, hole);
  members[name] = inner;
}
