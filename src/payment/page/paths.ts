// The hosted page at {vault_url}/pay/{handle} (contract 10.4). A payment is a form that is sent and answered with a
// redirect to the page itself, so going back, loading again and pressing twice only ever show how things stand.
import { REFUSALS, Refusal } from '../../core/refusals.ts';
import { DatabaseUnavailable } from '../../kit/database.ts';
import type { PublicAnswer, PublicPath, PublicRequest } from '../../kit/http/public.ts';
import type { CustomerMethods } from '../checkout/methods.ts';
import { customerMethods } from '../customer/record.ts';
import type { Tools } from '../tools.ts';
import { leadTo } from './view/chrome.ts';
import { formPage } from './view/form.ts';
import { busyPage } from './view/link.ts';
import { elementPart } from './element.ts';
import { pageKeys } from './key.ts';
import { type LinkPage, linkPageStatus, loadLinkPage, openFromLink, showLink } from './link.ts';
import { type Page, loadPage } from './load.ts';
import { PAYER_PATHS, type PayerPage, loadPayerPage, payerStatus, showPayer } from './payer.ts';
import {
  challengePage,
  failedPage,
  heldPage,
  outcomePage,
  unablePage,
  unknownPage,
  waitingPage,
} from './view/message.ts';
import { afterForm, cancel, pay } from './sent.ts';
import { shownOf } from './shown.ts';
import { nonceOf, returnUrl } from './state.ts';
import { walletSession } from './wallet-session.ts';
import { walletsOf } from './wallets.ts';
import { languageFor } from '../payer/texts.ts';

export type PageTools = {
  readonly tools: Tools;
  /** Gives the names of the payment element (contract 1.2). */
  readonly brand: string;
  readonly customers: CustomerMethods;
  pageKey(merchant_account_id: string): Promise<string>;
};

export function pagePaths(options: { readonly tools: Tools; readonly brand: string }): readonly PublicPath[] {
  const { tools } = options;
  const made: PageTools = { ...options, customers: customerMethods(tools), pageKey: pageKeys(tools) };
  const path = (suffix: string, method: 'GET' | 'POST', answer: Answers): PublicPath => ({
    path: `/pay/:handle${suffix}`,
    method,
    answer: (params, request) => guarded(made, request, { handle: params['handle'] ?? '', answer }),
  });
  return [
    path('', 'GET', { page: afterForm(show), payer: afterForm(showPayer), link: showLink }),
    path('', 'POST', { page: pay, link: openFromLink }),
    path('/cancel', 'POST', { page: cancel }),
    path('/wallet-session', 'POST', { page: walletSession }),
    path('/status', 'GET', { page: status, payer: payerStatus, link: linkPageStatus }),
    ...PAYER_PATHS.map(({ suffix, method, answer }) => path(suffix, method, { payer: answer })),
  ];
}

/**
 * The answers of a path: for the page of a checkout, for that of a payer whose bank is asked, and for that of a payment
 * link.
 */
type Answers = {
  readonly page?: Answering;
  readonly payer?: (made: PageTools, page: PayerPage, request: PublicRequest) => Promise<PublicAnswer>;
  readonly link?: (made: PageTools, page: LinkPage, request: PublicRequest) => Promise<PublicAnswer>;
};

type Answering = (made: PageTools, page: Page, request: PublicRequest) => Promise<PublicAnswer>;

/** Finds the page; a handle that is unknown and a failure of ours are pages too. */
async function guarded(
  made: PageTools,
  request: PublicRequest,
  { handle, answer }: { readonly handle: string; readonly answer: Answers },
): Promise<PublicAnswer> {
  const plain = {
    language: languageFor(undefined, request.headers['accept-language']),
    brand: made.brand,
  };
  try {
    const page = answer.page && (await loadPage(made.tools, handle));
    if (page && answer.page) return await answer.page(made, page, request);
    const payer = answer.payer && (await loadPayerPage(made.tools, handle));
    if (payer && answer.payer) return await answer.payer(made, payer, request);
    const link = answer.link && (await loadLinkPage(made.tools, handle));
    return link && answer.link ? await answer.link(made, link, request) : unknownPage(plain);
  } catch (error) {
    made.tools.log.error({ request_id: request.request_id, error: String(error) }, 'a hosted page failed');
    return failedPage(plain, { ...failureOf(error), again: `/pay/${encodeURIComponent(handle)}` });
  }
}

function failureOf(error: unknown): { readonly status: number; readonly headers?: Readonly<Record<string, string>> } {
  if (error instanceof DatabaseUnavailable) return { status: 503, headers: { 'retry-after': '2' } };
  if (!(error instanceof Refusal)) return { status: 500 };
  return { status: REFUSALS[error.refusal].status, headers: error.extras.headers ?? {} };
}

async function show(made: PageTools, page: Page, request: PublicRequest): Promise<PublicAnswer> {
  const { state, urls, checkout } = page;
  const shown = shownOf(made, page, request);
  switch (state.kind) {
    case 'open':
      if (request.query['busy'] !== undefined) return busyPage(shown);
      if (request.query['unable'] !== undefined)
        return urls.exception_url === undefined ? unablePage(shown) : leadTo(urls.exception_url);
      return formPage(shown, {
        element: await elementPart(made, { page, language: shown.language }),
        again: request.query['again'] !== undefined,
        wallets: await walletsOf(made.tools, page),
      });
    case 'held':
      return heldPage(shown);
    case 'challenge':
      return challengePage(shown, state.redirect_url);
    case 'waiting':
      return mayLeave(made.tools, page) && urls.pending_url !== undefined
        ? leadTo(urls.pending_url)
        : waitingPage(shown, { seen: doubtOf(page) });
    case 'paid':
    case 'declined':
    case 'cancelled':
    case 'expired': {
      const url = returnUrl(state, urls, { tried: checkout.orders.length > 0 });
      return url === undefined ? outcomePage(shown, state.kind) : leadTo(url);
    }
  }
}

const PATIENCE_MS = 10_000;

/** The provider had its time: a payer with somewhere to go need not wait here any longer (contract 10.2). */
function mayLeave({ clock }: Tools, { order }: Page): boolean {
  return order !== undefined && clock.now().getTime() - new Date(order.created_at).getTime() >= PATIENCE_MS;
}

/** Why a page waits: the provider has not answered yet, or the result is in doubt. */
function doubtOf({ in_doubt }: Page): 'waiting' | 'in_doubt' {
  return in_doubt ? 'in_doubt' : 'waiting';
}

/** For the page's script: has anything changed while the page waited, or while a card was typed? */
async function status({ tools }: PageTools, page: Page, { query }: PublicRequest): Promise<PublicAnswer> {
  const same = query['seen'] === undefined || query['seen'] === doubtOf(page);
  const waits =
    same && page.state.kind === 'waiting' && !(page.urls.pending_url !== undefined && mayLeave(tools, page));
  return {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify({
      next: waits ? 'stay' : 'reload',
      state: page.state.kind,
      nonce: nonceOf(page.handle, page.checkout.attempts),
    }),
  };
}
