// The script of the hosted page, a module. Card data are typed in the frame of the payment element and never come here:
// this page gets a token, puts it into its own form and sends that. Without an answer it changes nothing.
const data = JSON.parse(document.getElementById('page-data').textContent);
// of Apple Pay: the first that knows every scheme of ours that it takes
const APPLE_VERSION = 5;
if (data.waiting) wait(data.waiting);
if (data.element) pay(data);
if (data.bank) document.getElementById('bank').submit();
if (data.method) showBrowser(data.method);
if (data.on) location.replace(data.on);
if (data.receipt) keep();
document.getElementById('lang')?.addEventListener('change', (event) => event.target.form.submit());
// what the browser kept may be of the past: an order may have been made since
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
const life_ms = data.expires_in_ms;
let sent = false;
if (life_ms > 0 && life_ms < 86_400_000) endAt(Date.now() + life_ms);

async function ask(url) {
  return (await fetch(url, { cache: 'no-store' })).json();
}

function pay({ global, element: configuration, texts, status_url, wallet, apple }) {
  const form = document.getElementById('pay');
  const button = document.getElementById('pay-button');
  const words = button.querySelector('span');
  const label = words.textContent;
  const says = document.getElementById('says');
  const Element = window[global];
  if (typeof Element !== 'function') {
    says.textContent = texts.not_loaded;
    return;
  }
  const busy = (is) => {
    button.disabled = is;
    words.textContent = is ? texts.paying : label;
    form.setAttribute('aria-busy', String(is));
    for (const one of document.querySelectorAll('.wallet')) one.disabled = is;
  };
  const send = async ({ token, tokenType }, tell) => {
    if (sent) return;
    sent = true;
    busy(true);
    const fields = { token, token_type: tokenType, ...browserData() };
    for (const [name, value] of Object.entries(fields)) form.elements.namedItem(name).value = value;
    const again = await post(form, tell);
    if (again === undefined) return;
    // declined, or the token could not be used: what was typed stays where it is, but for the code
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
      // it may be that this page is of the past: paid in another window, or expired
      ask(status_url).then(({ state }) => state === 'open' || location.reload(), Boolean);
    },
  });
  const tokenOf = tokenizer(configuration);
  if (wallet) offerWallets({ ...wallet, says, busy, send, tokenOf });
  if (apple) offerApple({ ...apple, status_url, says, busy, send, tokenOf });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button.disabled) return;
    says.textContent = '';
    busy(true);
    // without a token the element says why, and the payer goes on
    const free = () => sent || busy(false);
    element.submit().then(free, free);
  });
  busy(false);
}

// what the vault makes of a wallet's payload: a token, as of a card
function tokenizer({ publicapikey, checkoutId: checkout_id }) {
  return async (token_kind, wallet_payload) => {
    const body = JSON.stringify({ token_kind, wallet_payload, checkout_id });
    const headers = { 'content-type': 'application/json', 'x-api-key': publicapikey };
    const made = await fetch('/token', { method: 'POST', headers, body });
    if (!made.ok) throw new Error(`the vault answered ${made.status}`);
    return { token: (await made.json()).token, tokenType: 'oneshot' };
  };
}

// Wallets of a sandbox: the sheet is ours and says so. What comes of it is a payload as a wallet gives it, sealed for
// the vault, which opens it; this page gets a token, as it does of a card.
function offerWallets({ minor, currency, failed, says, busy, send, tokenOf }) {
  const sheet = document.getElementById('sheet');
  const place = document.getElementById('wallets');
  place.hidden = false;
  for (const button of place.querySelectorAll('[data-name]'))
    button.addEventListener('click', () => {
      says.textContent = '';
      sheet.dataset.wallet = button.value;
      document.getElementById('sheet-name').textContent = button.dataset.name;
      sheet.returnValue = '';
      sheet.showModal();
    });
  const payloadOf = async (wallet) => {
    const card = sheet.querySelector('[name=card]:checked').value;
    const asked = { method: 'POST', body: new URLSearchParams({ wallet, card, minor, currency }) };
    const given = await fetch('/sandbox/wallet', asked);
    if (!given.ok) throw new Error(`the wallet answered ${given.status}`);
    return given.text();
  };
  const paid = async () => {
    busy(true);
    try {
      await send(await tokenOf(sheet.dataset.wallet, await payloadOf(sheet.dataset.wallet)));
    } catch (error) {
      console.log('no token came of the wallet', error);
      says.textContent = failed;
      busy(false);
    }
  };
  sheet.addEventListener('close', () => {
    if (sheet.returnValue === 'pay' && !sent) void paid();
  });
}

