// florin test-sandbox: the process that the test kit (test-kit/florin.cjs) starts: a sandbox with a folder and ports of
// its own, which lasts while a test is connected to it. A second start finds the running sandbox and uses it.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service } from '../../hosts/service.ts';
import { systemChance, systemClock } from '../../kit/clock.ts';
import { ownFolder } from '../../kit/embedded/owner.ts';
import { StartError } from '../../kit/start-error.ts';
import { seedDemo } from '../../payment/merchant/demo.ts';
import { makeKeyText } from '../../payment/merchant/keys.ts';
import { readConfig } from '../../settings/config.ts';
import { readWords } from '../arguments.ts';
import { type Answer, openControl } from './control.ts';
import { copyTemplate } from './template.ts';

const USAGE = `florin test-sandbox --place FOLDER --kept FOLDER    started by florin/test; lasts as long as a test is connected
  --place FOLDER    where tests find it; one sandbox a folder
  --kept FOLDER     keeps the files that new sandboxes begin with
  --alone           for one test: ends with it, and removes its folder`;

/** The time between the end of one test file and the start of the next, which needs no new sandbox. */
const GRACE_MS = 2000;
const STOP_MS = 10_000;

type Places = { readonly place: string; readonly kept: string; readonly alone: boolean };

export async function testSandboxCommand(version: string, args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['place', 'kept'], flags: ['alone'] });
  const places = { place: words.needed('place'), kept: words.needed('kept'), alone: words.flag('alone') };
  mkdirSync(places.place, { recursive: true, mode: 0o700 });
  const release = await ownFolder(places.place).catch((error: unknown) => {
    if (error instanceof StartError) return undefined;
    throw error;
  });
  if (release) await run(version, places, release);
  console.log('taken');
  process.exit(0);
}

async function run(version: string, { place, kept, alone }: Places, release: () => void): Promise<never> {
  const wanted = Promise.withResolvers<Error | undefined>();
  const end = () => wanted.resolve(undefined);
  const fail = (error: unknown) => wanted.resolve(error instanceof Error ? error : new Error(String(error)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  const data_dir = newDataFolder(place);
  const start = (folder: string) => startIn(folder, { version, failed: fail });
  const starting = begin(data_dir, { folder: join(kept, 'templates'), version, start });
  starting.catch(fail);
  const account = async () => accountOf(await starting);
  const secret = systemChance(systemClock()).bytes(24).toString('hex');
  const control = await openControl({ account, secret, grace_ms: alone ? 0 : GRACE_MS, left: end });
  tell(place, { port: control.port, secret });
  console.log('listening');
  const failure = await wanted.promise;
  if (failure) console.error(failure);
  setTimeout(() => process.exit(1), STOP_MS);
  rmSync(join(place, 'place.json'), { force: true });
  control.stop();
  // if the sandbox did not start, the failure has been printed
  const [service] = await Promise.allSettled([starting]);
  if (service.status === 'fulfilled') await service.value.close();
  rmSync(data_dir, { recursive: true, force: true });
  rmSync(join(place, 'data'), { force: true });
  release();
  if (alone) rmSync(place, { recursive: true, force: true });
  await control.end();
  process.exit(failure ? 1 : 0);
}

/** Also removes the folder of an earlier sandbox that was killed and could not remove it. */
function newDataFolder(place: string): string {
  const note = join(place, 'data');
  const old = existsSync(note) ? readFileSync(note, 'utf8') : '';
  if (/\/florin-sandbox-\w{6}$/.test(old)) rmSync(old, { recursive: true, force: true });
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'florin-sandbox-'));
  writeFileSync(note, folder);
  return folder;
}

/** Writes the file in one step, so that a reader never gets half of it. */
function tell(place: string, where: { readonly port: number; readonly secret: string }): void {
  const file = join(place, 'place.json');
  writeFileSync(`${file}.new`, JSON.stringify(where), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

type Beginning = {
  readonly folder: string;
  readonly version: string;
  start(data_dir: string): Promise<Service>;
};

async function begin(data_dir: string, { folder, version, start }: Beginning): Promise<Service> {
  // loads the program while the files are copied
  service().catch(() => {
    // the caller that starts the service gets the error
  });
  const runIn = async (template: string) => (await start(template)).close();
  await copyTemplate(data_dir, { folder, version, now: systemClock().now(), runIn });
  return start(data_dir);
}

/** Most of the program, which takes a second of processor time to load. */
const service = () => import('../../hosts/service.ts');

/**
 * A crash of the machine also ends the tests, so nothing waits for the disk. The log is not filled in advance: holes in
 * a file need no copying.
 */
const NOT_KEPT = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_init_zero: 'off',
  wal_recycle: 'off',
};

/**
 * The project's own environment does not reach the sandbox. Limits that are meant for one shop are raised, because many
 * tests at once would reach them.
 */
async function startIn(
  data_dir: string,
  { version, failed }: { readonly version: string; failed(error: Error): void },
): Promise<Service> {
  const { startService } = await service();
  const config = readConfig({
    FLORIN_API_PORT: '0',
    FLORIN_VAULT_PORT: '0',
    FLORIN_BACKOFFICE_PORT: '0',
    FLORIN_DATA_DIR: data_dir,
    FLORIN_LOG_LEVEL: 'error',
    FLORIN_REQUESTS_PER_SECOND: '100000',
    FLORIN_REQUESTS_RUNNING: '10000',
    FLORIN_TOKENS_PER_MINUTE: '100000',
    FLORIN_ALIKE_CARDS_PER_DAY: '100000',
    FLORIN_DATABASE_DURABLE: 'unchecked',
  });
  return startService({ config, version, say: () => undefined, failed, postgres: NOT_KEPT });
}

/**
 * Makes another merchant account with its own keys. Its rules refuse nothing, because tests pay with the same cards all
 * day.
 */
async function accountOf({ tools, addresses }: Service): Promise<Answer> {
  const { chance, key_letters: letters, environment } = tools;
  const key = (kind: 'private' | 'public') => makeKeyText(chance, { letters, kind, environment });
  const keys = { private_key: key('private'), public_key: key('public') };
  const merchant_account_id = chance.id();
  await seedDemo(tools, merchant_account_id, { ...keys, name: 'A test', rules: [] });
  const { base_url: api_url, vault_url, backoffice_url } = addresses;
  return { api_url, vault_url, backoffice_url, merchant_account_id, ...keys };
}
