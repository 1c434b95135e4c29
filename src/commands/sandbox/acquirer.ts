// florin acquirer: runs only the simulated acquirer of ISO 8583, for a sandbox on another machine, or for one that is
// restarted often while the acquirer's books stay.
import { once } from 'node:events';
import { systemClock } from '../../kit/clock.ts';
import { StartError } from '../../kit/start-error.ts';
import { openAcquirer } from '../../simulators/iso8583/acquirer.ts';
import { SIMULATOR } from '../../simulators/iso8583/sandbox.ts';
import { readWords } from '../arguments.ts';

const USAGE = `florin acquirer    starts the simulated acquirer of ISO 8583, on loopback, until it is interrupted
  --port N            of its lines; 8583 unless given
  --control-port N    of what steers it and shows its books; 8584 unless given`;

export async function acquirerCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['port', 'control-port'] });
  const port = portOf(words.text('port') ?? '8583');
  const control_port = portOf(words.text('control-port') ?? '8584');
  await using acquirer = await openAcquirer({ port, control_port, clock: systemClock() }).catch((error: unknown) => {
    throw new StartError(`The acquirer did not start: ${String(error)}. Choose with --port and --control-port.`);
  });
  const credentials = Object.entries(SIMULATOR.credentials).map(([name, value]) => `  ${name} ${value}`);
  console.log(`lines    tcp://127.0.0.1:${acquirer.port}
books    http://127.0.0.1:${acquirer.control_port}/control/books

Start a sandbox with FLORIN_WITH=iso8583=tcp://127.0.0.1:${acquirer.port}, and give a contract with iso8583 credentials such as
${credentials.join('\n')}`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

/** 0 asks for any free port. */
function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new StartError(`${text} is no port.\n\nUsage: ${USAGE}`);
  return Number(text);
}
