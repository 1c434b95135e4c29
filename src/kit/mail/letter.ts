// What a mail says, as data, and as the text and the plain HTML that are sent. Nothing of it becomes a header but the
// subject.
import { colonIn, directionOf } from '../../core/payer/language.ts';

export type Letter = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A list of what is known, each with its name. */
  readonly facts?: readonly (readonly [name: string, text: string])[];
  readonly link?: { readonly text: string; readonly url: string };
  /** Why the person gets it; each mail says so. */
  readonly why: string;
  /** Two letters; absent: English. */
  readonly language?: string;
};

export function textOf({ paragraphs, facts = [], link, why, language = 'en' }: Letter): string {
  const colon = colonIn(language);
  const listed = facts.length === 0 ? [] : [facts.map(([name, text]) => `${name}${colon} ${text}`).join('\n')];
  const links = link ? [`${link.text}${colon}\n${link.url}`] : [];
  return `${[...paragraphs, ...listed, ...links, `-- \n${why}`].map(withoutControls).join('\n\n')}\n`;
}

export function htmlOf({ subject, paragraphs, facts = [], link, why, language = 'en' }: Letter): string {
  const anchor = link ? `<p><a href="${escape(link.url)}">${escape(link.text)}</a><br>${escape(link.url)}</p>` : '';
  return [
    `<!doctype html><html lang="${escape(language)}" dir="${directionOf(language)}"><head><meta charset="utf-8">`,
    `<title>${escape(subject)}</title></head><body style="font-family:sans-serif;line-height:1.5">`,
    ...paragraphs.map((one) => `<p>${escape(one)}</p>`),
    facts.length === 0 ? '' : `<table>${facts.map(rowOf).join('')}</table>`,
    anchor,
    `<hr><p style="color:#555;font-size:small">${escape(why)}</p></body></html>`,
  ].join('\n');
}

function rowOf([name, text]: readonly [string, string]): string {
  return `<tr><td style="padding-inline-end:1em;color:#555">${escape(name)}</td><td dir="auto">${escape(text)}</td></tr>`;
}

/** One line: a name or an address in it cannot end the header. */
export const subjectOf = ({ subject }: Letter): string =>
  subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200);

const withoutControls = (text: string) => text.replaceAll(/[^\P{Cc}\n]/gu, '');

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => withoutControls(text).replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? '');
