// The try-it of a reference page: sends its request to the sandbox that serves the page, and to no other host. The key is what the
// reader types; it stays in the input of this page and is stored nowhere.

export type Request = {
  readonly method: string;
  readonly path: string;
  readonly host: 'base_url' | 'vault_url';
  readonly key: 'private' | 'public' | 'any' | 'none';
  readonly query: readonly string[];
  readonly body?: string;
};

/** What the host of these pages says of itself: /docs/host.json. */
type Host = { readonly environment: string; readonly vault_url: string };

class Try extends HTMLElement {
  connectedCallback(): void {
    const details = this.querySelector('details');
    details?.addEventListener('toggle', () => void this.find(), { once: true });
    this.querySelector('button')?.addEventListener('click', () => void this.send());
  }

  private readonly request: Request = JSON.parse(this.dataset['request'] ?? '{}');
  private host: Host | undefined;

  /** Only a sandbox is asked: a page in production, or on a host of files, says so. */
  private async find(): Promise<void> {
    const found: Host | undefined = await fetch('/docs/host.json')
      .then((answer) => (answer.ok ? answer.json() : undefined))
      .catch(() => undefined);
    if (found?.environment !== 'sandbox') {
      this.say('Nothing can be sent from here: open this page at your sandbox. It is started by npm start.');
      return;
    }
    this.host = found;
    this.say(`Requests go to ${this.origin()}.`);
    this.querySelector('button')?.removeAttribute('disabled');
  }

  private origin(): string {
    return this.request.host === 'vault_url' ? (this.host?.vault_url ?? '') : location.origin;
  }

  private say(text: string): void {
    const state = this.querySelector('.try-state');
    if (state) state.textContent = text;
  }

  private value(selector: string): string {
    const field = this.querySelector<HTMLInputElement | HTMLTextAreaElement>(selector);
    return field?.value.trim() ?? '';
  }

  private address(): string {
    const { path, query } = this.request;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(this.value(`[data-param=${name}]`)),
    );
    const url = new URL(filled, this.origin());
    for (const name of query) {
      const value = this.value(`[data-query=${name}]`);
      if (value !== '') url.searchParams.set(name, value);
    }
    return url.href;
  }

  private headers(): Headers {
    const headers = new Headers();
    const { key, body } = this.request;
    if (key !== 'none') headers.set('x-api-key', this.value('[name=key]'));
    if (body !== undefined) headers.set('content-type', 'application/json');
    for (const name of ['idempotency-key', 'prefer']) {
      const value = this.value(`[data-header=${name}]`);
      if (value !== '') headers.set(name, value);
    }
    return headers;
  }

  private async send(): Promise<void> {
    if (!this.host) return;
    const { method, body } = this.request;
    this.say('Sending…');
    const began = performance.now();
    try {
      const answer = await fetch(this.address(), {
        method,
        headers: this.headers(),
        credentials: 'omit',
        cache: 'no-store',
        ...(body !== undefined && { body: this.value('[name=body]') }),
      });
      const ms = Math.round(performance.now() - began);
      const text = await answer.text();
      this.say(`HTTP ${answer.status} after ${ms} ms`);
      this.show(`x-request-id: ${answer.headers.get('x-request-id') ?? ''}\n\n${pretty(text)}`);
    } catch (error) {
      this.say(`No answer: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }

  private show(text: string): void {
    const place = this.querySelector<HTMLElement>('.try-answer');
    if (!place) return;
    place.textContent = text;
    place.hidden = false;
  }
}

/** Amounts stay as they were written: the text is laid out again, not read as numbers. */
function pretty(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  return text.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (part) => {
    if (part === '{' || part === '[') return `${part}\n${'  '.repeat((depth += 1))}`;
    if (part === '}' || part === ']') return `\n${'  '.repeat((depth -= 1))}${part}`;
    if (part === ',') return `,\n${'  '.repeat(depth)}`;
    return part === ':' ? ': ' : part;
  });
}

customElements.define('florin-try', Try);
