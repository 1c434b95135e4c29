// Plays histories: all of them to a depth, or one that was drawn. What the rules find is told with the way that led to
// it.
import type { Policy, Seen } from '../../../src/payment/order/decide/decision.ts';
import type { OperationFacts } from '../../../src/payment/order/facts/order-facts.ts';
import { type Command, type Model, accept, modelOf, see } from './apply.ts';
import { POLICIES, type Start, everythingSeen, freshOrder } from './facts.ts';
import { check, checkDecision, movesOf } from './rules.ts';

type Node = { readonly model: Model; readonly way: Way | undefined };
type Way = { readonly step: string; readonly before: Way | undefined };

export type Explored = {
  readonly states: readonly Model[];
  readonly steps: number;
  /** Every move of the status that was met while one operation ran at a time. */
  readonly moves: ReadonlySet<string>;
  /** Broken rules, with a history that breaks each. */
  readonly problems: ReadonlyMap<string, string>;
};

/** Every history of at most `depth` steps; what two histories have in common is looked at once. */
export function explore(start: Start, depth: number): Explored {
  const first = modelOf(freshOrder(start));
  const known = new Set([keyOf(first)]);
  const states = [first];
  const moves = new Set<string>();
  const problems = new Map<string, string>();
  let steps = 0;
  let level: Node[] = [{ model: first, way: undefined }];
  for (let done = 0; done < depth; done++) {
    const next: Node[] = [];
    for (const node of level)
      forEachStep(node.model, (step, play) => {
        steps++;
        const way = { step, before: node.way };
        try {
          const model = play();
          if (!model || model === node.model) return;
          const key = keyOf(model);
          if (model.one_at_a_time)
            for (const { from, to } of movesOf({ before: node.model, after: model })) moves.add(`${from} -> ${to}`);
          if (known.has(key)) return;
          known.add(key);
          states.push(model);
          next.push({ model, way });
        } catch (error) {
          const rule = error instanceof Error ? error.message : String(error);
          if (!problems.has(rule)) problems.set(rule, told(way));
        }
      });
    level = next;
  }
  return { states, steps, moves, problems };
}

function told(way: Way | undefined): string {
  const steps: string[] = [];
  for (let here = way; here; here = here.before) steps.unshift(here.step);
  return steps.join('; ');
}

function forEachStep(model: Model, visit: (step: string, play: () => Model | undefined) => void): void {
  for (const command of commandsOf(model)) visit(nameOf(command), () => playCommand(model, command));
  for (const operation of model.order.operations)
    for (const [name, seen] of everythingSeen(model.order, operation))
      for (const policy of POLICIES)
        visit(`${operation.id} is seen ${name}${when(policy)}`, () => playSight(model, operation, { seen, policy }));
}

function when({ in_flight_over, review_due }: Policy): string {
  return `${in_flight_over ? ' after its time' : ''}${review_due ? ' after a day' : ''}`;
}

/** All of it, and the smallest part of it. */
function commandsOf({ order }: Model): readonly Command[] {
  const left = order.authorized_minor - order.released_minor - order.captured_minor - order.capturing_minor;
  const refundable = order.captured_minor - order.refunded_minor - order.refunding_minor;
  const parts = (most: bigint) => (most > 1n ? [1n, most] : most > 0n ? [1n] : []);
  return [
    ...parts(left).flatMap((amount_minor) =>
      [true, false].map((final) => ({ do: 'capture', amount_minor, final }) as const),
    ),
    ...parts(refundable).map((amount_minor) => ({ do: 'refund', amount_minor }) as const),
    { do: 'cancel' },
    { do: 'lapse' },
  ];
}

const nameOf = (command: Command) =>
  'amount_minor' in command
    ? `${command.do} ${command.amount_minor}${command.do === 'capture' && command.final ? ', the last' : ''}`
    : command.do;

export function playCommand(before: Model, command: Command): Model | undefined {
  const after = accept(before, command);
  if (after) check({ before, after });
  return after;
}

type Asked = { readonly seen: Seen; readonly policy: Policy };

/** One observation, and the same again: the second changes nothing. */
export function playSight(before: Model, { id }: OperationFacts, asked: Asked): Model {
  const sight = { operation_id: id, ...asked };
  const { decision, after } = see(before, sight);
  checkDecision({ before, after, operation_id: id, decision, ...asked });
  if (after === before) return before;
  const again = see(after, sight).after;
  if (again !== after && keyOf(again) !== keyOf(after)) throw new Error('the same observation again changes something');
  return after;
}

/** All that decide() and the rules look at. */
export function keyOf({ order, one_at_a_time, ledger }: Model): string {
  const { status, cancel_pending, authorized_minor, released_minor, capturing_minor, captured_minor } = order;
  const { refunding_minor, refunded_minor, winner_id, operations } = order;
  let key = `${status} ${cancel_pending} ${one_at_a_time} ${winner_id} ${ledger.length}`;
  key += ` ${authorized_minor} ${released_minor} ${capturing_minor} ${captured_minor} ${refunding_minor} ${refunded_minor}`;
  for (const o of operations)
    key += `|${o.id} ${o.origin} ${o.state} ${o.waits_for} ${o.amount_minor} ${o.target_id} ${o.final}`;
  return key;
}
