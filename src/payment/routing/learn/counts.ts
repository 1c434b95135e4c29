// Adds up the results of first attempts for the rules that chose them. Pure.
import type { Origins } from '../../../core/origin/origins.ts';
import { findResult } from '../../../core/results.ts';
import { classOf } from '../../../core/retries/classes.ts';
import type { Part } from '../../../core/routing/fees.ts';
import { cellOf } from '../../../core/routing/learn/in-force.ts';
import type { RoutingInForce } from '../../../core/routing/table.ts';
import { INITIATOR_WORDS, initiatorBy } from '../../order-rules/initiator.ts';
import type { Count, Outcomes } from './outcomes-store.ts';

/** First attempts whose outcome says something of the contract they were sent to. */
export function countsOf(
  outcomes: readonly Outcomes[],
  {
    versions,
    origins,
  }: { versions: ReadonlyMap<number, RoutingInForce>; origins: Pick<Origins, 'cardOf'> | undefined },
): readonly Count[] {
  const counts = new Map<string, Count>();
  for (const one of outcomes) {
    const rule = versions.get(one.v)?.rules[one.r ?? -1];
    const approved = one.state === 'successful';
    if (!rule || !('best_of' in rule.then) || one.named || one.contract_id === null) continue;
    if (!approved && !saysSomething(one)) continue;
    const { hour, contract_id, controlled, orders } = one;
    const cell = cellOf(one.currency, one.scheme, INITIATOR_WORDS[initiatorBy(one)]);
    const key = [hour, rule.name, rule.since, cell, contract_id, controlled].join('\0');
    const before = counts.get(key) ?? { tried: 0, approved: 0, amount_minor: 0, mix: [] };
    counts.set(key, {
      hour,
      rule: rule.name,
      since: rule.since,
      cell,
      contract_id,
      controlled,
      tried: before.tried + orders,
      approved: before.approved + (approved ? orders : 0),
      amount_minor: before.amount_minor + one.amount_minor,
      mix: origins ? mixedIn(before.mix ?? [], one, origins) : null,
    });
  }
  return [...counts.values()];
}

/** With orders of one more card. */
function mixedIn(
  mix: readonly Part[],
  { first6, last4, orders, amount_minor }: Outcomes,
  origins: Pick<Origins, 'cardOf'>,
): readonly Part[] {
  const { country: card_country, funding } = origins.cardOf({ first6, last4 });
  const at = mix.findIndex((one) => one.card_country === card_country && one.funding === funding);
  const before = mix[at] ?? { tried: 0, amount_minor: 0 };
  const sums = { tried: before.tried + orders, amount_minor: before.amount_minor + amount_minor };
  const part = { card_country, funding, ...sums };
  return at < 0 ? [...mix, part] : mix.with(at, part);
}

/** The payer's own doing, such as an empty account, is the same everywhere. */
function saysSomething({ state, code }: Pick<Outcomes, 'state' | 'code'>): boolean {
  const found = state === 'declined' || state === 'not_sent' ? findResult(code ?? '') : undefined;
  return found !== undefined && classOf(found.name).counts_for_approval === 'yes';
}
