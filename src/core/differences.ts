// What publishing a list of rules would change. Risk rules and routing rules are compared here, for commands and for
// the web app.

export type Change = { readonly name: string; readonly change: 'added' | 'removed' | 'changed' | 'moved' };
export type Difference<R> = Change & {
  readonly before: R | undefined;
  readonly after: R | undefined;
};

/** The changes if `after` is published in place of `before`, by the names of the rules. */
export function differences<R extends { readonly name: string }>(
  before: readonly R[],
  after: readonly R[],
): readonly Difference<R>[] {
  const old = new Map(before.map((rule) => [rule.name, rule]));
  const next = new Map(after.map((rule) => [rule.name, rule]));
  const kept = before.filter(({ name }) => next.has(name)).map(({ name }) => name);
  const order = after.filter(({ name }) => old.has(name)).map(({ name }) => name);
  const removed = before.flatMap((rule): Difference<R>[] =>
    next.has(rule.name) ? [] : [{ name: rule.name, change: 'removed', before: rule, after: undefined }],
  );
  const others = after.flatMap((rule): Difference<R>[] => {
    const was = old.get(rule.name);
    const told = { name: rule.name, before: was, after: rule };
    if (!was) return [{ ...told, change: 'added' }];
    if (!isSame(was, rule)) return [{ ...told, change: 'changed' }];
    return kept.indexOf(rule.name) === order.indexOf(rule.name) ? [] : [{ ...told, change: 'moved' }];
  });
  return [...removed, ...others];
}

/** Are two values the same as data, in whatever order their members were written? */
export function isSame(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other);
}

function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}:${sorted(member)}`).join()}}`;
}
