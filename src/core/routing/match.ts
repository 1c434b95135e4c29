// Does a rule match this payment? A rule is compiled once for each version. A fact that is absent never matches, not
// even a negated condition.
import { toMinor } from '../money.ts';
import { FLAG_FACTS, type FlagFact, type RouteFacts, WORD_FACTS, plain } from './facts.ts';
import { type When, isHours, isTexts, isTold } from './table.ts';

/** `isReady`: a contract, by the name or id a rule has for it, takes this payment and its provider is well. */
export type Test = (facts: RouteFacts, isReady: (contract: string) => boolean) => boolean;

export function compile(when: When): Test {
  const tests = Object.entries(when).map(([name, value]) => testOf(name, value, when));
  return (facts, isReady) => tests.every((test) => test(facts, isReady));
}

function testOf(name: string, value: unknown, when: When): Test {
  if (name === 'amount_from' || name === 'amount_to') return amountTest(name, value, when);
  if (name === 'healthy' && isTexts(value)) return (_, isReady) => value.every(isReady);
  if (name === 'missing' && isTexts(value)) return (facts) => value.every((one) => isMissing(facts, one));
  const flag = FLAG_FACTS.find((one) => one === name);
  if (flag) return (facts) => facts.flag(flag satisfies FlagFact) === value;
  const turned = name.startsWith('not_');
  const found = turnedTest(turned ? name.slice(4) : name, value);
  return (facts) => {
    const is = found(facts);
    return is !== undefined && is !== turned;
  };
}

function amountTest(name: AmountMember, value: unknown, when: When): Test {
  const { currency: code, minor } = boundOf(name, value, when);
  return name === 'amount_from'
    ? (facts) => facts.currency === code && facts.amount_minor >= minor
    : (facts) => facts.currency === code && facts.amount_minor < minor;
}

type AmountMember = 'amount_from' | 'amount_to';
/** Amounts below it are on one side, the amount itself and what is above on the other. */
type Bound = { readonly currency: string; readonly minor: bigint };

function boundOf(name: AmountMember, value: unknown, { currency }: When): Bound {
  const code = isTexts(currency) ? (currency[0] ?? '') : '';
  const read = toMinor(String(value), code);
  if ('problem' in read) throw new Error('the amount of a published rule was checked');
  // what is asked for up to an amount takes that amount, too
  return { currency: code, minor: name === 'amount_from' ? read.minor : read.minor + 1n };
}

export function amountBounds(when: When): readonly Bound[] {
  const asked = (['amount_from', 'amount_to'] as const).filter((name) => when[name] !== undefined);
  return asked.map((name) => boundOf(name, when[name], when));
}

function isMissing(facts: RouteFacts, name: string): boolean {
  if (name === 'first6') return facts.first6 === null;
  return facts.word(name) === undefined;
}

/** Undefined: the fact is not there. */
function turnedTest(name: string, value: unknown): (facts: RouteFacts) => boolean | undefined {
  if (name === 'hour' && isHours(value)) {
    const clock = clockOf(value.zone);
    const { from, to } = value;
    return (facts) => {
      const now = clock(facts.at_ms);
      // over midnight, where it ends before it begins
      return from <= to ? now >= from && now < to : now >= from || now < to;
    };
  }
  if (name === 'merchant_data' && isTold(value)) {
    const wanted = new Set(value.values.map(plain));
    return (facts) => {
      const told = facts.told(value.key);
      return told === undefined ? undefined : wanted.has(plain(told));
    };
  }
  if (!isTexts(value)) throw new Error('the members of a published rule were checked');
  if (name === 'first6') {
    const ranges = value.map((one) => [one.slice(0, 6), one.slice(-6)] as const);
    return ({ first6 }) => (first6 === null ? undefined : ranges.some(([from, to]) => first6 >= from && first6 <= to));
  }
  if (!Object.hasOwn(WORD_FACTS, name)) throw new Error(`no rule asks for ${name}`);
  const wanted = new Set(value.map(plain));
  return (facts) => {
    const word = facts.plainWord(name);
    return word === undefined ? undefined : wanted.has(word);
  };
}

/** The time of day in a zone, as HH:MM. */
function clockOf(zone: string): (at_ms: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (at_ms) => format.format(at_ms);
}
