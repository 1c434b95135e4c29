// A route as data: one shape gives the validation of a request, its TypeScript type and its place in openapi.json.
import type { Readable } from 'node:stream';
import {
  type JsonSchema,
  type Read,
  Reading,
  type Shape,
  readQuery,
  readShape,
  shapeSchema,
} from '../../core/shape.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Scope } from '../../core/keys/scopes.ts';
import { type RefusalName, refuseProblems } from '../../core/refusals.ts';

export type KeyKind = 'private' | 'public';

/** The caller, as far as the host front must know it. */
export type Caller = {
  readonly merchant_account_id: string;
  readonly kind: KeyKind;
  /** What the key may be used for; null: everything its kind may. */
  readonly scopes: readonly Scope[] | null;
};

export type RouteRequest<C, B, Q> = {
  readonly caller: C;
  readonly body: B;
  readonly query: Q;
  /** Path parameters, decoded; the route's own check of their form is its first step. */
  readonly params: Readonly<Record<string, string>>;
  /** The path that was called, as the table has it: an alias is a path of its own (contract 2.9). */
  readonly path: string;
  readonly request_id: string;
  readonly client_ip: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly idempotency_key: string | undefined;
  /** Hash input of contract 2.9: the parsed body, member order and white space ignored. */
  canonical(): string;
  /** Seconds the caller wants to wait (contract 2.8); undefined: the account's budget. */
  readonly wait_s: number | undefined;
  /** The problems found while reading the request; checks against stored data add theirs. */
  readonly reading: Reading;
};

export type Answer = {
  /** 200 unless given. */
  readonly status?: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** A last member of the body, whose JSON is there: long, and the same for many. The request log does not get it. */
  readonly last?: { readonly name: string; readonly json: Buffer };
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of the body, with the content type of the headers. */
  readonly file?: Readable | Buffer;
};

/** What the host front passes to a route that was found. */
export type RawRequest<C> = Omit<
  RouteRequest<C, unknown, unknown>,
  'body' | 'query' | 'reading' | 'canonical' | 'caller'
> & {
  readonly caller: C | undefined;
  /** Overwritten as soon as the answer is out. */
  readonly raw: Buffer;
  /** Throws what is wrong with the headers; a route that reads the body itself calls it behind that. */
  checkHeaders(): void;
  readonly object: JsonObject;
  readonly query_object: JsonObject;
  readonly production: boolean;
  readonly now: Date;
  /** Names found that the contract does not know; the door answers them in x-ignored-fields. */
  readonly ignored: string[];
};

export type Route<C> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly aliases: readonly string[];
  readonly operation_id: string;
  readonly summary: string;
  readonly tag: string;
  readonly key: KeyKind | 'any' | 'none';
  /** The scope that a key needs for this route; undefined: the route needs no key. */
  readonly scope: Scope | undefined;
  readonly body: JsonSchema | undefined;
  /** True: it may be asked without a body, which then counts as one without fields. */
  readonly bodiless?: boolean;
  readonly query: JsonSchema | undefined;
  readonly answer: JsonSchema;
  readonly refusals: readonly RefusalName[];
  /** Callable from pages of other origins (contract 6.5). */
  readonly cross_origin: boolean;
  /** The body is read by the route itself, as bytes. */
  readonly raw: boolean;
  /** Headers it wants to see, in lower case. */
  readonly headers?: readonly string[];
  /** Takes a body longer than its host's others; who may send one is asked before it is read: throws, or lets in. */
  readonly large?: {
    readonly bytes: number;
    admit(headers: RawRequest<C>['headers']): Promise<void>;
  };
  /** Limits of its own, asked as soon as the caller is known: throws, or lets in. */
  admit?(caller: C, client_ip: string): void;
  run(rawRequest: RawRequest<C>): Promise<Answer>;
};

/** A route as a table has it: described without tools, and run with those it is given. */
export type TableRoute<T, C> = Omit<Route<C>, 'admit' | 'run' | 'large'> & {
  withTools(tools: T): Pick<Route<C>, 'admit' | 'run'>;
};

