// Where codes and problems have their pages.
import { findResult } from '../../../src/core/results.ts';

function codeAddress(code: string): string {
  return `/docs/reference/codes/${phaseSlug(findResult(code)?.phase ?? 'none')}/#${code}`;
}

export function phaseSlug(phase: string): string {
  return phase === 'none' ? 'route' : phase;
}

export function codeLink(code: string): string {
  return `<a href="${codeAddress(code)}"><code>${code}</code></a>`;
}

export function problemLink(slug: string): string {
  return `<a href="/docs/reference/problems/#${slug}">${slug}</a>`;
}
