// Runs a program under a guard: a shell that holds a pipe whose other end is ours. When we go, even by kill -9, the
// pipe closes, and the guard ends the program: SIGINT (for PostgreSQL: fast shutdown), after ten seconds SIGQUIT.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Account, SERVER_ENV } from './account.ts';

export type Guarded = {
  /** Asks the guard to end the program. */
  end(): void;
  /** The last lines of what the program said. */
  tail(): string;
  /** The program's exit code, once it is gone. */
  readonly ended: Promise<number>;
};

// SIGINT is sent again and again: a shell starts background programs with SIGINT ignored, and one that comes before the
// program has its own handler would be lost. Not for ever: a dead child of a careless init answers signals for ever.
// When we are gone the shell's output has no reader, and it must not die of that. $1 is a folder to remove in the end,
// or empty.
const GUARD = `
folder=$1; shift
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
trap '' PIPE
{
  trap 'kill $pause; exit' TERM
  read -r _ <&3
  tries=0
  while [ $tries -lt 20 ] && kill -"$([ $tries -lt 10 ] && echo INT || echo QUIT)" $program; do
    sleep 1 & pause=$!
    wait $pause
    tries=$((tries + 1))
  done
} >/dev/null 2>&1 &
watch=$!
trap 'kill -INT $program' INT TERM HUP
while :; do
  wait $program
  code=$?
  kill -0 $program 2>/dev/null || break
done
kill $watch 2>/dev/null
[ -z "$folder" ] || rm -rf -- "$folder"
exit $code
`;

const TAIL_LENGTH = 4000;
const LAST_LINES_MS = 200;

/** Starts the command. It keeps our process alive only while its end is awaited. */
export function startGuarded(account: Account, command: readonly string[], remove_in_the_end = ''): Guarded {
  // Its own session: the terminal's Ctrl-C is for us, and we decide when the server goes.
  // Where no descriptor is left it has no pipes, and an error in the next turn.
  const child: ChildProcess = spawn(
    '/bin/sh',
    ['-c', GUARD, 'florin-guard', remove_in_the_end, ...account.prefix, ...command],
    { ...account.ids, cwd: '/', env: SERVER_ENV, detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_LENGTH);
  });
  child.stdin?.on('error', () => undefined);
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  const ended = once(child, 'exit').then(
    async ([code]) => {
      // Its last lines may still be on their way; a server that outlived a killed guard keeps the pipe open.
      await Promise.race([closed, wait(LAST_LINES_MS)]);
      return typeof code === 'number' ? code : 1;
    },
    (error: unknown) => {
      tail += String(error);
      return 1;
    },
  );
  child.unref();
  for (const pipe of [child.stdin, child.stderr]) if (pipe instanceof Socket) pipe.unref();
  const end = (): void => {
    child.ref();
    child.stdin?.end();
  };
  return { end, tail: () => tail, ended };
}

/** Runs a command to its end. */
export async function runGuarded(
  account: Account,
  command: readonly string[],
): Promise<{ code: number; output: string }> {
  const guarded = startGuarded(account, command);
  const stay_alive = setInterval(() => undefined, 60_000);
  const code = await guarded.ended;
  clearInterval(stay_alive);
  return { code, output: guarded.tail() };
}
