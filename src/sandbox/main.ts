// The simulated provider as a process of its own: `node src/sandbox/main.ts
// '{"host":"127.0.0.1","port":0,"journal_file":null}'`. It prints {"port":N,"pages_port":N or null} when it listens. It
// ends on a signal, and when its stdin ends: its starter holds that pipe open, so the process never outlives its
// starter.
import { systemClock } from '../kit/clock.ts';
import { isRecord } from './entry.ts';
import { type Place, type SimulatorSettings, startSimulator } from './simulator.ts';

const clock = systemClock();
const simulator = await startSimulator(readSettings(process.argv[2] ?? ''));

let ending = false;
const end = () => {
  if (ending) return;
  ending = true;
  void simulator.close().then(() => process.exit(0));
};
process.stdin.on('end', end).on('error', end).resume();
process.on('SIGTERM', end).on('SIGINT', end);
// The last step, because a reader of this line may end the process at once.
process.stdout.write(`${JSON.stringify({ port: simulator.port, pages_port: simulator.pages_port })}\n`);

function readSettings(argument: string): SimulatorSettings {
  const settings: unknown = JSON.parse(argument);
  if (!isRecord(settings)) throw new Error('the settings are not a JSON object');
  const { host, port, journal_file, public_url = null, pages = null } = settings;
  if (journal_file !== null && typeof journal_file !== 'string')
    throw new Error('journal_file is neither a text nor null');
  if (public_url !== null && typeof public_url !== 'string') throw new Error('public_url is neither a text nor null');
  const shown = pages === null ? null : readPlace(pages);
  return {
    ...readPlace({ host, port }),
    journal_file,
    public_url,
    pages: shown,
    now: () => clock.now().getTime(),
    say,
  };
}

function readPlace(place: unknown): Place {
  const { host, port } = isRecord(place) ? place : {};
  if (typeof host !== 'string') throw new Error('host is not a text');
  if (typeof port !== 'number' || !Number.isInteger(port)) throw new Error('port is not an integer');
  return { host, port };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
