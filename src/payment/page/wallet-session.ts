// The session that the page's Apple Pay shows to the payer's browser; the vault gets it from Apple. From the browser's
// request only the handle in the address counts.
import type { PublicAnswer, PublicRequest } from '../../kit/http/public.ts';
import type { Page } from './load.ts';
import { mayOpen } from './link.ts';
import { isOurs } from './sent.ts';
import type { Showing } from './shown.ts';
import { merchantOf } from './view/shown.ts';
import { walletsOf } from './wallets.ts';

/** The most that Apple shows of a name. */
const MOST_NAME = 64;

export async function walletSession({ tools }: Showing, page: Page, request: PublicRequest): Promise<PublicAnswer> {
  if (!isOurs(tools, request)) return said(403, 'of another page');
  if (!mayOpen(tools, request)) return said(429, 'too many');
  if (page.state.kind !== 'open') return said(409, 'not open');
  const { apple_pay } = await walletsOf(tools, page);
  if (!apple_pay) return said(404, 'no such wallet');
  const { merchant_account_id } = page.account;
  const display_name = [...merchantOf(page)].slice(0, MOST_NAME).join('');
  const session = await tools.vault.walletSession({ merchant_account_id, display_name }).catch((error: unknown) => {
    tools.log.warn({ merchant_account_id, error: String(error) }, 'the vault did not answer with a session');
    return null;
  });
  return session === null ? said(502, 'no session') : answer(200, session);
}

const answer = (status: number, body: string): PublicAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body,
});

const said = (status: number, problem: string): PublicAnswer => answer(status, JSON.stringify({ problem }));