/** The routes of a table, ready to be served. */
export function routesWith<T, C>(table: readonly TableRoute<T, C>[], tools: T): readonly Route<C>[] {
  return table.map(({ withTools, ...route }) => ({ ...route, ...withTools(tools) }));
}

type Description<T, C, B extends Shape, Q extends Shape> = {
  readonly method: Route<C>['method'];
  readonly path: string;
  readonly aliases?: readonly string[];
  readonly operation_id: string;
  readonly summary: string;
  readonly tag: string;
  readonly scope: Scope;
  readonly body?: B;
  /** True: without a body it means something, too; without fields others lack what they need. */
  readonly bodiless?: true;
  readonly query?: Q;
  readonly answer: JsonSchema;
  readonly refusals?: readonly RefusalName[];
  /** Checks between fields, and against the present moment and who asks; problems join those of the fields. */
  check?(
    body: Partial<Read<B>>,
    reading: Reading,
    at: { readonly now: Date; readonly caller: C; readonly tools: T },
  ): void;
  /**
   * For a route whose check depends on the present moment or on settings: what an equal request did before this one is
   * refused by what has changed since. Undefined: nothing.
   */
  replay?(tools: T, request: Repeated<C, Read<B>>): Promise<Answer | undefined>;
  /** Asked of a request that is refused: notes what `handle` would find wrong with its fields beside what is stored. */
  alsoWrong?(tools: T, request: Repeated<C, Partial<Read<B>>>): Promise<void>;
  handle(tools: T, request: RouteRequest<C, Read<B>, Read<Q>>): Promise<Answer>;
};

/** A request that is refused by now: of its body those fields that could be read. */
export type Repeated<C, B = unknown> = Omit<RouteRequest<C, Partial<B>, unknown>, 'query'>;

/** A route that needs a private key. */
export function privateRoute<T, C, B extends Shape, Q extends Shape>(d: Description<T, C, B, Q>): TableRoute<T, C> {
  const { method, path, operation_id, summary, tag, scope, answer, aliases = [], refusals = [] } = d;
  return {
    method,
    path,
    operation_id,
    summary,
    tag,
    scope,
    answer,
    aliases,
    refusals,
    key: 'private',
    body: d.body && shapeSchema(d.body),
    bodiless: d.bodiless ?? false,
    query: d.query && shapeSchema(d.query),
    cross_origin: false,
    raw: false,
    withTools: (tools) => ({ run: (rawRequest) => runPrivate(d, tools, rawRequest) }),
  };
}

async function runPrivate<T, C, B extends Shape, Q extends Shape>(
  d: Description<T, C, B, Q>,
  tools: T,
  rawRequest: RawRequest<C>,
): Promise<Answer> {
  const { caller } = rawRequest;
  if (!caller) throw new Error(`${d.path} was reached without a caller`);
  const reading = new Reading(rawRequest.production);
  const body = readShape(d.body ?? NOTHING, rawRequest.object, { reading }) as Partial<Read<B>>;
  d.check?.(body, reading, { now: rawRequest.now, caller, tools });
  const query = readQuery(d.query ?? NOTHING, rawRequest.query_object, reading);
  rawRequest.ignored.push(...reading.ignored);
  const refusal = refuseProblems(reading.problems);
  const request = {
    ...rawRequest,
    caller,
    reading,
    canonical: () => canonicalJson(rawRequest.object),
    body: body as Read<B>,
    query: query as Read<Q>,
  };
  if (!refusal) return d.handle(tools, request);
  const kept = await d.replay?.(tools, request);
  if (kept) return kept;
  await d.alsoWrong?.(tools, request);
  throw refuseProblems(reading.problems) ?? refusal;
}

const NOTHING: Shape = {};

/** The canonical text of a parsed body: members sorted by name, numbers as written. */
export function canonicalJson(object: JsonObject): string {
  return JSON.stringify(
    [...object].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    (_, value: unknown) =>
      value instanceof Map ? { object: [...value].toSorted(([a], [b]) => (a < b ? -1 : 1)) } : value,
  );
}
