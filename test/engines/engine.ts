// Firefox and WebKit as Debian has them, driven by the commands of WebDriver (decision 189). WebKitWebDriver takes them
// over HTTP, Firefox by itself over a socket (Marionette): the same commands under other names.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, vi } from 'vitest';
import { hasProgram } from '../deploy/place.ts';
import { ownPort } from '../ports.ts';

type Params = Readonly<Record<string, unknown>>;
type Send = (command: keyof typeof COMMANDS, params: Params) => Promise<unknown>;
type Sender = { readonly send: Send; readonly downloads: string; close(): Promise<void> };

/** Path over HTTP, name at Firefox. */
const COMMANDS = {
  go: ['/url', 'WebDriver:Navigate'],
  back: ['/back', 'WebDriver:Back'],
  frame: ['/frame', 'WebDriver:SwitchToFrame'],
  run: ['/execute/sync', 'WebDriver:ExecuteScript'],
  click: ['/element/:id/click', 'WebDriver:ElementClick'],
  keys: ['/actions', 'WebDriver:PerformActions'],
} as const;

export const ENGINES = [
  { name: 'Firefox', programs: ['firefox-esr'], open: openFirefox, packages: 'firefox-esr' },
  { name: 'WebKit', programs: ['WebKitWebDriver', 'Xvfb'], open: openWebKit, packages: 'webkit2gtk-driver xvfb' },
].map(({ programs, ...engine }) => ({ ...engine, is_here: programs.every(hasProgram) }));

/** Keys without a letter, as WebDriver writes them. */
export const KEY = {
  backspace: '\uE003',
  delete: '\uE017',
  left: '\uE012',
  home: '\uE011',
  enter: '\uE007',
  escape: '\uE00C',
} as const;

/** Members of this name hold an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

export type Engine = {
  go(url: string): Promise<void>;
  back(): Promise<void>;
  /** Into the page's only frame. */
  enter(): Promise<void>;
  leave(): Promise<void>;
  /** The value of an expression, in the page or in the frame. */
  look(expression: string): Promise<unknown>;
  /** Waits until the expression is true. */
  until(expression: string): Promise<void>;
  /** Clicks as with a mouse. */
  click(expression: string): Promise<void>;
  /** Presses and lets go key by key. */
  type(text: string): Promise<void>;
  /** What the browser has saved, by the names of the files. */
  saved(): Readonly<Record<string, string>>;
  close(): Promise<void>;
};

function engineOf({ send, downloads, close }: Sender): Engine {
  const look = (expression: string) => send('run', { script: `return ${expression}`, args: [] });
  const until = async (expression: string) => {
    await expect.poll(() => look(`Boolean(${expression})`).catch(() => false)).toBe(true);
  };
  return {
    look,
    until,
    close,
    go: async (url) => void (await send('go', { url })),
    back: async () => void (await send('back', {})),
    enter: async () => {
      await until(`document.querySelector('iframe')`);
      await send('frame', { id: 0 });
      await until(`document.querySelector('#code')`);
    },
    leave: async () => void (await send('frame', { id: null })),
    click: async (expression) => {
      await until(expression);
      const found = await look(expression);
      if (typeof found !== 'object' || found === null) throw new Error(`${expression} is no element`);
      await send('click', { id: new Map(Object.entries(found)).get(ELEMENT) });
    },
    type: async (text) => {
      const actions = [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
      await send('keys', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    saved: () =>
      Object.fromEntries(readdirSync(downloads).map((name) => [name, readFileSync(join(downloads, name), 'utf8')])),
  };
}

/** A browser on a busy machine. */
const START = { timeout: 60_000, interval: 100 };

async function openWebKit(): Promise<Engine> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = String((await once(screen.stdio[3] as Readable, 'data'))[0]).trim();
  const port = await ownPort();
  const { home, downloads } = homeOf('webkit');
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    DISPLAY: `:${display}`,
    NO_AT_BRIDGE: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  };
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env });
  const ask = async (path: string, params: Params | undefined, method = 'POST') => {
    const body = params && JSON.stringify(params);
    const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, { method, ...(body && { body }) });
    const { value } = (await answer.json()) as { readonly value: unknown };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  // it answers as soon as it listens
  await vi.waitUntil(() => isReady(port), START);
  const made = (await ask('', { capabilities: {} })) as { readonly sessionId: string };
  const session = `/${made.sessionId}`;
  return engineOf({
    downloads,
    send: (command, params) => ask(session + COMMANDS[command][0].replace(':id', String(params['id'])), params),
    close: async () => {
      await ask(session, undefined, 'DELETE');
      await Promise.all([ended(driver), ended(screen)]);
      rmSync(home, { recursive: true, force: true });
    },
  });
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
  return answer?.ok === true;
}

const PREFERENCES = {
  'marionette.port': 0,
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  // files go to the folder that is named
  'browser.download.folderList': 2,
};

async function openFirefox(): Promise<Engine> {
  const { home: profile, downloads } = homeOf('firefox');
  const lines = Object.entries({ ...PREFERENCES, 'browser.download.dir': downloads }).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const browser = spawn('firefox-esr', ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    stdio: 'ignore',
  });
  const told = join(profile, 'MarionetteActivePort');
  await vi.waitUntil(() => existsSync(told) && readFileSync(told, 'utf8') !== '', START);
  const socket = connect(Number(readFileSync(told, 'utf8')), '127.0.0.1');
  const ask = marionette(socket);
  await ask('WebDriver:NewSession', { capabilities: {} });
  const unwrap = (answer: unknown) =>
    typeof answer === 'object' && answer !== null && 'value' in answer ? answer.value : answer;
  return engineOf({
    downloads,
    send: async (command, params) => unwrap(await ask(COMMANDS[command][1], params)),
    close: async () => {
      socket.destroy();
      await ended(browser);
      rmSync(profile, { recursive: true, force: true });
    },
  });
}

/** A home of its own, which says where files are saved. */
function homeOf(name: string): { readonly home: string; readonly downloads: string } {
  const home = mkdtempSync(join(tmpdir(), `florin-${name}-`));
  const downloads = join(home, 'Downloads');
  for (const folder of [downloads, join(home, '.config')]) mkdirSync(folder);
  writeFileSync(join(home, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');
  return { home, downloads };
}

/** Messages are `length:json`; each answer names the number of its command. */
function marionette(socket: Socket): (name: string, params: Params) => Promise<unknown> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let left = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    left = Buffer.concat([left, data]);
    for (;;) {
      const colon = left.indexOf(':');
      const end = colon + 1 + Number(left.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || left.length < end) return;
      const message: unknown = JSON.parse(left.subarray(colon + 1, end).toString());
      left = left.subarray(end);
      // the first message greets
      if (!Array.isArray(message)) continue;
      const [, number, error, value] = message;
      if (error) waiting.get(number)?.reject(new Error(JSON.stringify(error)));
      else waiting.get(number)?.resolve(value);
    }
  });
  let count = 0;
  return (name, params) => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(++count, answer);
    const text = JSON.stringify([0, count, name, params]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    return answer.promise;
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.kill();
  await end;
}
