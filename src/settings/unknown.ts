// Names in the environment that look like settings and are none.
import { SETTINGS } from './settings.ts';

/** Set by the launcher, not by people. */
const INTERNAL = new Set(['FLORIN_HANDED_OVER']);
/** Some editors begin a file with it; in front of the first name it would unset that setting without a word. */
const MARK = '\uFEFF';

/** What is wrong with each of them. */
export function unknownNames(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(environment).flatMap((name) => {
    if (name.startsWith(`${MARK}FLORIN_`))
      return [`before ${name.slice(MARK.length)} stands a byte order mark: save its file as UTF-8 without one`];
    const is_known = !name.startsWith('FLORIN_') || Object.hasOwn(SETTINGS, name) || INTERNAL.has(name);
    return is_known ? [] : [`${name} is no setting of Florin: see docs/settings.md`];
  });
}
