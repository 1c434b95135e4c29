// The receipt that a payer gets by mail, where the account wants it and the payer's address is known: written in the
// commit that takes the money or gives it back, one for each capture and each refund. What is wrong with a receipt
// never keeps a payment from being written.
import { holdsCardNumber } from '../../../core/card.ts';
import type { TenantRunner } from '../../../kit/database.ts';
import type { Letter } from '../../../kit/mail/letter.ts';
import { writeMail } from '../../mail/write.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../merchant/settings.ts';
import { findSettings } from '../../merchant/store.ts';
import { cardPaid, receiptLetter } from '../../payer/receipt.ts';
import { languageFor } from '../../payer/texts.ts';
import type { Tools } from '../../tools.ts';
import type { Receipt } from './due.ts';

/** Later than this a receipt is of no use. */
const HOURS = 72;

/** `at`: when the money moved. */
export type Moved = Receipt & { readonly at: Date };

export async function writeReceipt(tools: Tools, tx: TenantRunner, receipt: Moved): Promise<void> {
  const { to, operation_id: about_id } = receipt;
  const account = await findSettings(tx);
  const settings = { ...DEFAULT_SETTINGS, ...account?.settings };
  // switched off since the order was made
  if (!account || !settings.mail_receipts) return;
  const letter = readyLetter(tools, receipt, { name: account.name, settings });
  if (letter) await writeMail(tools, tx, { kind: 'receipt', about_id, to, letter, hours: HOURS });
}

/** The letter. Undefined: it cannot be written, or may not be mailed. */
function readyLetter({ log }: Pick<Tools, 'log'>, receipt: Moved, paying: Paying): Letter | undefined {
  const { id: order_id } = receipt.order;
  try {
    const letter = letterOf(receipt, paying);
    // a reference of the merchant's may look like one
    if (!holdsCardNumber(JSON.stringify(letter))) return letter;
    log.warn({ order_id }, 'a receipt would hold what looks like a card number: it is not mailed');
  } catch (error) {
    log.error({ order_id, error: String(error) }, 'a receipt cannot be written');
  }
  return undefined;
}

type Paying = { readonly name: string; readonly settings: Settings };

/** Writes the receipt in the language of the hosted page. */
function letterOf({ order, amount_minor, returned, transaction_id, at }: Moved, { name, settings }: Paying): Letter {
  const { body, currency, order_merchant_id: reference, transactions, created_at } = order;
  const { locale, customer_browser_info_language: browser, dynamic_descriptor_authorization: statement } = body;
  const paid = {
    merchant: settings.page_name || name,
    amount_minor,
    returned,
    currency,
    card: cardPaid(transactions, transaction_id),
    at: returned ? at : new Date(created_at),
    reference,
    // a refund may be called otherwise there
    statement: returned ? undefined : statement,
  };
  return receiptLetter(paid, languageFor(locale, browser, settings.page_languages), settings.page_help_url);
}
