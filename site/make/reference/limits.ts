// Limits and waiting, as the contract has them: its sections, on a page of the reference where people look for them.
import { readFileSync } from 'node:fs';
import { linked } from '../docs-pages.ts';
import { pageText } from './html.ts';

const SECTIONS = { Limits: '2.10', Waiting: '2.8', 'Once only': '2.9', Keys: '2.6' };

export function limitsPage(): string {
  const contract = readFileSync(new URL('../../../docs/contract.md', import.meta.url), 'utf8');
  const parts = Object.entries(SECTIONS).map(([title, number]) => {
    const from = contract.search(new RegExp(`^### ${number.replace('.', String.raw`\.`)} `, 'm'));
    if (from < 0) throw new Error(`docs/contract.md has no section ${number}`);
    const [, ...lines] = contract.slice(from).split(/^##+ /m)[1]?.split('\n') ?? [];
    return `## ${title}\n\n${lines.join('\n').trim()}`;
  });
  return pageText(
    { title: 'Limits and waiting', description: 'Limits, waiting budgets and idempotency, from the contract' },
    linked(parts.join('\n\n'), 'contract.md'),
  );
}
