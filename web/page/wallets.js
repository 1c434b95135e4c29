// The wallets of the hosted page. This file becomes one script with pay.js (`src/payment/page/view/look.ts`).
// The first version of Apple Pay that knows every scheme of ours that it accepts.
const APPLE_VERSION = 5;

// Wallets of a sandbox: the sheet is our own and says so. It gives a payload as a wallet does, sealed for the vault,
// which opens it; this page gets a token, as it does for a card.
export function offerWallets({ minor, currency, failed }, { says, busy, fail, send, tokenOf, isSent }) {
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
      fail(failed);
    }
  };
  sheet.addEventListener('close', () => {
    if (sheet.returnValue === 'pay' && !isSent()) void paid();
  });
}

// Apple Pay, if the browser has it and says that it can pay; its button is hidden until then. Its sheet asks us who the
// merchant is: our server gets that answer from Apple. It gives a payload for the vault, as above.
export function offerApple({ request, session_url, failed }, { says, busy, fail, send, tokenOf, isSent, stateOf }) {
  const Apple = window.ApplePaySession;
  if (!canPay(Apple)) return;
  const button = document.getElementById('apple-pay');
  button.hidden = document.getElementById('wallets').hidden = false;
  const end = (error) => {
    console.log('nothing came of Apple Pay', error);
    fail(failed);
  };
  button.addEventListener('click', () => {
    says.textContent = '';
    busy(true);
    try {
      open(new Apple(APPLE_VERSION, request));
    } catch (error) {
      end(error);
    }
  });
  const open = (session) => {
    let left = false;
    session.addEventListener('cancel', () => {
      left = true;
      if (!isSent()) busy(false);
    });
    session.onvalidatemerchant = async () => {
      try {
        const given = await fetch(session_url, { method: 'POST', body: new URLSearchParams() });
        if (!given.ok) throw new Error(`no session: ${given.status}`);
        session.completeMerchantValidation(await given.json());
      } catch (error) {
        // the payer has left the sheet, so there is nothing to say
        if (left) return;
        end(error);
        session.abort();
      }
    };
    session.onpaymentauthorized = async ({ payment }) => {
      const tell = (good) => session.completePayment({ status: good ? Apple.STATUS_SUCCESS : Apple.STATUS_FAILURE });
      try {
        const token = await tokenOf('apple_pay', JSON.stringify(payment.token.paymentData));
        // the sheet was closed, or gave up waiting: its payer was told that nothing is paid
        if (left) return;
        // a card was sent meanwhile, by a key in its frame: nothing is paid beside it, and the sheet must not wait
        if (isSent()) return tell(false);
        await send(token, async (again) => {
          // an unknown result is told by the page, and not as a failure: the payer must not pay twice
          const { state } = again ? { state: 'declined' } : await stateOf().catch(() => ({}));
          tell(!['declined', 'cancelled', 'expired'].includes(state));
        });
      } catch (error) {
        if (left) return;
        tell(false);
        end(error);
      }
    };
    session.begin();
  };
}

// Google Pay, in a frame of another origin where only Google's script runs. The frame gets the payment's data, reports
// that Google can pay, and later sends Google's payload, which goes to the vault as above. Other senders are ignored.
export function offerGoogle({ frame_url, request, locale, failed }, { says, busy, fail, send, tokenOf, isSent }) {
  const { origin } = new URL(frame_url);
  const place = document.getElementById('google-pay');
  const frame = document.createElement('iframe');
  frame.title = 'Google Pay';
  frame.allow = 'payment';
  frame.sandbox = 'allow-scripts allow-popups allow-same-origin allow-forms';
  frame.src = frame_url;
  const told = {
    here: () => frame.contentWindow.postMessage({ request, locale, radius: 10 }, origin),
    ready: () => {
      place.hidden = document.getElementById('wallets').hidden = false;
    },
    failed: () => fail(failed),
    paid: async ({ payload }) => {
      says.textContent = '';
      busy(true);
      try {
        await send(await tokenOf('google_pay', payload));
      } catch (error) {
        console.log('no token came of Google Pay', error);
        fail(failed);
      }
    },
  };
  addEventListener('message', ({ source, origin: from, data: said }) => {
    if (source !== frame.contentWindow || from !== origin || isSent()) return;
    if (Object.hasOwn(told, said?.kind)) void told[said.kind](said);
  });
  place.append(frame);
}

function canPay(Apple) {
  try {
    return Boolean(Apple?.supportsVersion(APPLE_VERSION) && Apple.canMakePayments());
  } catch (error) {
    console.log('Apple Pay cannot be asked', error);
    return false;
  }
}
