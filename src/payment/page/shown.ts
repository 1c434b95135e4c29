// What every page is shown with: its language, the brand, and whether it is a test page.
import type { PublicRequest } from '../../kit/http/public.ts';
import type { Tools } from '../tools.ts';
import type { Shown, Subject } from './view/form.ts';
import { languageFor } from './view/texts.ts';

export type Showing = { readonly tools: Tools; readonly brand: string };

export function shownOf<P extends Subject>({ brand, tools }: Showing, page: P, { headers }: PublicRequest): Shown<P> {
  const language = languageFor(
    page.checkout.body['locale'],
    headers['accept-language'],
    page.account.settings.page_languages,
  );
  return { page, language, brand, sandbox: tools.environment === 'sandbox' };
}
