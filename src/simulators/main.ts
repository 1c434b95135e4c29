// Simulators of real providers as a process of their own: `node src/simulators/main.ts '["stripe"]'`. The process
// prints one line of JSON when they listen. It ends on a signal, and when its stdin ends: its starter holds that pipe
// open, so the process never outlives its starter.
import { systemClock } from '../kit/clock.ts';
import type { OpenSimulator, Simulator } from './contract.ts';

const clock = systemClock();
const opened: OpenSimulator[] = [];
const told: Record<string, unknown> = {};
for (const name of namesOf(process.argv[2] ?? '')) {
  const { SIMULATOR } = (await import(new URL(`${name}/sandbox.ts`, import.meta.url).href)) as { SIMULATOR: Simulator };
  const simulator = await SIMULATOR.open(() => clock.now().getTime());
  opened.push(simulator);
  const { url, control_url, hosts } = simulator;
  told[name] = { url, control_url, hosts, credentials: SIMULATOR.credentials, signs_with: SIMULATOR.signs_with };
}

let ending = false;
const end = () => {
  if (ending) return;
  ending = true;
  void Promise.all(opened.map(({ close }) => close())).then(() => process.exit(0));
};
process.stdin.on('end', end).on('error', end).resume();
process.on('SIGTERM', end).on('SIGINT', end);
// The last step, because a reader of this line may end the process at once.
process.stdout.write(`${JSON.stringify(told)}\n`);

function namesOf(argument: string): readonly string[] {
  const names: unknown = JSON.parse(argument);
  const fits = (name: unknown): name is string => typeof name === 'string' && /^[a-z0-9_]{1,64}$/.test(name);
  if (!Array.isArray(names) || !names.every(fits)) throw new Error('the argument is no list of names');
  return names;
}
