// A table of verbs at work: the calls of the side that asks, the routes of the side that answers (core/link/verb.ts).
import { FormProblem } from '../../core/link/form.ts';
import type { Link, Verb } from '../../core/link/verb.ts';
import type { LinkAsk, LinkClient } from './client.ts';
import { LinkRefusal, type LinkRoute } from './server.ts';

type Verbs = Readonly<Record<string, Verb<unknown, unknown>>>;
type Calls = Readonly<Record<string, (request: unknown) => Promise<unknown>>>;

/** The other host did nothing: no byte of the call left, or it turned the call away before it did anything. */
export class NotDone extends Error {}

/** No such route, not this host's to ask, or not in the link's language (server.ts). */
const TURNED_AWAY = new Set([400, 403, 404]);

const PARAMETER = /:([a-z][a-z0-9_]*)/g;

/**
 * Every verb of a table as a call to the host at the other end, called `name`. Where it does not answer: a NotDone if
 * that proves that nothing was done, any other error if it may have been.
 */
export function callsOf<V extends Verbs>(verbs: V, link: LinkClient, name: string): Link<V> {
  const calls = Object.entries(verbs).map(([word, verb]) => {
    const call = async (request: unknown) => {
      const exchange = await link.ask(askOf(verb, request));
      if (exchange.kind === 'answered' && exchange.status === 200) return answerOf(verb, exchange.body);
      const why = exchange.kind === 'answered' ? exchange.status : exchange.kind;
      const not_done = exchange.kind === 'not_sent' || (typeof why === 'number' && TURNED_AWAY.has(why));
      throw new (not_done ? NotDone : Error)(`${name} did not answer: ${why}`);
    };
    return [word, call] as const;
  });
  return Object.fromEntries(calls) as Link<V>;
}

/** A request as it goes out: what its path names stands there, the rest is the body. */
export function askOf<Q>({ method, path, deadline_ms, request: form }: Verb<Q, unknown>, request: Q): LinkAsk {
  const written: unknown = form.write(request);
  const members = new Map<string, unknown>(
    typeof written === 'object' && written !== null ? Object.entries(written) : [],
  );
  const filled = path.replace(PARAMETER, (_, name: string) => {
    const value = members.get(name);
    members.delete(name);
    return String(value);
  });
  return { method, path: filled, deadline_ms, ...(members.size > 0 && { body: Object.fromEntries(members) }) };
}

/** Throws a FormProblem for what is no answer of this language. */
export function answerOf<A>({ path, answer }: Pick<Verb<unknown, A>, 'path' | 'answer'>, body: Uint8Array): A {
  return answer.read(parse(body), `the answer to ${path}`);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Every verb of a table as a route that `link` answers. */
export function routesOf<V extends Verbs>(verbs: V, link: Link<V>): readonly LinkRoute[] {
  const runs = link as Calls;
  return Object.entries(verbs).map(([word, { method, path, peers, request, answer }]) => {
    const names = [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
    return {
      method,
      peers,
      path: path.replace(PARAMETER, ':'),
      run: async ({ body = {}, parameters }) => {
        if (typeof body !== 'object' || body === null || Array.isArray(body))
          throw new LinkRefusal('the body must be an object');
        const in_path = Object.fromEntries(names.map((name, at) => [name, parameters[at]]));
        return answer.write(await runs[word]?.(read(request, { ...body, ...in_path })));
      },
    };
  });
}

function read<Q>(form: Verb<Q, unknown>['request'], value: object): Q {
  try {
    return form.read(value, 'the request');
  } catch (error) {
    throw error instanceof FormProblem ? new LinkRefusal(error.message) : error;
  }
}
