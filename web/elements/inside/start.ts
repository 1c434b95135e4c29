// The card fields in our frame. The frame sends one message to the one origin that framed it, and from then on it talks
// only through the channel.
import {
  type FromFields,
  type Hello,
  type Look,
  PRIVATE_KEY_IN_PAGE,
  STYLE_VARIABLES,
  type ToFields,
  type Welcome,
} from '../../messages.ts';
import { CardForm } from './card-form.ts';
import { PAGE, part } from './page.ts';
import { tellHeight } from './room.ts';

const told = new URLSearchParams(location.hash.slice(1));
const origin = told.get('origin') ?? '';
const nonce = told.get('nonce') ?? '';
let port: MessagePort | undefined;

const say = (message: FromFields) => port?.postMessage(message);
const form = new CardForm(say);

function hear(message: ToFields): void {
  if (message.kind === 'configure') {
    wear(message.look);
    form.configure(message);
    say({ kind: 'ready' });
  } else if (message.kind === 'look') wear(message.look);
  else if (message.kind === 'choose') form.choose(message.saved);
  else if (message.kind === 'tokenize') void form.submit(message.id, message.token_type);
  else if (message.kind === 'unlock') form.lock(false);
  else if (message.kind === 'focus') form.focusWrong();
  else if (message.kind === 'again') form.again();
  else form.clear();
}

/** Other values are left out: they could fetch something, or end the declaration they are in. */
const SAFE = /^[\w\s#%.,()'"+*/-]{1,200}$/;

function wear({ theme, variables }: Look): void {
  const root = document.documentElement;
  root.dataset['theme'] = theme;
  root.style.colorScheme = theme;
  for (const name of STYLE_VARIABLES) {
    const value = variables[name] ?? '';
    if (SAFE.test(value) && !/url|image|var|attr|env/i.test(value)) root.style.setProperty(`--${name}`, value);
    else root.style.removeProperty(`--${name}`);
  }
}

function isWelcome(data: unknown): data is Welcome {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'welcome' && 'nonce' in data;
}

function greet(event: MessageEvent<unknown>): void {
  const [given, ...more] = event.ports;
  if (event.source !== parent || event.origin !== origin || !given || more.length > 0) return;
  if (!isWelcome(event.data) || event.data.nonce !== nonce) return;
  removeEventListener('message', greet);
  port = given;
  port.addEventListener('message', (message: MessageEvent<ToFields>) => hear(message.data));
  port.start();
  tellHeight((pixels) => say({ kind: 'height', pixels }));
}

part('fields', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  say({ kind: 'enter' });
});

if (PAGE.is_private) console.error(PRIVATE_KEY_IN_PAGE);
if (told.get('theme') === 'dark') wear({ theme: 'dark', variables: {} });
if (parent !== window && nonce !== '') {
  addEventListener('message', greet);
  const hello: Hello = { kind: 'hello', nonce };
  // only to this origin: if another page framed us, the browser does not deliver the message
  parent.postMessage(hello, origin);
}
