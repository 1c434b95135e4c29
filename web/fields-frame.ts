// The frame with the card fields, on the vault's origin, and the channel to it. Each side checks the other's exact
// origin and the nonce; after that they use no window messages.
import { type FromFields, type Hello, type ToFields, type Welcome, isPrivate } from './messages.ts';

/** A frame that was refused (framing not allowed) or lost fires load without sending hello. */
const HELLO_AFTER_LOAD_MS = 1500;
const PATIENCE_MS = 15_000;

type Options = {
  /** Messages from other origins are ignored. */
  readonly vault_url: string;
  readonly key: string;
  readonly language: string;
  readonly theme: string;
  readonly title: string;
  /** The channel is open, for the first time or again, so the fields can be configured. */
  greeted(): void;
  hear(message: FromFields): void;
  /** The fields are not there: the vault's framing rules refused the page, or the vault cannot be reached. */
  lost(): void;
};

export class FieldsFrame {
  readonly element: HTMLIFrameElement;
  private port: MessagePort | undefined;
  private readonly nonce: string;
  private readonly options: Options;
  private timer = 0;
  /** Each document of the frame says hello once: before it is loaded, or soon after. */
  private loads = 0;
  private hellos = 0;

  constructor(options: Options) {
    this.options = options;
    this.nonce = makeNonce();
    this.element = document.createElement('iframe');
    this.element.title = options.title;
    this.element.referrerPolicy = 'no-referrer';
    this.element.src = this.address();
    const { style } = this.element;
    // set on the element itself, so that a page's style reset for frames does not move or cut it
    Object.assign(style, { display: 'block', width: '100%', minWidth: '0', maxWidth: 'none', height: '0' });
    Object.assign(style, { margin: '0', border: '0', padding: '0', colorScheme: options.theme });
    addEventListener('message', this.greet);
    this.element.addEventListener('load', () => {
      this.loads += 1;
      this.expect(HELLO_AFTER_LOAD_MS);
    });
    this.expect(PATIENCE_MS);
  }

  say(message: ToFields): void {
    this.port?.postMessage(message);
  }

  close(): void {
    clearTimeout(this.timer);
    removeEventListener('message', this.greet);
    this.port?.close();
    this.port = undefined;
    this.element.remove();
  }

  private hear(message: FromFields): void {
    this.options.hear(message);
    const is_wrong = message.kind === 'incomplete' || (message.kind === 'refused' && message.reason === 'card');
    if (!is_wrong) return;
    // The payer goes on at the first wrong field. In WebKit a frame of another site that nobody has touched takes no
    // focus by itself; given it by the page, its first field is the next stop of the Tab key.
    this.element.focus();
    this.say({ kind: 'focus' });
  }

  /** The part after # stays in the browser: it tells the frame which page to answer. */
  private address(): string {
    const { key, language, theme } = this.options;
    // addresses are written down on the way: a private key goes by the channel alone
    const name = encodeURIComponent(isPrivate(key) ? '-' : key.slice(0, 200) || '-');
    const told = new URLSearchParams({ origin: location.origin, nonce: this.nonce, theme });
    return `${this.options.vault_url}/fields/${language}/${name}#${told.toString()}`;
  }

  private expect(ms: number): void {
    clearTimeout(this.timer);
    if (!this.port || this.hellos < this.loads) this.timer = setTimeout(() => this.options.lost(), ms);
  }

  private readonly greet = (event: MessageEvent<unknown>): void => {
    if (event.origin !== this.options.vault_url || event.source !== this.element.contentWindow || !event.source) return;
    if (!isHello(event.data) || event.data.nonce !== this.nonce) return;
    clearTimeout(this.timer);
    this.hellos += 1;
    // a second hello: the page moved its container, and the browser loads a moved frame again
    this.port?.close();
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    port1.addEventListener('message', (message: MessageEvent<FromFields>) => this.hear(message.data));
    port1.start();
    const welcome: Welcome = { kind: 'welcome', nonce: this.nonce };
    event.source.postMessage(welcome, { targetOrigin: this.options.vault_url, transfer: [port2] });
    this.options.greeted();
  };
}

function makeNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isHello(data: unknown): data is Hello {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'hello' && 'nonce' in data;
}
