// Everything that the rules of a table can see of a payment, as one text. Payments with the same text are the same to
// every rule, so they have the same plan (route.ts), which is worked out only once. Pure.
import { type RouteFacts, WORD_FACTS, plain } from './facts.ts';
import { amountBounds, compile } from './match.ts';
import { type RouteTable, type When, isTexts } from './table.ts';

export type Alike = (facts: RouteFacts) => string;

/** Members of rules that ask the world, or are seen with the amount's currency. */
const ASKED_ELSEWHERE = new Set(['healthy', 'amount_from', 'amount_to']);

export function alikeBy({ rules }: Pick<RouteTable, 'rules'>): Alike {
  const whens = rules.map(({ when }) => when);
  const seen: Alike[] = [seenAmount(whens), ...seenWords(whens), ...seenOthers(whens)];
  if (rules.some(({ then }) => 'best_of' in then)) seen.push(seenCell);
  return (facts) => {
    let text = facts.currency;
    for (const one of seen) text += ` ${one(facts)}`;
    return text;
  };
}

/** How many of the bounds in its currency the amount has reached. */
function seenAmount(whens: readonly When[]): Alike {
  const bounds = Map.groupBy(whens.flatMap(amountBounds), ({ currency }) => currency);
  const reached = new Map(
    [...bounds].map(([currency, all]) => [currency, all.map(({ minor }) => minor).toSorted(byAmount)] as const),
  );
  return ({ currency, amount_minor }) => {
    const in_currency = reached.get(currency);
    if (!in_currency) return '';
    const above = in_currency.findIndex((minor) => amount_minor < minor);
    return String(above < 0 ? in_currency.length : above);
  };
}

const byAmount = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

/** For each fact with a word: which of the words in the rules it is, or another word, or none. */
function seenWords(whens: readonly When[]): readonly Alike[] {
  const words = new Map<string, Set<string>>();
  const named = (name: string) => {
    const known = words.get(name) ?? new Set<string>();
    words.set(name, known);
    return known;
  };
  for (const when of whens)
    for (const [member, value] of Object.entries(when)) {
      if (member === 'missing' && isTexts(value)) value.forEach(named);
      if (isWord(member) && isTexts(value)) for (const word of value) named(factOf(member)).add(plain(word));
    }
  words.delete('first6');
  return [...words].map(([name, all]) => {
    const places = new Map([...all].map((word, i) => [word, String(i)]));
    return (facts) => {
      const word = facts.plainWord(name);
      return word === undefined ? '-' : (places.get(word) ?? '*');
    };
  });
}

const factOf = (member: string) => member.replace(/^not_/, '');
const isWord = (member: string) => Object.hasOwn(WORD_FACTS, factOf(member));

/** Whether each of the other members, asked alone, is so: hours, ranges of cards, flags, the merchant's own data. */
function seenOthers(whens: readonly When[]): readonly Alike[] {
  const asked = new Map<string, When>();
  for (const when of whens) {
    for (const [member, value] of Object.entries(when))
      if (!isWord(member) && !ASKED_ELSEWHERE.has(member) && member !== 'missing')
        asked.set(`${member} ${JSON.stringify(value)}`, { [member]: value });
    const { missing } = when;
    if (isTexts(missing) && missing.includes('first6')) asked.set('missing first6', { missing: ['first6'] });
  }
  return [...asked.values()].map((when) => {
    const is = compile(when);
    return (facts) => (is(facts, () => true) ? '1' : '0');
  });
}

/** The cells in which best_of rules keep what they have learnt. */
const seenCell: Alike = (facts) => `${facts.word('scheme') ?? ''} ${facts.word('initiator') ?? ''}`;
