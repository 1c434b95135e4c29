// Signing in and out, switching the account, and the links that make somebody a member.
import { bool, id24, text, withoutCard } from '../../core/fields.ts';
import { required } from '../../core/shape.ts';
import {
  type AnswerWith,
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  openRoute,
  timed,
  unknown,
} from '../context.ts';
import type { SessionState } from '../wire/session.ts';
import type { SignedOut } from '../wire/sign-on.ts';
import { withTransaction } from '../../kit/database.ts';
import { acceptWelcome, readWelcome } from '../people/invite.ts';
import { admitSignIn, logIn, logInByCode } from './login.ts';
import { makeCommandSecret, prove } from './proof.ts';
import { deleteSession, switchAccount } from './store.ts';
import { cookieOf, csrfOf, findPrincipal, stateOf } from './principal.ts';

export function sessionRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    openRoute({
      route: 'GET /session',
      handle: async ({ rawRequest }) =>
        timed(context, { body: stateOf(context, await findPrincipal(context, rawRequest)) }),
    }),
    openRoute({
      route: 'POST /session',
      body: { email: required(text(254)), password: required(text(200)) },
      handle: ({ body, rawRequest }) => admitSignIn(context, rawRequest, () => logIn(context, body, rawRequest)),
    }),
    openRoute({
      route: 'POST /session/totp',
      body: { ticket: required(text(64)), code: required(text(40)) },
      handle: ({ body, rawRequest }) => admitSignIn(context, rawRequest, () => logInByCode(context, body, rawRequest)),
    }),
    backofficeRoute(context, {
      route: 'POST /me/prove',
      right: 'me',
      body: { password: required(text(200)), code: text(40) },
      handle: (asked) => admitSignIn(context, asked, () => prove(context, asked, asked.body)),
    }),
    backofficeRoute(context, {
      route: 'POST /me/command-secret',
      right: 'me',
      handle: (asked) => makeCommandSecret(context, asked),
    }),
    backofficeRoute(context, {
      route: 'DELETE /session',
      right: 'me',
      handle: (asked) => signOut(context, asked),
    }),
    backofficeRoute(context, {
      route: 'POST /session/account',
      right: 'me',
      body: { account_id: required(id24) },
      handle: (asked) => goTo(context, asked, asked.body.account_id),
    }),
    openRoute({
      route: 'GET /welcome/:token',
      handle: ({ params, rawRequest }) =>
        admitSignIn(context, rawRequest, async () => ({
          body: await readWelcome(context, params['token'] ?? '', rawRequest.client_ip),
        })),
    }),
    openRoute({
      route: 'POST /welcome/:token',
      // what is required depends on whose the address is, and is named all at once
      body: { name: withoutCard(text(100)), email: withoutCard(text(254)), password: text(200), anew: bool },
      handle: ({ body, params, rawRequest }) =>
        admitSignIn(context, rawRequest, () =>
          acceptWelcome(context, { token: params['token'] ?? '', form: body }, rawRequest),
        ),
    }),
  ];
}

async function signOut(
  context: BackofficeContext,
  asked: BackofficeRequest,
): Promise<AnswerWith<SignedOut> & { readonly headers: object }> {
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    await deleteSession(tx, asked.principal.digest);
    await asked.record(tx, { action: 'operator logout', object: asked.principal.person.id });
  });
  const provider_url = asked.principal.session.sign_out_url;
  return { body: { done: true, provider_url }, headers: { 'set-cookie': cookieOf(context, '') } };
}

/** An account the person is no member of is as unknown as one that is not there. */
async function goTo(
  context: BackofficeContext,
  { principal }: BackofficeRequest,
  account_id: string,
): Promise<SessionState> {
  const account = principal.accounts.find(({ id }) => id === account_id);
  if (!account) throw unknown('account');
  await switchAccount(context.tools.db, principal.digest, account_id);
  const rights = principal.must_enrol ? [] : account.rights;
  return stateOf(context, { ...principal, account, rights, csrf: csrfOf(principal.csrf_key, account.id) });
}
