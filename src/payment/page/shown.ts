// The facts with which every page is shown: its language, the brand, and whether it is a test page.
import { PAGE_LANGUAGES, type PageLanguage } from '../../core/payer/language.ts';
import type { PublicRequest } from '../../kit/http/public.ts';
import type { Settings } from '../merchant/settings.ts';
import type { Tools } from '../tools.ts';
import type { Shown, Subject } from './view/shown.ts';
import { languageFor } from '../payer/texts.ts';

export type Showing = { readonly tools: Tools; readonly brand: string };

/** The languages that the payer may choose from: those of the account; an empty list offers all. */
function offeredBy({ page_languages }: Pick<Settings, 'page_languages'>): readonly PageLanguage[] {
  return page_languages.length === 0 ? PAGE_LANGUAGES : page_languages;
}

/** The language that the payer has chosen on the page; undefined: none, or one that is not offered. */
export function chosenLanguage(settings: Settings, { query }: PublicRequest): PageLanguage | undefined {
  return offeredBy(settings).find((language) => language === query['lang']);
}

export function shownOf<P extends Subject>({ brand, tools }: Showing, page: P, request: PublicRequest): Shown<P> {
  const { settings } = page.account;
  const chosen = chosenLanguage(settings, request);
  // an order keeps the language that it was paid in
  const locale = chosen ?? page.order?.body['locale'] ?? page.checkout.body['locale'];
  const language = languageFor(locale, request.headers['accept-language'], settings.page_languages);
  return { page, language, chosen, languages: offeredBy(settings), brand, sandbox: tools.environment === 'sandbox' };
}
