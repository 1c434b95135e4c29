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
  'key_in_use',
  'credentials',
  'rights',
  'other_amount',
  'other_currency',
  'other_id',
  'other_reference',
] as const;

export type Fault = {
  readonly kind: (typeof FAULTS)[number];
  /** Of the call; absent: any. */
  readonly method?: string;
  /** The path ends with it, an id in it being `{id}`; absent: any. */
  readonly path?: string;
  /** How many calls, from the next on. */
  times: number;
};

export type CallLine = { readonly method: string; readonly path: string };

const templateOf = (path: string): string => path.replace(/\/(?:pi|pm|re|ch|cus|dp)_\w+/, '/{id}');

/** The first that fits, once less. */
export function takeFault(faults: Fault[], { method, path }: CallLine): Fault | undefined {
  const fits = (fault: Fault) =>
    (fault.method === undefined || fault.method === method) &&
    (fault.path === undefined || templateOf(path).endsWith(fault.path));
  const fault = faults.find(fits);
  if (fault === undefined) return undefined;
  fault.times -= 1;
  if (fault.times === 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}
