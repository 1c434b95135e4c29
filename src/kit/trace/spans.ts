// Traces without a library and without a word between hosts: the trace of a request is its request id, which every hop
// knows already (docs/decisions/0045). Nothing is made while there is no listener.
export type Span = {
  readonly name: string;
  /** Server: the request itself, the parent of all others. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly request_id: string;
  readonly ms: number;
  /** Words from short lists and numbers; never an id, never anything of a person. */
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed: boolean;
};

let sink: ((span: Span) => void) | undefined;

/** Sends every span there from now on; undefined: nowhere. */
export function sendSpans(to: typeof sink): void {
  sink = to;
}

/** Records something that has just ended. Without a request id it belongs to no trace and is left out. */
export function tellSpan(span: Omit<Span, 'request_id'> & { readonly request_id: string | null }): void {
  const { request_id } = span;
  if (sink && request_id !== null && request_id !== '') sink({ ...span, request_id });
}
