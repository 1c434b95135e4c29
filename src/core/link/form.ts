// How a value is written for another host of ours, and read there. It is checked before it is used: a caller with a
// certificate of ours is not trusted for that alone.

export type Form<T> = {
  /** Throws a FormProblem. `name` is what the value is called in it. */
  read(value: unknown, name: string): T;
  /** What goes out as JSON. */
  write(value: T): unknown;
};

export type FormOf<F> = F extends Form<infer T> ? T : never;

/** A value is not what it must be. */
export class FormProblem extends Error {}

function plain<T>(read: Form<T>['read']): Form<T> {
  return { read, write: (value) => value };
}

export function text(is: (text: string) => boolean = () => true): Form<string> {
  return plain((value, name) => {
    if (typeof value === 'string' && is(value)) return value;
    throw new FormProblem(`${name} has not the form it must have`);
  });
}

export function word<const W extends string>(...words: readonly W[]): Form<W> {
  return plain((value, name) => {
    const known = words.find((one) => one === value);
    if (known === undefined) throw new FormProblem(`${name} must be ${words.join(' or ')}`);
    return known;
  });
}

export function numberFrom(least: number, most: number): Form<number> {
  return plain((value, name) => {
    if (typeof value === 'number' && value >= least && value <= most) return value;
    throw new FormProblem(`${name} must be a number from ${least} to ${most}`);
  });
}

export const flag: Form<boolean> = plain((value, name) => {
  if (typeof value === 'boolean') return value;
  throw new FormProblem(`${name} must be true or false`);
});

export const nothing: Form<void> = { read: () => undefined, write: () => null };

export const bytes: Form<Uint8Array> = {
  read: (value, name) => Buffer.from(text().read(value, name), 'base64'),
  write: (value) => Buffer.from(value).toString('base64'),
};

export function orNull<T>(form: Form<T>): Form<T | null> {
  return {
    read: (value, name) => (value === null ? null : form.read(value, name)),
    write: (value) => (value === null ? null : form.write(value)),
  };
}

/** `null` stands for undefined. */
export function maybe<T>(form: Form<T>): Form<T | undefined> {
  return {
    read: (value, name) => (value === null ? undefined : form.read(value, name)),
    write: (value) => (value === undefined ? null : form.write(value)),
  };
}

/** A host of the version before does not say it: it means `value` then. */
export function since<T>(form: Form<T>, value: T): Form<T> {
  return { ...form, read: (given, name) => (given === undefined ? value : form.read(given, name)) };
}

export function list<T>(form: Form<T>, most: number): Form<readonly T[]> {
  return {
    read: (value, name) => {
      if (!Array.isArray(value) || value.length > most)
        throw new FormProblem(`${name} must be a list of at most ${most}`);
      return value.map((item: unknown) => form.read(item, name));
    },
    write: (items) => items.map((item) => form.write(item)),
  };
}

export function textsByName(isName: (text: string) => boolean, isText: (text: string) => boolean) {
  return plain<Readonly<Record<string, string>>>((value, name) => {
    const entries = [...membersOf(value, name)].map(([key, held]) => [
      text(isName).read(key, `a name in ${name}`),
      text(isText).read(held, `${name}.${key}`),
    ]);
    return Object.fromEntries(entries);
  });
}

type Members<T> = { readonly [N in keyof T]: Form<T[N]> };

/** An object with these members and, where they are there, the `optional` ones; others are not looked at. */
export function object<T extends object>(members: Members<T>): Form<Readonly<T>>;
export function object<T extends object, O extends object>(
  members: Members<T>,
  optional: Members<O>,
): Form<Readonly<T & Partial<O>>>;
export function object<T extends object, O extends object>(
  members: Members<T>,
  optional?: Members<O>,
): Form<Readonly<T & Partial<O>>> {
  const all = Object.entries<Form<unknown>>({ ...members, ...optional });
  return {
    read: (value, name) => {
      const given = membersOf(value, name);
      const present = all.filter(([member]) => !(optional && member in optional) || given.has(member));
      return Object.fromEntries(present.map(([member, form]) => [member, form.read(given.get(member), member)])) as T &
        Partial<O>;
    },
    write: (value) => {
      const given = membersOf(value, 'what goes out');
      const present = all.filter(([member]) => given.get(member) !== undefined);
      return Object.fromEntries(present.map(([member, form]) => [member, form.write(given.get(member))]));
    },
  };
}

/** A value that goes as the one member of an object. */
export function only<T>(member: string, form: Form<T>): Form<T> {
  return {
    read: (value, name) => form.read(membersOf(value, name).get(member), member),
    write: (value) => ({ [member]: form.write(value) }),
  };
}

function membersOf(value: unknown, name: string): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FormProblem(`${name} must be an object`);
  return new Map<string, unknown>(Object.entries(value));
}
