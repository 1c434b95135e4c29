// The script of the hosted page, a module. Card data are typed in the frame of the payment element and never come here:
// this page gets a token, puts it into its own form and sends the form. Without an answer it changes nothing.
import { offerApple, offerGoogle, offerWallets } from './wallets.js';

const data = JSON.parse(document.getElementById('page-data').textContent);
const sent_before = takeSent();
let sent = false;
if (data.waiting) wait(data.waiting);
if (data.element) pay(data);
if (data.bank) document.getElementById('bank').submit();
if (data.method) showBrowser(data.method);
if (data.on) location.replace(data.on);
if (data.receipt) keep();
// an amount that was not taken: what is typed takes its place, and does not mix with it
document.querySelector('#amount[aria-invalid]')?.select();
document.getElementById('lang')?.addEventListener('change', (event) => event.target.form.submit());
// a page that the browser kept may be out of date: an order may have been made since
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
const life_ms = data.expires_in_ms;
if (life_ms > 0 && life_ms < 86_400_000) endAt(Date.now() + life_ms);

// A network may swallow an answer without an end: both times are longer than our server takes.
const fetchFresh = (url) => fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(20_000) });
const ask = async (url) => (await fetchFresh(url)).json();

// Waits until our server answers, whatever it says. Without a line the browser would show a page of its own, which says
// nothing of the payment and does not go on.
async function reach(url, says, no_line) {
  for (;;) {
    try {
      return await fetchFresh(url);
    } catch (error) {
      console.log('no connection', error);
      says.textContent = no_line;
      await pause(1000);
    }
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function pay({ global, element: configuration, texts, status_url, wallet, apple, google }) {
  const form = document.getElementById('pay');
  const button = document.getElementById('pay-button');
  const words = button.querySelector('span');
  const label = words.textContent;
  const says = document.getElementById('says');
  const Element = window[global];
  if (typeof Element !== 'function') return void missElement(says, status_url, texts);
  const busy = (is) => {
    button.disabled = is;
    words.textContent = is ? texts.paying : label;
    form.setAttribute('aria-busy', String(is));
    for (const one of document.querySelectorAll('.wallet')) one.inert = one.disabled = is;
  };
  const send = async ({ token, tokenType }, tell) => {
    if (sent) return;
    sent = true;
    busy(true);
    const fields = { token, token_type: tokenType, ...browserData() };
    for (const [name, value] of Object.entries(fields)) form.elements.namedItem(name).value = value;
    const again = await post(form, tell, () => reach(status_url, says, texts.no_line));
    if (again === undefined) return;
    // declined, or the token could not be used: typed values stay, except the code
    sent = false;
    show(again);
    element.again?.();
    busy(false);
  };
  const element = new Element({
    ...configuration,
    onSubmit: () => void send(element),
    onError: () => {
      busy(false);
      void isOver(status_url);
    },
  });
  const tokenOf = tokenizer(configuration);
  const page = {
    says,
    busy,
    fail: failing({ says, busy, status_url, no_line: texts.no_line }),
    send,
    tokenOf,
    isSent: () => sent,
    stateOf: () => ask(status_url),
  };
  if (wallet) offerWallets(wallet, page);
  if (apple) offerApple(apple, page);
  if (google) offerGoogle(google, page);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button.disabled) return;
    says.textContent = '';
    busy(true);
    // without a token the element says why, and the payer can go on
    const free = () => sent || busy(false);
    element.submit().then(free, free);
  });
  void begin(status_url, busy);
}

// what this window sent before it was loaded again, or another one, may be paid
async function missElement(says, status_url, { not_loaded, no_line }) {
  await begin(status_url, () => undefined);
  await failing({ says, busy: () => undefined, status_url, no_line })(not_loaded);
}

// This window sent this attempt, and the page was loaded again before there was an answer. What was sent may arrive
// yet: until then, or until it would have, nothing else is sent.
async function begin(status_url, busy) {
  if (!isOnItsWay()) return busy(false);
  const nonce = nonceOf(document);
  const until = Date.now() + 20_000;
  sent = true;
  busy(true);
  keepSent(nonce);
  while (Date.now() < until) {
    await pause(500);
    const now = await ask(status_url).catch(() => ({ state: 'open', nonce }));
    if (now.state !== 'open' || now.nonce !== nonce) return location.reload();
  }
  takeSent();
  sent = false;
  busy(false);
}

// a page that is itself the answer says so in its address
function isOnItsWay() {
  return sent_before === nonceOf(document) && !new URLSearchParams(location.search).has('again');
}

function nonceOf(page) {
  return page.querySelector('[name=nonce]').value;
}

// a browser may allow a page to keep nothing
function keepSent(nonce) {
  try {
    sessionStorage.setItem('sent', nonce);
  } catch (error) {
    console.log('what was sent is not kept', error);
  }
}

function takeSent() {
  try {
    const nonce = sessionStorage.getItem('sent');
    sessionStorage.removeItem('sent');
    return nonce;
  } catch (error) {
    console.log('what was sent is not known', error);
    return null;
  }
}

