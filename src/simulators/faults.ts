// What can be armed for the next call that fits: how a line, a proxy or a bank goes wrong.

/** `_before`: nothing happened there; `_after`: it did, and the answer is lost or is something else. */
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
  /** Of the call; absent: any. */
  readonly method?: string;
  /** The path ends with it, an id in it being `{id}`; absent: any. */
  readonly path?: string;
  /** How many calls, from the next on. */
  times: number;
};

export type CallLine = { readonly method: string; readonly path: string };

/** The first that fits, once less. `templateOf`: a path with `{id}` in the place of an id. */
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
