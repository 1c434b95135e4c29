// The buttons of the wallets above the card fields, and the simulated sheet of a sandbox. The page's script shows them:
// that of Apple Pay itself once the browser has said that it can pay, that of Google Pay once its frame has.
import { SCHEMES, schemesOf } from '../../../core/card.ts';
import { WALLET_CARDS } from '../../../core/sandbox/wallet-cards.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import type { PageWallet } from '../../merchant/settings.ts';
import type { OfferedWallets } from '../wallets.ts';
import { fill, textsOf } from '../../payer/texts.ts';
import { type Shown, amountText, sumLine } from './shown.ts';

const NAMES: Readonly<Record<PageWallet, string>> = { google_pay: 'Google Pay', apple_pay: 'Apple Pay' };

/** Nothing where none is offered. */
export function walletButtons({ language }: Shown, { simulated, apple_pay, google_pay }: OfferedWallets): string {
  if (simulated.length === 0 && !apple_pay && !google_pay) return '';
  const texts = textsOf(language);
  const says = (wallet: PageWallet) => escapeHtml(fill(texts.wallet_pay, { wallet: `\u2068${NAMES[wallet]}\u2069` }));
  const buttons = simulated.map(
    (wallet) =>
      `<button class="go wallet" type="button" value="${wallet}" data-name="${NAMES[wallet]}">${says(wallet)}</button>`,
  );
  // the browser draws it (`.apple`), and reads the words out
  if (apple_pay)
    buttons.push(`<button class="go wallet apple" id="apple-pay" type="button" hidden>${says('apple_pay')}</button>`);
  // the page's script puts the frame into it, which has Google's own button
  if (google_pay) buttons.push('<div class="wallet google" id="google-pay" hidden></div>');
  return `<div id="wallets" hidden>${buttons.join('')}<p class="or"><span>${escapeHtml(texts.wallet_or)}</span></p></div>`;
}

export function walletSheet(shown: Shown, { simulated }: OfferedWallets): string {
  if (simulated.length === 0) return '';
  const texts = textsOf(shown.language);
  const cards = WALLET_CARDS.map(
    ({ name, number }, n) =>
      `<label><input type="radio" name="card" value="${name}"${n === 0 ? ' checked' : ''}><bdi>${cardText(number)}</bdi></label>`,
  );
  return `<dialog class="sheet" id="sheet" aria-labelledby="sheet-name"><form method="dialog">
<p><span class="test">${escapeHtml(texts.sandbox)}</span></p>
<h2 id="sheet-name"></h2>
${sumLine(shown)}
<fieldset><legend>${escapeHtml(texts.card)}</legend>${cards.join('')}</fieldset>
<button class="go" value="pay">${escapeHtml(fill(texts.pay, { amount: amountText(shown) }))}</button>
<button class="leave" value="">${escapeHtml(texts.cancel)}</button>
</form></dialog>`;
}

function cardText(number: string): string {
  const [scheme] = schemesOf(Buffer.from(number));
  return `${scheme === undefined ? '' : SCHEMES[scheme].display_name} •••• ${number.slice(-4)}`;
}
