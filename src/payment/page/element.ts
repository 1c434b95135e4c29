// The data that the hosted page gives to the payment element (contract 12.2): the same script, from the same address,
// as on any merchant's page.
import type { PageLanguage } from '../../core/payer/language.ts';
import { paymentMethodsJson } from '../checkout/methods.ts';
import { wantedOf } from '../checkout/view.ts';
import type { ElementPart } from './view/form.ts';
import type { Page } from './load.ts';
import type { PageTools } from './paths.ts';
import { maySave } from './pay.ts';

/** The one place that knows where script and style sheet of the element are (contract 1.2). */
function elementFiles(brand: string) {
  return {
    script: `/javascript/2.3/${brand}-client.min.js`,
    style: `/stylesheet/2.3/${brand}-client.min.css`,
    global: brand.charAt(0).toUpperCase() + brand.slice(1),
  };
}

export async function elementPart(
  { tools, brand, customers, pageKey }: PageTools,
  { page, language }: { readonly page: Page; readonly language: PageLanguage },
): Promise<ElementPart> {
  const { account, checkout } = page;
  const offers = maySave(page);
  const known = offers ? await customers(account, checkout.body, 'read') : { saved: [], used: [] };
  const methods: unknown = JSON.parse(paymentMethodsJson(account, wantedOf(checkout), known).toString());
  const recurring = checkout.body['token_type'] === 'recurring';
  return {
    ...elementFiles(brand),
    configuration: {
      publicapikey: await pageKey(account.merchant_account_id),
      locale: language,
      environment: tools.environment,
      tokentype: recurring ? 'recurring' : 'oneshot',
      paymentmethods: slim(methods),
      displayButtons: false,
      displaySave: offers && !recurring,
      checkoutId: checkout.id,
    },
    expires_in_ms: checkout.expires_at.getTime() - tools.clock.now().getTime(),
  };
}

const NEEDED = ['name', 'display_name', 'component_type', 'logo', 'logo_colorbg', 'token', 'id', 'payment_details'];

/** Only what the element shows: the whole lists are long, and the page is to be there at once. */
function slim(methods: unknown): unknown {
  const lists = Object.entries(typeof methods === 'object' && methods !== null ? methods : {});
  return Object.fromEntries(
    lists.map(([list, items]: [string, unknown]) => [
      list,
      (Array.isArray(items) ? items : []).map((item: object) =>
        Object.fromEntries(Object.entries(item).filter(([name]) => NEEDED.includes(name))),
      ),
    ]),
  );
}
