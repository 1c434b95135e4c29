// A tool: its parameters, what it can reach, and its answer.
import type { JsonObject } from '../../core/json.ts';
import { type JsonSchema, type Read, Reading, type Shape, readShape, shapeSchema } from '../../core/shape.ts';
import type { Reader, SandboxHands } from './hands.ts';

type Common = {
  readonly name: string;
  readonly says: string;
  readonly schema: JsonSchema;
};

/** A tool that reads: it can only ask. */
export type ReadTool = Common & { readonly reach: 'read'; prepare(given: JsonObject): Prepared<Reader> };
/** A tool of the sandbox: it exists only if a sandbox answers. */
export type SandboxTool = Common & { readonly reach: 'sandbox'; prepare(given: JsonObject): Prepared<SandboxHands> };
export type Tool = ReadTool | SandboxTool;

/** The problems of the given parameters, or a function that runs the tool. */
type Prepared<Hands> = { readonly problems: readonly string[] } | { run(hands: Hands): Promise<string> };

type Row<S extends Shape, Hands> = {
  readonly name: string;
  readonly says: string;
  readonly takes: S;
  run(given: Read<S>, hands: Hands): Promise<string>;
};

export function readTool<S extends Shape>(row: Row<S, Reader>): ReadTool {
  return { reach: 'read', ...common(row), prepare: (given) => prepared(row, given) };
}

export function sandboxTool<S extends Shape>(row: Row<S, SandboxHands>): SandboxTool {
  return { reach: 'sandbox', ...common(row), prepare: (given) => prepared(row, given) };
}

function common({ name, says, takes }: Pick<Row<Shape, never>, 'name' | 'says' | 'takes'>): Common {
  return { name, says, schema: { ...shapeSchema(takes), additionalProperties: false } };
}

function prepared<S extends Shape, Hands>(row: Row<S, Hands>, given: JsonObject): Prepared<Hands> {
  const reading = new Reading(false);
  const read = readShape(row.takes, given, { reading });
  const known = Object.keys(row.takes).join(', ') || 'none';
  const problems = [
    ...reading.problems.map(({ field, message }) => `${field} ${message}`),
    ...reading.ignored.map((name) => `${name} is not known here; known: ${known}`),
  ];
  if (problems.length > 0) return { problems };
  // no required parameter is missing here: it would be a problem above
  return { run: (hands) => row.run(read as Read<S>, hands) };
}

/** A query string of the parameters that are not undefined. */
export function queryOf(given: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(given).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
