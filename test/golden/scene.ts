// A scene: what is asked of a Florin of its own, one request after the other, and everything that comes back, as lines
// of text.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Got, Receiver } from '../notifications/receiver.ts';
import { Printer, summed } from './print.ts';
import { type Begins, Stable } from './stable.ts';

export type Exchange = {
  readonly method: string;
  /** Which host: `api`, `vault`, `backoffice`, `bank`, … */
  readonly place: string;
  readonly path: string;
  readonly status: number;
  /** Whose session it was, where it was one's. */
  readonly as?: string | undefined;
};

const playing = new AsyncLocalStorage<Scene | undefined>();
const plainFetch = globalThis.fetch;
// every helper of the tests asks through fetch: so what they do is seen without a second copy of them
globalThis.fetch = async (input, init) => {
  const answer = await plainFetch(input, init);
  await playing.getStore()?.take(answer.clone(), input instanceof Request ? input.url : input.toString(), init);
  return answer;
};

/** Headers that say when, how long or how, and not what. */
const PASSING = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'x-request-id',
  'x-now',
  'vary',
]);
const SENT_ANYWAY = new Set(['cookie', 'x-csrf-token', 'origin', 'content-type', 'x-api-key']);
const SHORT_PAGE = 500;
const LONG_PAGE = 60_000;
const MOST_JSON = 40_000;

export class Scene {
  readonly stable: Stable;
  readonly exchanges: Exchange[] = [];
  private readonly lines: string[] = [];
  private readonly printer = new Printer();
  private readonly places: readonly (readonly [url: string, name: string])[];
  private readonly headers = new Map<string, string>();
  private readonly told = new WeakMap<Receiver, number>();

  constructor(begins: Begins, places: readonly (readonly [url: string, name: string])[]) {
    this.stable = new Stable(begins);
    this.places = places;
    for (const [url, name] of places) {
      this.stable.name(url, `{${name}}`);
      this.stable.name(new URL(url).host, `{${name} host}`);
    }
  }

  /** What is asked within is part of the scene. */
  play(work: () => Promise<void>): Promise<void> {
    return playing.run(this, work);
  }

  /** What is asked within is not: looking until something is there takes more or fewer looks. */
  aside<T>(work: () => Promise<T>): Promise<T> {
    return playing.run(undefined, work);
  }

  title(text: string): void {
    this.lines.push('', `=== ${text}`);
  }

  note(text: string): void {
    this.lines.push(this.stable.of(text));
  }

  /** Asked aside, and told by a note. */
  saw(exchange: Exchange): void {
    this.exchanges.push(exchange);
  }

  digest(text: string): string {
    return summed(this.stable.of(text));
  }

  /** What a receiver was told since the last time; waits until there are so many. */
  async hears(server: Receiver, count: number): Promise<void> {
    const before = this.told.get(server) ?? 0;
    await server.until((taken) => taken.length >= before + count);
    const news = server.taken.slice(before, before + count);
    this.told.set(server, before + count);
    for (const one of news.toSorted(byOrder)) this.notification(one);
  }

  private notification({ headers, text }: Got): void {
    const kept = Object.entries(headers)
      .filter(([name]) => !PASSING.has(name) && name !== 'host' && name !== 'webhook-id')
      .map(([name, value]) => `${name}: ${/timestamp|signature/.test(name) ? '<signed>' : value}`);
    const id = this.stable.of(headers['webhook-id'] ?? '');
    this.lines.push('', `--> notification ${id} ${this.headersNamed(kept)}`, this.body('application/json', text));
  }

