// The few signs of the hosted page. Each stands beside words that say the same.
const stroke = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"';
const sign = (box: number, inside: string) => `<svg viewBox="0 0 ${box} ${box}" aria-hidden="true">${inside}</svg>`;

export const ICONS = {
  lock: sign(
    16,
    '<path d="M4 7V5a4 4 0 0 1 8 0v2h.5A1.5 1.5 0 0 1 14 8.5v5a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 13.5v-5A1.5 1.5 0 0 1 3.5 7H4Zm1.6 0h4.8V5a2.4 2.4 0 0 0-4.8 0v2Z" fill="currentColor"/>',
  ),
  back: sign(16, `<path d="M9.5 3 4.5 8l5 5" ${stroke} stroke-width="1.8"/>`),
  down: sign(16, `<path d="m4 6 4 4 4-4" ${stroke} stroke-width="1.8"/>`),
  warn: sign(
    20,
    `<circle cx="10" cy="10" r="9" fill="currentColor"/><path class="cut" d="M10 5.5v5.5m0 3v.1" ${stroke} stroke-width="2"/>`,
  ),
} as const;

const MARKS = {
  good: 'M14 25l7 7 14-15',
  bad: 'M16 16l16 16M32 16L16 32',
  open: 'M24 13v12l8 5',
} as const;

/** The large sign of a page that says one thing. */
export function mark(kind: keyof typeof MARKS): string {
  return `<svg class="mark ${kind}" viewBox="0 0 48 48" fill="none" aria-hidden="true"><circle cx="24" cy="24" r="24"/><path d="${MARKS[kind]}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}
