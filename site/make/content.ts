// What the pages are made of that is not written in site/: the documents of docs/, and the reference out of the tables in src.
import { docsPages } from './docs-pages.ts';
import { referencePages } from './reference/pages.ts';

/** Texts by their paths below site/.made. */
export function siteContent(): ReadonlyMap<string, string> {
  return new Map([...docsPages(), ...referencePages()]);
}
