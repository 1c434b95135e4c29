// The script of the hosted page, a module. Card data are typed in the frame of the payment element and never come here: this page gets a
// token, puts it into its own form and sends that. Without an answer it changes nothing.
const data = JSON.parse(document.getElementById('page-data').textContent);
if (data.waiting) wait(data.waiting);
if (data.element) pay(data);
if (data.bank) document.getElementById('bank').submit();
if (data.method) showBrowser(data.method);
if (data.on) location.replace(data.on);
// what the browser kept may be of the past: an order may have been made since
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
const life_ms = data.expires_in_ms;
if (life_ms > 0 && life_ms < 86_400_000) setTimeout(() => location.reload(), life_ms + 500);

async function ask(url) {
  return (await fetch(url, { cache: 'no-store' })).json();
}

function pay({ global, element: configuration, texts, status_url }) {
  const form = document.getElementById('pay');
  const button = document.getElementById('pay-button');
  const label = button.textContent;
  const says = document.getElementById('says');
  const Element = window[global];
  let sent = false;
  if (typeof Element !== 'function') {
    says.textContent = texts.not_loaded;
    return;
  }
  const busy = (is) => {
    button.disabled = is;
    button.textContent = is ? texts.paying : label;
    form.setAttribute('aria-busy', String(is));
  };
  const send = ({ token, tokenType }) => {
    if (sent) return;
    sent = true;
    busy(true);
    const fields = { token, token_type: tokenType, ...browserData() };
    for (const [name, value] of Object.entries(fields)) form.elements.namedItem(name).value = value;
    form.submit();
  };
  const element = new Element({
    ...configuration,
    onSubmit: () => send(element),
    onError: () => {
      busy(false);
      // it may be that this page is of the past: paid in another window, or expired
      ask(status_url).then(({ state }) => state === 'open' || location.reload(), Boolean);
    },
  });
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

// the bank looks at the browser in a frame; what it tells us goes to our server, so this page only asks whether it is over
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
