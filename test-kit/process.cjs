// The sandbox as a process: found, or started where none runs. It lives as long as somebody is connected to it, so that it goes
// with the tests, however these end.
'use strict';
const { spawn } = require('node:child_process');
const { closeSync, mkdirSync, openSync, readFileSync } = require('node:fs');
const { connect } = require('node:net');
const { join } = require('node:path');

const FLORIN = join(__dirname, '..', 'bin', 'florin.mjs');
/** A sandbox that ends while we come needs another one in its place; a machine on which that goes on is in trouble. */
const TRIES = 10;

/** The account that the sandbox at this place makes for us, and what ends our stay. */
exports.join = async ({ place, kept, alone }) => {
  for (let tries = 0; tries < TRIES; tries++) {
    const joined = await joinRunning(place);
    if (joined) return { account: joined.account, leave: () => leave(joined.socket, alone) };
    await start({ place, kept, alone });
  }
  throw new Error(`No sandbox could be joined or started. ${lastWords(place)}`);
};

/** Undefined: nothing answers. */
async function joinRunning(place) {
  const where = readPlace(place);
  if (!where) return undefined;
  const socket = connect(where.port, '127.0.0.1');
  socket.setEncoding('utf8');
  const line = await new Promise((resolve) => {
    let said = '';
    socket.once('connect', () => socket.write(`${where.secret}\n`));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(said));
    socket.on('data', (text) => {
      said += text;
      if (said.includes('\n')) resolve(said);
    });
  });
  if (line === '') return undefined;
  const { error, ...account } = JSON.parse(line);
  if (error !== undefined) throw new Error(`The sandbox did not start: ${error}`);
  // a test that forgets to close must end all the same
  socket.unref();
  return { socket, account };
}

function readPlace(place) {
  try {
    return JSON.parse(readFileSync(join(place, 'place.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Resolves when it can be joined, or when another one has been quicker. */
async function start({ place, kept, alone }) {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const log = openSync(join(place, 'log'), 'a', 0o600);
  const words = ['test-sandbox', '--place', place, '--kept', kept, ...(alone ? ['--alone'] : [])];
  // a group of its own: what ends the tests at once, as Ctrl-C does, would not let it remove its folder
  const child = spawn(process.execPath, [FLORIN, ...words], {
    stdio: ['ignore', 'pipe', log],
    detached: true,
    cwd: kept,
    env: { ...process.env, NODE_OPTIONS: '', NODE_V8_COVERAGE: '', VITEST: '' },
  });
  closeSync(log);
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(lastWords(place)))));
  });
  child.stdout.destroy();
  child.unref();
}

/** With one that is ours alone we wait until nothing is left of it. */
function leave(socket, alone) {
  if (!alone) return void socket.destroy();
  socket.ref();
  const gone = new Promise((resolve) => socket.once('close', resolve));
  socket.end();
  return gone;
}

function lastWords(place) {
  const file = join(place, 'log');
  try {
    return `What it said last (${file}):\n${readFileSync(file, 'utf8').slice(-2000)}`;
  } catch {
    return `It said nothing (${file}).`;
  }
}
