// Signing in and out, switching the account, and the links that make somebody a member.
import { id24, text } from '../../core/fields.ts';
import { required } from '../../core/shape.ts';
import {
  type AnswerWith,
  type Asked,
  type Desk,
  type DeskRoute,
  deskRoute,
  openRoute,
  timed,
  unknown,
} from '../desk.ts';
import type { Done } from '../wire.ts';
import type { SessionState } from '../wire/session.ts';
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
      route: 'GET /session',
      handle: async ({ arrival }) => timed(desk, { body: stateOf(desk, await findVisitor(desk, arrival)) }),
    }),
    openRoute({
      route: 'POST /session',
      body: { email: required(text(254)), password: required(text(200)) },
      handle: ({ body, arrival }) => doorman.admit(desk, arrival, () => logIn(desk, body, arrival)),
    }),
    openRoute({
      route: 'POST /session/totp',
      body: { ticket: required(text(64)), code: required(text(40)) },
      handle: ({ body, arrival }) => doorman.admit(desk, arrival, () => logInByCode(desk, body, arrival)),
    }),
    deskRoute(desk, {
      route: 'POST /me/prove',
      right: 'me',
      body: { password: required(text(200)), code: text(40) },
      handle: (asked) => doorman.admit(desk, asked, () => prove(desk, asked, asked.body)),
    }),
    deskRoute(desk, {
      route: 'POST /me/command-secret',
      right: 'me',
      handle: (asked) => makeCommandSecret(desk, asked),
    }),
    deskRoute(desk, {
      route: 'DELETE /session',
      right: 'me',
      handle: (asked) => signOut(desk, asked),
    }),
    deskRoute(desk, {
      route: 'POST /session/account',
      right: 'me',
      body: { account_id: required(id24) },
      handle: (asked) => goTo(desk, asked, asked.body.account_id),
    }),
    openRoute({
      route: 'GET /welcome/:token',
      handle: ({ params, arrival }) =>
        doorman.admit(desk, arrival, async () => ({
          body: await readWelcome(desk, params['token'] ?? '', arrival.client_ip),
        })),
    }),
    openRoute({
      route: 'POST /welcome/:token',
      body: { name: text(100), email: text(254), password: required(text(200)) },
      handle: ({ body, params, arrival }) =>
        doorman.admit(desk, arrival, () => acceptWelcome(desk, { token: params['token'] ?? '', form: body }, arrival)),
    }),
  ];
}

async function signOut(desk: Desk, asked: Asked): Promise<AnswerWith<Done> & { readonly headers: object }> {
  await together(desk.tools.db, asked.account_id, async (tx) => {
    await deleteSession(tx, asked.visitor.digest);
    await asked.record(tx, { action: 'operator logout', object: asked.visitor.person.id });
  });
  return { body: { done: true }, headers: { 'set-cookie': cookieOf(desk, '') } };
}

/** An account the person is no member of is as unknown as one that is not there. */
async function goTo(desk: Desk, { visitor }: Asked, account_id: string): Promise<SessionState> {
  const account = visitor.accounts.find(({ id }) => id === account_id);
  if (!account) throw unknown('account');
  await switchAccount(desk.tools.db, visitor.digest, account_id);
  const rights = visitor.must_enrol ? [] : rightsOf(account.role);
  return stateOf(desk, { ...visitor, account, rights, csrf: csrfOf(visitor.csrf_key, account.id) });
}
