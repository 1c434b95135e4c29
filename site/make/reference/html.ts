// Words for pages as MDX: HTML in which nothing is taken for code.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
  '}': '&#125;',
};

export function escaped(text: string): string {
  return text.replace(/[&<>"'{}]/g, (char) => ENTITIES[char] ?? '');
}

/** Text in which `words` between backticks are code. */
export function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** A field: who searches for it wants its place in the reference before all that speaks of it. */
export function nameOf(name: string): string {
  return `<code data-pagefind-weight="8">${escaped(name)}</code>`;
}

export type Front = {
  readonly title: string;
  readonly description: string;
  /** In the menu, where the title is too long. */
  readonly label?: string;
  readonly order?: number;
  /** The list at the side leaves the headings out. */
  readonly plain?: true;
};

export function pageText(front: Front, body: string): string {
  const side = [
    ...(front.label === undefined ? [] : [`  label: ${JSON.stringify(front.label)}`]),
    ...(front.order === undefined ? [] : [`  order: ${front.order}`]),
  ];
  return [
    '---',
    `title: ${JSON.stringify(front.title)}`,
    `description: ${JSON.stringify(front.description)}`,
    ...(side.length > 0 ? ['sidebar:', ...side] : []),
    ...(front.plain ? ['tableOfContents: false'] : []),
    'editUrl: false',
    '---',
    '',
    body.trim(),
    '',
  ].join('\n');
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const lines = rows.map(([first = '', ...rest]) => {
    const cells = rest.map((text) => `<td>${text}</td>`).join('');
    return `<tr><th scope="row">${first}</th>${cells}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
}

export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
