// A JSON body with holes: the members of a step, and a hole at each place where its table has a slot.
import type { Slot, Template } from './contract.ts';

type Members = { [name: string]: unknown };

/** Inside a JSON text every quote is escaped: no text from outside reads as a hole. */
const HOLE = /\{"slot":"([a-z_.]+\??)"\}/;

/** `first`: written before the others, as JSON, for what must not go through a number. */
export function jsonTemplate(
  slots: Readonly<Record<string, string>>,
  members: Readonly<Members>,
  first?: string,
): Template {
  const body: Members = { ...members };
  for (const [place, slot] of Object.entries(slots)) put(body, place.split('/').slice(1), { slot });
  const text = JSON.stringify(body);
  const parts = (first === undefined ? text : `{${first},${text.slice(1)}`).split(HOLE);
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