// Apple Pay itself, where the browser has it and says that it can pay: its button is not there before, and nothing
// moves without. Its sheet asks us who the merchant is: our server has that from Apple. What it gives is a payload for
// the vault, as above.
function offerApple({ request, session_url, status_url, failed, says, busy, send, tokenOf }) {
  const Apple = window.ApplePaySession;
  if (!canPay(Apple)) return;
  const button = document.getElementById('apple-pay');
  button.hidden = document.getElementById('wallets').hidden = false;
  const fail = (error) => {
    console.log('nothing came of Apple Pay', error);
    says.textContent = failed;
    busy(false);
  };
  button.addEventListener('click', () => {
    says.textContent = '';
    busy(true);
    try {
      open(new Apple(APPLE_VERSION, request));
    } catch (error) {
      fail(error);
    }
  });
  const open = (session) => {
    let left = false;
    session.addEventListener('cancel', () => {
      left = true;
      if (!sent) busy(false);
    });
    session.onvalidatemerchant = async () => {
      try {
        const given = await fetch(session_url, { method: 'POST', body: new URLSearchParams() });
        if (!given.ok) throw new Error(`no session: ${given.status}`);
        session.completeMerchantValidation(await given.json());
      } catch (error) {
        // who has left the sheet has nothing to be told
        if (left) return;
        fail(error);
        session.abort();
      }
    };
    session.onpaymentauthorized = async ({ payment }) => {
      const end = (good) => session.completePayment({ status: good ? Apple.STATUS_SUCCESS : Apple.STATUS_FAILURE });
      try {
        const token = await tokenOf('apple_pay', JSON.stringify(payment.token.paymentData));
        await send(token, async (again) => {
          // what is not known yet is told by the page, and not as a failure: nobody is to pay twice
          const { state } = again ? { state: 'declined' } : await ask(status_url).catch(() => ({}));
          end(!['declined', 'cancelled', 'expired'].includes(state));
        });
      } catch (error) {
        end(false);
        fail(error);
      }
    };
    session.begin();
  };
}

function canPay(Apple) {
  try {
    return Boolean(Apple?.supportsVersion(APPLE_VERSION) && Apple.canMakePayments());
  } catch (error) {
    console.log('Apple Pay cannot be asked', error);
    return false;
  }
}

// Sends the form and follows to the page that tells what came of it. A page with a form is another try: answered, so
// that the card fields need not be loaded anew. Any other page is gone to. Where nothing comes back the form is sent as
// a browser does: the same attempt twice is one order.
async function post(form, tell) {
  try {
    const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const again = response.ok && page.getElementById('pay') ? page : undefined;
    await tell?.(again);
    if (again) return again;
    location.assign(response.url);
  } catch {
    form.submit();
  }
}

// what another try differs in: why, and the attempt that its forms are for
function show(page) {
  const alert = document.getElementById('alert');
  alert.replaceChildren(...page.getElementById('alert').childNodes);
  const { value } = page.querySelector('[name=nonce]');
  for (const nonce of document.querySelectorAll('[name=nonce]')) nonce.value = value;
  alert.focus();
  alert.scrollIntoView({ block: 'nearest' });
}

// the page ends with its checkout, or the bank check; the time left is shown from so many seconds on
function endAt(end_ms) {
  const left = document.getElementById('left');
  const from = Number(left.dataset.from);
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((end_ms - Date.now()) / 1000));
    left.hidden = seconds > from;
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    left.textContent = left.dataset.text.replace('{time}', time);
    // a payment under way tells its own end
    if (seconds > 0 || sent) setTimeout(tick, seconds > from + 1 ? (seconds - from) * 1000 : 1000);
    else setTimeout(() => location.reload(), 500);
  };
  tick();
}

// a receipt: the date by the payer's clock, and paper
function keep() {
  const language = `${document.documentElement.lang}-u-nu-latn`;
  // whoever reads the paper elsewhere has to know whose clock it was
  const day = { year: 'numeric', month: 'long', day: 'numeric' };
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
  const format = new Intl.DateTimeFormat(language, { ...day, ...time });
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
  // soon at first, as most answers come within a second
  let pause_ms = 200;
  const look = async () => {
    const { next } = await ask(status_url).catch(() => ({ next: 'stay' }));
    if (next === 'reload') return location.reload();
    pause_ms = Math.min(2 * pause_ms, every_ms);
    setTimeout(look, pause_ms);
  };
  setTimeout(look, pause_ms);
}

// the bank looks at the browser in a frame; what it tells us goes to our server, so this page only asks whether it is
// over
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
