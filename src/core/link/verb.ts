// A verb of a link between two hosts of ours, as a row: what is asked and answered, and in what form.
import type { Form } from './form.ts';

export type Verb<Q, A> = {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** `/internal/cards/:token_hash`, where a name stands for a member of the request. */
  readonly path: string;
  /** The hosts that may ask. */
  readonly peers: readonly ('payment' | 'vault' | 'worker')[];
  readonly deadline_ms: number;
  readonly request: Form<Q>;
  readonly answer: Form<A>;
};

/** What a table of verbs offers: a function for each. */
export type Link<V> = {
  readonly [N in keyof V]: V[N] extends Verb<infer Q, infer A> ? (request: Q) => Promise<A> : never;
};
