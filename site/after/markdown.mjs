// Every page as Markdown at its address with .md behind it, and llms.txt and llms-full.txt, which lead programs there.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { GROUPS } from '../sidebar.mjs';

const converter = unified()
  .use(rehypeParse, { fragment: true })
  .use(dropUnread)
  .use(rehypeRemark)
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: '-', rule: '-' });

export async function writeMarkdown(folder, pages) {
  const texts = [];
  for (const [name, html] of pages) {
    // an old address that leads on
    if (!html.includes('sl-markdown-content')) continue;
    const markdown = await toMarkdown(html);
    const address = name === 'index.html' ? 'index' : name.replace(/\/index\.html$/, '');
    await writeFile(join(folder, `${address}.md`), markdown);
    texts.push({ address, title: titleOf(html), description: descriptionOf(html), markdown });
  }
  await writeFile(join(folder, 'llms.txt'), indexOf(texts));
  await writeFile(
    join(folder, 'llms-full.txt'),
    texts
      .filter(isOfUse)
      .map(({ markdown }) => markdown)
      .join('\n---\n\n'),
  );
}

/** What is read to integrate; the reference is whole in openapi.json, and everything has files of its own. */
function isOfUse({ address }) {
  return /^(?:guides\/|reference\/(?:codes|headers|limits|notifications|problems)$|states$|test-kit$|mcp$)/.test(
    address,
  );
}

async function toMarkdown(html) {
  const body = /<div class="sl-markdown-content[^"]*">([\s\S]*?)<footer/.exec(html)?.[1] ?? '';
  return `# ${titleOf(html)}\n\n${String(await converter.process(body)).trim()}\n`;
}

/** What is there for eyes and fingers alone: anchors beside headings, copy buttons, the list of tabs, the try-it. */
const UNREAD = ['sl-anchor-link', 'sr-only', 'copy', 'tablist-wrapper'];

function dropUnread() {
  const unread = ({ tagName, properties }) =>
    ['button', 'script', 'svg', 'florin-try'].includes(tagName) ||
    (properties?.className ?? []).some((name) => UNREAD.includes(name));
  const clean = (node) => {
    if (!node.children) return;
    node.children = node.children.filter((child) => !unread(child));
    if (node.tagName === 'pre') plainCode(node);
    else node.children.forEach(clean);
  };
  return clean;
}

/** Coloured code as it was before: its lines, and its language. */
function plainCode(pre) {
  const [code] = pre.children;
  const language = pre.properties?.dataLanguage;
  if (code?.tagName !== 'code' || language === undefined) return;
  const lines = code.children.map((line) => textOf(line).replace(/\n$/, ''));
  code.properties = { className: [`language-${language}`] };
  code.children = [{ type: 'text', value: lines.join('\n') }];
}

function textOf(node) {
  return node.type === 'text' ? node.value : (node.children ?? []).map(textOf).join('');
}

function titleOf(html) {
  return text(/<h1 [^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '');
}

function descriptionOf(html) {
  return text(/<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '');
}

function text(html) {
  return html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim();
}

function indexOf(texts) {
  const groups = Map.groupBy(
    texts,
    ({ address }) => GROUPS.find(([start]) => address.startsWith(start))?.[1] ?? 'Pages',
  );
  const lists = [...groups].map(([group, pages]) => {
    const lines = pages.map(({ address, title, description }) => {
      return `- [${title}](/docs/${address}.md)${description ? `: ${description}` : ''}`;
    });
    return `## ${group}\n\n${lines.join('\n')}\n`;
  });
  return `# Florin

> A card payment API that a merchant or a payment company runs itself. A checkout is created, a card becomes a token at a host of its own (the vault), and an order is paid with the token. What a provider did not answer is never guessed: it stays in doubt until it is proved.

Every page is Markdown at its address with .md behind it; the guides with headers, limits and result codes in one file: [llms-full.txt](/docs/llms-full.txt). For programs: [openapi.json](/openapi.json).

${lists.join('\n')}`;
}