  async take(answer: Response, url: string, init: RequestInit = {}): Promise<void> {
    const { origin, pathname, search } = new URL(url);
    const place = this.places.find(([known]) => new URL(known).origin === origin)?.[1];
    const method = init.method ?? 'GET';
    const path = `${place === undefined ? origin : `{${place}}`}${pathname}${search}`;
    const sent = new Headers(init.headers);
    const key = sent.get('x-api-key') ?? undefined;
    const cookie = sent.get('cookie') ?? undefined;
    const as = cookie === undefined ? undefined : this.stable.of(cookie);
    this.exchanges.push({ method, place: place ?? origin, path: pathname, status: answer.status, as });
    const more = [...sent].filter(([name]) => !SENT_ANYWAY.has(name)).map(([name, value]) => `${name}: ${value}`);
    const type = sent.get('content-type') ?? undefined;
    if (type !== undefined && !/^application\/json$/.test(type)) more.push(`content-type: ${type}`);
    const said = [method, path, key && `key ${key}`, cookie && `as ${cookie}`, ...more].filter(Boolean);
    this.lines.push('', this.stable.of(said.join('  ')));
    const body_sent = textOf(init.body);
    if (body_sent !== undefined) this.lines.push(`> ${this.sent(body_sent)}`);
    const text = await answer.text();
    const kept = [...answer.headers]
      .filter(([name]) => !PASSING.has(name))
      .map(([name, value]) => headerLine(name, value));
    const request_id = answer.headers.get('x-request-id');
    const body = request_id === null ? text : text.replaceAll(request_id, '<this request>');
    this.lines.push(`< ${answer.status} ${this.headersNamed(kept)}`.trimEnd());
    const shown = this.body(answer.headers.get('content-type') ?? '', body);
    if (shown !== '') this.lines.push(shown);
  }

  private sent(body: string): string {
    if (body.length > 2000) return `(${body.length} characters, beginning with ${JSON.stringify(body.slice(0, 40))})`;
    return this.stable.of(body);
  }

  /** The same headers are told once, and then by their name. */
  private headersNamed(lines: readonly string[]): string {
    const all = lines.map((line) => this.stable.of(line)).join('\n    ');
    if (all === '') return '';
    const known = this.headers.get(all);
    if (known !== undefined) return known;
    const name = `[headers ${this.headers.size + 1}]`;
    this.headers.set(all, name);
    return `${name}\n    ${all}`;
  }

  private body(type: string, text: string): string {
    if (text === '') return '';
    if (/javascript/.test(type)) return `(a script${/sourceMappingURL/.test(text) ? ' with a map' : ''})`;
    const stable = this.stable.of(text);
    if (/json/.test(type) && !stable.includes('\n{'))
      return stable.length > MOST_JSON ? summed(stable) : this.printer.json(stable);
    // how a page looks is no answer: each change of it would be one of every page
    const page = stable
      .replaceAll(/(<script(?![^>]*json)[^>]*>).+?<\/script>/gs, '$1…</script>')
      .replaceAll(/(<style[^>]*>).+?<\/style>/gs, '$1…</style>');
    if (/html/.test(type)) return pageLines(page);
    if (/^text\/csv|plain|jsonl|ndjson/.test(type)) return stable.trimEnd().replaceAll('\r', '\\r');
    return /^(?:image|font)\//.test(type) ? `(${text.length} characters)` : summed(stable);
  }

  text(): string {
    return `${this.lines.join('\n').trim()}\n`;
  }
}

/** The helpers of the tests send texts and forms. */
function textOf(body: RequestInit['body']): string | undefined {
  if (body instanceof URLSearchParams) return body.toString();
  return typeof body === 'string' ? body : undefined;
}

function headerLine(name: string, value: string): string {
  return name === 'etag' ? 'etag: <etag>' : `${name}: ${value}`;
}

function pageLines(page: string): string {
  if (page.length <= SHORT_PAGE) return page;
  return page.length > LONG_PAGE ? summed(page) : `${summed(page)}\n${wordsOf(page)}`;
}

/** What is to be read on a page, a line for each part of it. */
function wordsOf(html: string): string {
  return html
    .replaceAll(
      /<((?:id|token|hash|key|uuid|blob|cursor|drawn)-\d+|t[+-]\w+|integrity|measured|this request)>/g,
      '[$1]',
    )
    .replaceAll(/<(script|style|svg)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<(?:h\d|p|li|tr|label|button|form|div|section|dt|title|option|td)\b[^>]*>/g, '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .map((line) => `| ${line}`)
    .join('\n');
}

function byOrder(one: Got, other: Got): number {
  const place = ({ body }: Got) => `${String(body['sequence']).padStart(6, '0')} ${String(body['event'])}`;
  return place(one) < place(other) ? -1 : 1;
}
