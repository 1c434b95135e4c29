// The tools of a sandbox: they make events happen, move the clock and arm faults. Production does not have them.
import { bool, oneOf, text } from '../../core/fields.ts';
import { required } from '../../core/shape.ts';
import { ADVANCE } from '../../payment/sandbox/clock/clock.ts';
import { SCENARIO } from '../../payment/sandbox/scenario.ts';
import { TRIGGERS } from '../sandbox/events.ts';
import { listIn } from '../sandbox/session.ts';
import { fenced } from './quote.ts';
import { sandboxTool } from './tool.ts';

const EVENTS = Object.keys(TRIGGERS) as [string, ...string[]];
const says = Object.entries(TRIGGERS).map(([name, trigger]) => `${name}: ${trigger.says}`);

export const SANDBOX_TOOLS = [
  sandboxTool({
    name: 'trigger_event',
    says: `Makes something happen for real in the sandbox, by the calls that a merchant makes. ${says.join('; ')}.`,
    takes: { event: required(oneOf(...EVENTS)) },
    run: async ({ event }, { merchant }) => {
      const trigger = TRIGGERS[event];
      if (!trigger) return `There is no event ${event}.`;
      const { what, id } = await trigger.run(merchant);
      return `${event}: ${trigger.says}. Look at ${what} ${id}.${trigger.next === undefined ? '' : ` Next: ${trigger.next}`}`;
    },
  }),
  sandboxTool({
    name: 'sandbox_clock',
    says: 'Where the clock of the sandbox stands, and when something is due next. With advance_seconds, moves it ahead for the whole sandbox: all that is due on the way happens, in the order of time. It never goes back.',
    takes: { advance_seconds: ADVANCE.seconds },
    run: async ({ advance_seconds: seconds }, { merchant }) => {
      const moved =
        seconds === undefined ? undefined : await merchant.get('/sandbox/clock/advance', { body: { seconds } });
      const { now, offset_seconds, next_due } = await merchant.get('/sandbox/clock');
      const going = moved?.['settled'] === false ? ' There is much to do on the way, and it goes on.' : '';
      return `${moved ? `The clock was moved.${going}` : 'The clock was not moved.'}\n${fenced({ now, offset_seconds, next_due })}`;
    },
  }),
  sandboxTool({
    name: 'arm_fault',
    says: 'What goes wrong with the next calls of this account to the simulated provider that fit: docs/contract.md 15.4. The members of match tie it to one order, reference, amount or card.',
    takes: SCENARIO,
    run: async (given, { merchant }) => {
      const { scenario } = await merchant.get('/sandbox/scenario', { body: given });
      return `Armed.\n${fenced(scenario)}`;
    },
  }),
  sandboxTool({
    name: 'armed_faults',
    says: 'The faults that are armed, the oldest first. With clear, removes them all.',
    takes: { clear: bool },
    run: async ({ clear = false }, { merchant }) => {
      if (clear) await merchant.get('/sandbox/scenario', { method: 'DELETE' });
      const scenarios = listIn(await merchant.get('/sandbox/scenario'), 'scenarios');
      return `${scenarios.length} armed.\n${fenced(scenarios)}`;
    },
  }),
  sandboxTool({
    name: 'sandbox_cards',
    says: 'Card numbers of the sandbox and what happens with them: those in which all words stand, or the one that ends with a code.',
    takes: { words: text(100) },
    run: async ({ words = '' }, { merchant }) => {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      const cards = listIn(await merchant.get('/sandbox/cards'), 'cards').filter((card) => {
        const line = JSON.stringify(card).toLowerCase();
        return wanted.every((word) => line.includes(word));
      });
      return `${cards.length} cards.\n${fenced(cards)}`;
    },
  }),
];
