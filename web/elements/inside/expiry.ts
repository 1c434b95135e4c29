// An expiry date while it is typed or pasted: 1/30, 0130, 01 / 2030, 2030-01 all become 01 / 30.
import { digitsOf } from './number.ts';

export type Expiry = { readonly month: string; readonly year: string };

/**
 * Reads a text that may be incomplete. The month has two digits as soon as it is certain; the year has two, or up to
 * four while it is typed.
 */
export function readExpiry(text: string): Expiry {
  const plain = [...text].map((char) => digitsOf(char) || char).join('');
  const iso = /^\s*(\d{4})-(\d{1,2})\s*$/.exec(plain);
  if (iso) return { month: (iso[2] ?? '').padStart(2, '0'), year: short(iso[1] ?? '') };
  const parted = /^\s*(\d{1,2})\s*[^\d\s]\s*(\d*)|^\s*(\d{1,2})\s+(\d+)/.exec(plain);
  if (parted) {
    const month = parted[1] ?? parted[3] ?? '';
    return { month: month === '0' ? '0' : month.padStart(2, '0'), year: short(parted[2] ?? parted[4] ?? '') };
  }
  const digits = digitsOf(plain);
  // a month of two digits cannot begin with 2 to 9, or be above 12
  const one = digits.charAt(0) > '1' || Number(digits.slice(0, 2)) > 12;
  const month = one ? `0${digits.charAt(0)}` : digits.slice(0, 2);
  return { month, year: short(digits.slice(one ? 1 : 2)) };
}

function short(year: string): string {
  return year.length >= 4 ? year.slice(2, 4) : year;
}

/** Writes `01 / 30`. `deleting`: a separator at the end is removed together with the deleted digit. */
export function showExpiry({ month, year }: Expiry, deleting = false): string {
  if (year !== '') return `${month} / ${year}`;
  return month.length === 2 && !deleting ? `${month} / ` : month;
}

export type ExpiryProblem = 'expiry_incomplete' | 'expiry_month' | 'expiry_past' | 'expiry_far';

/** The problem of the date, compared with the present month; undefined if there is none. */
export function expiryProblem({ month, year }: Expiry, today: Date): ExpiryProblem | undefined {
  if (month.length < 2 || year.length !== 2) return 'expiry_incomplete';
  if (Number(month) < 1 || Number(month) > 12) return 'expiry_month';
  const full = Math.trunc(today.getFullYear() / 100) * 100 + Number(year);
  const months = (full - today.getFullYear()) * 12 + Number(month) - 1 - today.getMonth();
  if (months < 0) return 'expiry_past';
  return full > today.getFullYear() + 20 ? 'expiry_far' : undefined;
}
