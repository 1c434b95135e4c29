// Looks, every ten minutes, whether browsers get what this vault means to send (PCI DSS 11.6.1): the scripts, the
// documents they run in, and the headers that guard them, fetched from the public address as any browser gets them,
// through all that is in front.
import { gunzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../../core/durations.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Egress } from '../../kit/egress.ts';
import { type PublicAnswer, type PublicPath, findPublic } from '../../kit/http/public.ts';
import type { Log } from '../../kit/log.ts';

/**
 * The state as /ready shows it. It does not make the host unready: the operator must look, but payers must be able to
 * pay.
 */
export type ScriptState = 'not looked at yet' | 'ok' | 'changed' | 'cannot be looked at';

export type WatchOptions = {
  /** The paths of this host; each later answer is compared with the first one. */
  readonly paths: readonly PublicPath[];
  readonly brand: string;
  readonly addresses: { readonly vault_url: string };
  readonly egress: Egress;
  readonly clock: Clock;
  readonly log: Log;
};

/** A change is found by the next look, well within a quarter of an hour. */
const LOOK_EVERY_MS = 10 * MINUTE_MS;
const LONGEST_BLIND_MS = 15 * MINUTE_MS;
const DEADLINE_MS = 10_000;
const MOST_BYTES = 4_194_304;
/** Headers that our answers never have: each could bring something else into a page, or outlive it. */
const UNWANTED = [
  'set-cookie',
  'refresh',
  'link',
  'service-worker-allowed',
  'sourcemap',
  'access-control-allow-credentials',
];

export class ScriptWatch {
  state: ScriptState = 'not looked at yet';
  private readonly options: WatchOptions;
  private readonly meant = new Map<string, PublicAnswer>();
  private seen_ms: number;

  constructor(options: WatchOptions) {
    this.options = options;
    this.seen_ms = options.clock.ticks();
  }

  /** Begins to look; what it answers ends that. */
  start(): () => Promise<void> {
    const timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    timer.unref();
    return async () => clearInterval(timer);
  }

  /** Looks at everything once; answers what has changed. Never throws. */
  async look(): Promise<readonly string[]> {
    const { brand, clock, log } = this.options;
    const watched = watchedPaths(brand);
    const looks = await Promise.all(
      watched.map((path) => this.lookAt(path).catch((error: unknown) => blind(path, error))),
    );
    const problems = looks.flatMap(({ problems: found }) => found);
    const unseen = looks.flatMap(({ unseen: why }) => (why === undefined ? [] : [why]));
    if (unseen.length === 0) this.seen_ms = clock.ticks();
    for (const problem of problems) log.error({ problem }, 'a payment page or its script is not what this vault sends');
    const late = clock.ticks() - this.seen_ms > LONGEST_BLIND_MS;
    for (const why of unseen)
      log[late ? 'error' : 'warn']({ why }, 'the payment pages could not be looked at as browsers get them');
    this.state = problems.length > 0 ? 'changed' : unseen.length > 0 ? 'cannot be looked at' : 'ok';
    return problems;
  }

  private async lookAt(path: string): Promise<Look> {
    const meant = this.meant.get(path) ?? (await this.answerOf(path));
    if (!meant || (meant.status ?? 200) >= 500)
      return { problems: [], unseen: `${path}: there is nothing to compare with` };
    this.meant.set(path, meant);
    const listed = await this.listedScripts();
    const problems: string[] = [];
    for (const encoding of ['identity', 'gzip']) {
      const served = await this.served(path, encoding);
      if ('unseen' in served) return { problems, unseen: `${path}: ${served.unseen}` };
      problems.push(...differences(meant, served, listed).map((what) => `${path}: ${what}`));
    }
    return { problems: [...new Set(problems)], unseen: undefined };
  }

  private async answerOf(path: string): Promise<PublicAnswer | undefined> {
    const found = findPublic(this.options.paths, 'GET', path.slice(1).split('/'));
    const request = { request_id: 'self-check', client_ip: '127.0.0.1', headers: {}, query: {}, body: Buffer.alloc(0) };
    return found?.path.answer(found.params, request);
  }

