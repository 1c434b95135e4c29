// A message over a line as a wire of the senders. A line has no path that would say what is asked: the message says it
// itself, so it must be the one that its step is named after, by type and processing code.
import type { LineStep } from '../contract.ts';
import { DIALECT, type Dialect } from './iso8583/dialect.ts';
import { lineWire } from './iso8583/wire.ts';
import { valueOf } from './slots.ts';
import type { Wire } from './wire.ts';

export const DIALECTS: Readonly<Record<LineStep['line'], Dialect>> = { iso8583: DIALECT };

export function lineMessage(line: LineStep['line'], step: string): Wire {
  const dialect = DIALECTS[line];
  const rules = new Map(Object.entries(dialect.messages));
  const wire = lineWire(dialect);
  return {
    read: (body) => {
      const template = wire.read(body);
      const rule = rules.get(step);
      if (!template || !rule || template.textAt('/3') !== rule.processing) return undefined;
      const type = template.textAt('/0');
      return type === rule.type || type === rule.repeat ? template.places : undefined;
    },
    write: (body, values) => wire.write(body, (slot) => valueOf(slot, values)),
  };
}
