// Signing in and out, switching the account, and the links that make somebody a member.
import { id24, text } from '../../core/fields.ts';
import { required } from '../../core/shape.ts';
import { type Asked, type Desk, type DeskRoute, deskRoute, openRoute, timed, unknown } from '../desk.ts';
import { together } from '../../kit/database.ts';
import { acceptWelcome, readWelcome } from '../people/invite.ts';
import { rightsOf } from '../rights.ts';
import { type Doorman, logIn, logInByCode } from './login.ts';
import { makeCommandSecret, prove } from './proof.ts';
import { deleteSession, switchAccount } from './store.ts';
import { cookieOf, csrfOf, findVisitor, stateOf } from './visitor.ts';

export function sessionRoutes(desk: Desk, doorman: Doorman): readonly DeskRoute[] {
  return [
    openRoute({
      ...{ method: 'GET', path: '/api/session' },
      handle: async ({ arrival }) => timed(desk, { body: stateOf(desk, await findVisitor(desk, arrival)) }),
    }),
    openRoute({
      ...{ method: 'POST', path: '/api/session' },
      body: { email: required(text(254)), password: required(text(200)) },
      handle: ({ body, arrival }) => doorman.admit(desk, arrival, () => logIn(desk, body, arrival)),
    }),
    openRoute({
      ...{ method: 'POST', path: '/api/session/totp' },
      body: { ticket: required(text(64)), code: required(text(40)) },
      handle: ({ body, arrival }) => doorman.admit(desk, arrival, () => logInByCode(desk, body, arrival)),
    }),
    deskRoute(desk, {
      ...{ method: 'POST', path: '/api/me/prove', right: 'me' },
      body: { password: required(text(200)), code: text(40) },
      handle: (asked) => doorman.admit(desk, asked, () => prove(desk, asked, asked.body)),
    }),
    deskRoute(desk, {
      ...{ method: 'POST', path: '/api/me/command-secret', right: 'me' },
      handle: (asked) => makeCommandSecret(desk, asked),
    }),
    deskRoute(desk, {
      ...{ method: 'DELETE', path: '/api/session', right: 'me' },
      handle: (asked) => signOut(desk, asked),
    }),
    deskRoute(desk, {
      ...{ method: 'POST', path: '/api/session/account', right: 'me' },
      body: { account_id: required(id24) },
      handle: (asked) => goTo(desk, asked, asked.body.account_id),
    }),
    openRoute({
      ...{ method: 'GET', path: '/api/welcome/:token' },
      handle: ({ params, arrival }) =>
        doorman.admit(desk, arrival, async () => ({
          body: await readWelcome(desk, params['token'] ?? '', arrival.client_ip),
        })),
    }),
    openRoute({
      ...{ method: 'POST', path: '/api/welcome/:token' },
      body: { name: text(100), email: text(254), password: required(text(200)) },
      handle: ({ body, params, arrival }) =>
        doorman.admit(desk, arrival, () => acceptWelcome(desk, { token: params['token'] ?? '', form: body }, arrival)),
    }),
  ];
}

async function signOut(desk: Desk, asked: Asked): Promise<object> {
  await together(desk.tools.db, asked.account_id, async (tx) => {
    await deleteSession(tx, asked.visitor.digest);
    await asked.record(tx, { action: 'operator logout', object: asked.visitor.person.id });
  });
  return { body: { done: true }, headers: { 'set-cookie': cookieOf(desk, '') } };
}

/** An account the person is no member of is as unknown as one that is not there. */
async function goTo(desk: Desk, { visitor }: Asked, account_id: string): Promise<object> {
  const account = visitor.accounts.find(({ id }) => id === account_id);
  if (!account) throw unknown('account');
  await switchAccount(desk.tools.db, visitor.digest, account_id);
  const rights = visitor.must_enrol ? [] : rightsOf(account.role);
  return stateOf(desk, { ...visitor, account, rights, csrf: csrfOf(visitor.csrf_key, account.id) });
}