  /** Hashes of the scripts that are meant to run, of the manifest as this vault made it. */
  private async listedScripts(): Promise<ReadonlySet<string>> {
    const manifest = this.meant.get(MANIFEST) ?? (await this.answerOf(MANIFEST));
    return new Set(String(manifest?.body).match(/sha256-[A-Za-z0-9+/=]{44}/g));
  }

  private async served(path: string, encoding: string): Promise<Served | { readonly unseen: string }> {
    const { addresses, egress } = this.options;
    const { origin } = new URL(addresses.vault_url);
    const exchange = await egress.exchange({
      method: 'GET' as const,
      origin,
      path,
      body: null,
      deadline_ms: DEADLINE_MS,
      max_answer_bytes: MOST_BYTES,
      headers: { 'accept-encoding': encoding },
      with_headers: true,
    });
    if (exchange.kind !== 'answered') return { unseen: exchange.kind === 'unknown' ? exchange.why : 'no connection' };
    if (exchange.status >= 500) return { unseen: `status ${exchange.status}` };
    const { status, headers = {} } = exchange;
    const body = exchange.encoding === 'gzip' ? gunzipSync(exchange.body) : exchange.body;
    return { status, headers, body };
  }
}

const MANIFEST = '/scripts.json';

/**
 * The manifest first; the form's languages are one code with other words, so one of each direction of writing stands
 * for all.
 */
function watchedPaths(brand: string): readonly string[] {
  return [
    MANIFEST,
    `/javascript/2.3/${brand}-client.min.js`,
    `/stylesheet/2.3/${brand}-client.min.css`,
    ...['en', 'ar'].map((language) => `/fields/${language}/-`),
    `/pay/${'0'.repeat(64)}`,
  ];
}

type Look = { readonly problems: readonly string[]; readonly unseen: string | undefined };
type Served = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

function blind(path: string, error: unknown): Look {
  return { problems: [], unseen: `${path}: ${String(error)}` };
}

function differences(meant: PublicAnswer, served: Served, listed: ReadonlySet<string>): readonly string[] {
  const problems: string[] = [];
  if (served.status !== (meant.status ?? 200)) problems.push(`the status is ${served.status}`);
  for (const [name, value] of Object.entries(meant.headers))
    if (served.headers[name] !== value) problems.push(`the header ${name} is another`);
  for (const name of UNWANTED) if (served.headers[name] !== undefined) problems.push(`there is a header ${name}`);
  const is_page = (meant.headers['content-type'] ?? '').startsWith('text/html');
  if (is_page) problems.push(...unlisted(served.body.toString('utf8'), listed));
  if (!served.body.equals(Buffer.from(meant.body))) problems.push('the content is another');
  return problems;
}

/** Scripts that stand in a page and are in no manifest. */
function unlisted(html: string, listed: ReadonlySet<string>): readonly string[] {
  const strange = scriptsIn(html).filter(({ attributes, text }) => {
    if (/type="application\/json"/.test(attributes)) return false;
    if (/\bsrc\s*=/i.test(attributes)) return !/\bsrc="\/javascript\//.test(attributes);
    return !listed.has(`sha256-${createHash('sha256').update(text).digest('base64')}`);
  });
  return strange.map(() => 'there is a script that the manifest does not list');
}

type Script = { readonly attributes: string; readonly text: string };

/**
 * Step by step, never back: what is looked at may have been written by an attacker. One that is not ended goes to the
 * page's end.
 */
function scriptsIn(html: string): readonly Script[] {
  const found: Script[] = [];
  // lower-case letters of the names we look for, and every place as it was
  const plain = html.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const after = (text: string, from: number) => {
    const at = plain.indexOf(text, from);
    return at < 0 ? html.length : at;
  };
  for (let at = after('<script', 0); at < html.length; at = after('<script', at + 1)) {
    const open = after('>', at);
    const close = after('</script', open);
    found.push({ attributes: html.slice(at + '<script'.length, open), text: html.slice(open + 1, close) });
    at = close;
  }
  return found;
}
