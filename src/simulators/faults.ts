// Faults that can be armed for the next matching call: those of a network line, a proxy or a bank.

/** `_before`: the call has no effect. `_after`: it has its effect, and the answer is lost or replaced. */
export const COMMON_FAULTS = [
  'close_before',
  'close_after',
  'silence_before',
  'silence_after',
  'html_before',
  'html_after',
  'error_before',
  'error_after',
  'half',
  'too_many',
  'credentials',
  'rights',
  'other_amount',
  'other_currency',
  'other_reference',
] as const;

export type FaultOf<Kind> = {
  readonly kind: Kind;
  /** The method of the call; absent: any. */
  readonly method?: string;
  /** The end of the path, with `{id}` in place of an id; absent: any. */
  readonly path?: string;
  /** The number of calls, from the next one on. */
  times: number;
};

export type CallLine = { readonly method: string; readonly path: string };

/** Takes the first fault that matches, and counts it once. `templateOf`: the path with `{id}` in place of an id. */
export function takeArmed<Kind>(
  faults: FaultOf<Kind>[],
  { method, path }: CallLine,
  templateOf: (path: string) => string,
): FaultOf<Kind> | undefined {
  const fault = faults.find(
    (one) =>
      (one.method === undefined || one.method === method) &&
      (one.path === undefined || templateOf(path).endsWith(templateOf(one.path))),
  );
  if (fault === undefined) return undefined;
  fault.times -= 1;
  if (fault.times === 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}
