// What can be armed for the next call that fits: how a line, a proxy or a bank goes wrong.

/** `_before`: nothing happened there; `_after`: it did, and the answer is lost or is something else. */
export const FAULTS = [
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
  'in_progress',
  'credentials',
  'rights',
  'other_amount',
  'other_currency',
  'other_reference',
] as const;

export type Fault = {
  readonly kind: (typeof FAULTS)[number];
  /** Of the call; absent: any. */
  readonly method?: string;
  /** With `{id}` in the place of an id; absent: any. */
  readonly path?: string;
  /** How many calls, from the next on. */
  times: number;
};

export type CallLine = { readonly method: string; readonly path: string };

const templateOf = (path: string): string =>
  path.replace(/(?<=\/(?:orders|authorizations|captures|refunds)\/)\w+/, '{id}');

/** The first that fits, once less. */
export function takeFault(faults: Fault[], { method, path }: CallLine): Fault | undefined {
  const fault = faults.find(
    (one) => (one.method ?? method) === method && (one.path ?? templateOf(path)) === templateOf(path),
  );
  if (fault === undefined) return undefined;
  fault.times -= 1;
  if (fault.times === 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}
