// What a mail says, as data, and as the text and the plain HTML that are sent. Nothing of it becomes a header but the subject.

export type Letter = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link?: { readonly text: string; readonly url: string };
  /** Why the person gets it; each mail says so. */
  readonly why: string;
};

export function textOf({ paragraphs, link, why }: Letter): string {
  const links = link ? [`${link.text}:\n${link.url}`] : [];
  return `${[...paragraphs, ...links, `-- \n${why}`].map(withoutControls).join('\n\n')}\n`;
}

export function htmlOf({ subject, paragraphs, link, why }: Letter): string {
  const anchor = link ? `<p><a href="${escape(link.url)}">${escape(link.text)}</a><br>${escape(link.url)}</p>` : '';
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escape(subject)}</title></head><body style="font-family:sans-serif;line-height:1.5">`,
    ...paragraphs.map((one) => `<p>${escape(one)}</p>`),
    anchor,
    `<hr><p style="color:#555;font-size:small">${escape(why)}</p></body></html>`,
  ].join('\n');
}

/** One line: a name or an address in it cannot end the header. */
export const subjectOf = ({ subject }: Letter): string =>
  subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200);

const withoutControls = (text: string) => text.replaceAll(/[^\P{Cc}\n]/gu, '');

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => withoutControls(text).replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? '');
