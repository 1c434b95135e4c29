// What differs from one recording to the next, replaced by what does not: an id, key or token by its number in the
// order of first appearance, so that two places that must show the same one still must; a moment by its distance from
// the scene's own begin.

import { DAY_MS, MINUTE_MS } from '../../src/core/durations.ts';
/**
 * Moments within so many days of a begin are told as distances from it; all others are part of what was sent, and stay.
 */
const NEAR = { machine: [-60, 60], sandbox: [-230, 700] } as const;
/** A recording may take so long without being another one. */
const STEP_MS = 5 * MINUTE_MS;

export type Begins = {
  /** Of the machine's clock: what is about people. */
  readonly machine: number;
  /** Of the sandbox's clock: what is about money. At a full hour of the day, always the same. */
  readonly sandbox: number;
};

const VOLATILE = new RegExp(
  [
    String.raw`(?<key>FL_(?:PUB|PR)_s[0-9A-Za-z]{49})`,
    String.raw`(?<integrity>sha(?:256|384|512)-[\w+/]{43,}={0,2})`,
    String.raw`(?<signing>whsec_[\w+/=-]+)`,
    String.raw`(?<uuid>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)`,
    String.raw`(?<recovery>\b[0-9a-f]{4}(?:-[0-9a-f]{4}){3}\b)`,
    String.raw`(?<time>\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)`,
    String.raw`(?<spoken>\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? [\w ]{6,12}\d{4} \d\d:\d\d:\d\d GMT(?:\+0000 \([\w ]+\))?)`,
    String.raw`(?<millis>\b0{0,3}1[789]\d{11}\b)`,
    String.raw`(?<compact>\b20\d{12}\b)`,
    String.raw`(?<day>\b20\d\d-\d\d-\d\d\b)`,
    String.raw`(?<hex>(?<![0-9A-Za-z])[0-9a-f]{24,128}(?![0-9A-Za-z]))`,
    String.raw`(?<totp>\b[A-Z2-7]{32}\b)`,
    String.raw`(?<blob>(?<![\w+/-])(?=[\w+/-]*[0-9])(?=[\w+/-]*[A-Z])(?=[\w+/-]*[a-z])[\w+/-]{40,}={0,2})`,
    String.raw`(?<port>(?<=127\.0\.0\.1:|localhost:)\d{4,5})`,
  ].join('|'),
  'g',
);

/**
 * Members whose value is a measurement, or drawn; inside an answer that is kept as a text, too. There a long number is
 * masked already, and one that ends in a zero is shorter.
 */
const MEASURED =
  /(\\?")(duration_ms|took_ms|latency_ms|offset_seconds|shift_ms|age_s|\w+_in_ms|shift_s|gzip_bytes)\\?": ?(?:-?\d+(?:\.\d+)?|\\"\(number of \d+\)\\")/g;
/** What a build names by its contents: it differs with every change of what stands in it. */
const BUILT = /(?<=\/(?:app|docs\/assets)\/[a-z]+[-.])[\w-]{8,10}(?=\.\w)/g;
/** What the simulated bank draws for a payment; inside an answer that is kept as a text too. */
const DRAWN = /(?<="(?:authorization_code|network_reference)\\?":\\?")(?:[0-9A-Z]{6}|[A-Z]{15})(?=\\?")/g;
const CURSOR = /(?<="(?:next_)?cursor":"|[?&]cursor=)[\w-]{8,64}/g;

export class Stable {
  private readonly numbers = new Map<string, Map<string, number>>();
  private readonly names: [string, string][] = [];
  private readonly begins: Begins;

  constructor(begins: Begins) {
    this.begins = begins;
  }

  /** From now on this text is called so. */
  name(text: string, name: string): void {
    if (text === '') throw new Error(`nothing is called ${name}`);
    this.names.push([text, name], [encodeURIComponent(text), name]);
    this.names.sort(([one], [other]) => other.length - one.length);
  }

  of(text: string): string {
    let named = text.replaceAll(`-${process.pid}-`, '-').replaceAll(`_${process.pid}_`, '_');
    for (const [known, name] of this.names) named = named.replaceAll(known, name);
    return named
      .replace(MEASURED, '$1$2$1:$1<measured>$1')
      .replace(BUILT, '<built>')
      .replace(DRAWN, (drawn) => this.number('drawn', drawn))
      .replace(CURSOR, (cursor) => this.number('cursor', cursor))
      .replace(VOLATILE, (found, ...rest) => this.replaced(found, rest.at(-1) as Readonly<Record<string, string>>));
  }

  private replaced(found: string, groups: Readonly<Record<string, string | undefined>>): string {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? '';
    switch (kind) {
      case 'integrity':
      case 'recovery':
      case 'totp':
      case 'millis':
      case 'port':
        return `<${kind}>`;
      case 'time':
        return this.moment(found, Date.parse(/Z|[+-]\d\d:?\d\d$/.test(found) ? found : `${found}Z`));
      case 'spoken':
        return this.moment(found, Date.parse(found));
      case 'compact':
        return this.moment(found, Date.parse(found.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z')));
      case 'day':
        return this.day(found);
      case 'hex':
        if (/^(.)\1+$/.test(found)) return found;
        return this.number(found.length === 24 ? 'id' : found.length === 64 ? 'token' : 'hash', found);
      default:
        return this.number(kind, found);
    }
  }

  private number(kind: string, value: string): string {
    const known = this.numbers.get(kind) ?? new Map<string, number>();
    this.numbers.set(kind, known);
    const number = known.get(value) ?? known.size + 1;
    known.set(value, number);
    return `<${kind}-${number}>`;
  }

  private moment(found: string, at: number): string {
    for (const clock of ['machine', 'sandbox'] as const) {
      const since = at - this.begins[clock];
      const [from, to] = NEAR[clock];
      if (since > from * DAY_MS && since < to * DAY_MS)
        return `<${clock === 'machine' ? 'machine ' : ''}${distance(Math.floor(since / STEP_MS) * STEP_MS)}>`;
    }
    return found;
  }

  private day(found: string): string {
    const at = Date.parse(`${found}T00:00:00Z`);
    const days = (clock: keyof Begins) => Math.round((at - Math.floor(this.begins[clock] / DAY_MS) * DAY_MS) / DAY_MS);
    const inside = (clock: keyof Begins) => days(clock) > NEAR[clock][0] && days(clock) < NEAR[clock][1];
    if (inside('sandbox')) return `<day${signed(days('sandbox'))}>`;
    return inside('machine') ? '<machine day>' : found;
  }
}

function distance(ms: number): string {
  const minutes = Math.abs(ms) / 60_000;
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor((minutes % 1440) / 60), 'h'],
    [minutes % 60, 'm'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`);
  return `t${ms < 0 ? '-' : '+'}${shown.join('') || '0'}`;
}

const signed = (days: number): string => (days < 0 ? String(days) : `+${days}`);