// This page may be out of date: paid in another window, or expired. Then it is loaded again. `told`: something is to be
// said of money, so it asks until there is an answer that can be read, and says meanwhile that it does not know.
async function isOver(status_url, told) {
  const { state } = await ask(status_url).catch(() => ({}));
  if (state === undefined && told) {
    told.says.textContent = told.no_line;
    await pause(1000);
    return isOver(status_url, told);
  }
  if (state !== undefined && state !== 'open') location.reload();
  return state !== undefined && state !== 'open';
}

// nothing came of a wallet, or of the card fields; what was sent beside it, or in another window, may be charged, and
// the page with its result says so. Without a line that is not known.
function failing({ says, busy, status_url, no_line }) {
  return async (text) => {
    if (sent || (await isOver(status_url, { says, no_line })) || sent) return;
    says.textContent = text;
    busy(false);
  };
}

// the vault turns a wallet's payload into a token, as it does with a card
function tokenizer({ publicapikey, checkoutId: checkout_id }) {
  return async (token_kind, wallet_payload) => {
    const body = JSON.stringify({ token_kind, wallet_payload, checkout_id });
    const headers = { 'content-type': 'application/json', 'x-api-key': publicapikey };
    const made = await fetch('/token', { method: 'POST', headers, body, signal: AbortSignal.timeout(25_000) });
    if (!made.ok) throw new Error(`the vault answered ${made.status}`);
    return { token: (await made.json()).token, tokenType: 'oneshot' };
  };
}

// Sends the form and goes to the page with the result. If that page has a form, it is another try: it is returned, so
// that the card fields need not be loaded again. Without an answer, or if it says that something of ours failed, the
// browser sends the form itself, once there is a line, and shows what comes: the same attempt sent twice is one order.
async function post(form, tell, line) {
  keepSent(nonceOf(form));
  try {
    const asked = {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
      signal: AbortSignal.timeout(40_000),
    };
    const response = await fetch(form.action, asked);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    takeSent();
    const again = response.ok && page.getElementById('pay') ? page : undefined;
    await tell?.(again);
    if (again) return again;
    if (!response.ok) throw new Error(`the page answered ${response.status}`);
    location.assign(response.url);
  } catch (error) {
    console.log('the payment is sent once more', error);
    await line();
    form.submit();
  }
}

// what differs in another try: its reason, and the attempt to which its forms belong
function show(page) {
  const alert = document.getElementById('alert');
  alert.replaceChildren(...page.getElementById('alert').childNodes);
  const value = nonceOf(page);
  for (const nonce of document.querySelectorAll('[name=nonce]')) nonce.value = value;
  alert.focus();
  alert.scrollIntoView({ block: 'nearest' });
}

// the page ends with its checkout or the bank's check; the time left is shown only for the last seconds
function endAt(end_ms) {
  const left = document.getElementById('left');
  const from = Number(left.dataset.from);
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((end_ms - Date.now()) / 1000));
    left.hidden = seconds > from;
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    left.textContent = left.dataset.text.replace('{time}', time);
    // during a payment the page waits: the payment has its own end
    if (seconds > 0 || sent) setTimeout(tick, seconds > from + 1 ? (seconds - from) * 1000 : 1000);
    else setTimeout(() => location.reload(), 500);
  };
  tick();
}

// a receipt: the date in the payer's zone, and a button to print it
function keep() {
  // a reader in another zone has to know whose time it is
  const day = { year: 'numeric', month: 'long', day: 'numeric' };
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
  const format = new Intl.DateTimeFormat(`${document.documentElement.lang}-u-nu-latn`, { ...day, ...time });
  for (const moment of document.querySelectorAll('time')) moment.textContent = format.format(new Date(moment.dateTime));
  const button = document.getElementById('print');
  button.hidden = false;
  button.addEventListener('click', () => print());
}

// customer_browser_info_*, as the base specification suggests; a time zone that does not resolve is left unset
function browserData() {
  let time_zone = '';
  try {
    time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
  } catch (error) {
    console.log('the time zone is not known', error);
  }
  return {
    color_depth: screen.colorDepth,
    screen_height: screen.height,
    screen_width: screen.width,
    language: navigator.language,
    java_enabled: typeof navigator.javaEnabled === 'function' && navigator.javaEnabled(),
    time_zone,
  };
}

function wait({ status_url, every_ms }) {
  // the first questions come soon, because most answers take less than a second
  let pause_ms = 200;
  const look = async () => {
    const { next } = await ask(status_url).catch(() => ({ next: 'stay' }));
    if (next === 'reload') return location.reload();
    pause_ms = Math.min(2 * pause_ms, every_ms);
    setTimeout(look, pause_ms);
  };
  setTimeout(look, pause_ms);
}

// the bank looks at the browser in a frame and tells our server: this page only asks whether it is done
function showBrowser({ status_url, most_ms }) {
  document.getElementById('method').submit();
  const until = Date.now() + most_ms;
  const again = async () => {
    const { next } = await ask(status_url).catch(() => ({ next: 'stay' }));
    if (next === 'reload') location.replace(location.pathname);
    else if (Date.now() > until) document.getElementById('on').submit();
    else setTimeout(again, 300);
  };
  setTimeout(again, 300);
}
