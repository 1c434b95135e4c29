// The signed-in person, their account, and their rights.
import { type Query, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, createContext, useCallback, useContext, useEffect } from 'react';
import type { Right, Session, SessionState } from '../../../src/backoffice/wire/session.ts';
import { api, keepCsrf, onForbidden, onLoggedOut } from './api.ts';
import { roleText } from './format.ts';
import { isSecretShown } from './held.ts';
import { t } from './texts.ts';
import { tell } from './toast.tsx';

type Known = {
  readonly state: SessionState;
  readonly session: Session;
  may(right: Right): boolean;
};

const Context = createContext<Known | undefined>(undefined);

/** The person's session; only pages behind the sign-in use it. */
export function useSession(): Known {
  const known = useContext(Context);
  if (!known) throw new Error('no one is signed in');
  return known;
}

export const SESSION = ['session'] as const;

/** `lost`: the one that ended without its person: what they typed waits for them behind the sign-in. */
type Kept = SessionState & { readonly lost?: Session };

/** Asks who is signed in, and notices if the server no longer knows the session. */
export function useSessionState() {
  const client = useQueryClient();
  const asked = useQuery({
    queryKey: SESSION,
    queryFn: async ({ signal }): Promise<Kept> => keep(await api('GET /session', { signal })),
    staleTime: Infinity,
  });
  useEffect(() => {
    onLoggedOut(() => lose(client));
    onForbidden(() => void learn(client));
    const back = () => {
      const { dataUpdatedAt = 0 } = client.getQueryState(SESSION) ?? {};
      if (Date.now() - dataUpdatedAt > LEARNED_MS) void learn(client);
    };
    window.addEventListener('focus', back);
    return () => window.removeEventListener('focus', back);
  }, [client]);
  return asked;
}

function lose(client: QueryClient): void {
  client.setQueryData<Kept>(SESSION, (old) => {
    const lost = old?.session ?? old?.lost;
    return old && { ...old, session: null, ...(lost && { lost }) };
  });
}

/** As long as other answers are kept, too. */
const LEARNED_MS = 5000;
let is_learning = false;

/**
 * Asks anew who the person is and what they may do: a role may have been taken away, or the account changed in another
 * window of this browser. Says what is different.
 */
async function learn(client: QueryClient): Promise<void> {
  const { session: before } = client.getQueryData<Kept>(SESSION) ?? {};
  // what is shown once would go with the buttons around it
  if (!before || is_learning || isSecretShown()) return;
  is_learning = true;
  try {
    const state = await api('GET /session');
    // meanwhile the person has signed out, entered another account, or made what is shown once
    if (client.getQueryData<Kept>(SESSION)?.session !== before || isSecretShown()) return;
    if (state.session) enterWith(client, state);
    else lose(client);
    if (state.session) tellChange(before, state.session);
  } catch {
    // without an answer everything stays as it is; the next refusal or focus asks again
  } finally {
    is_learning = false;
  }
}

function tellChange(before: Session, { person, account, rights }: Session): void {
  const role = roleText(account);
  if (person.id !== before.person.id) tell(t('{name} has signed in here', { name: person.name }), undefined, 'bad');
  else if (account.id !== before.account.id)
    tell(t('You work in {name} now', { name: account.name }), t('It was chosen in another window.'), 'bad');
  else if (rights.join() !== before.rights.join())
    tell(t('Your rights have changed'), t('Your role is {role} now.', { role }), 'bad');
}

function keep(state: SessionState): SessionState {
  keepCsrf(state.session?.csrf ?? '');
  return state;
}

/**
 * Enters with another person or account, and removes all answers that were kept before. For whoever comes back after a
 * lost session, or has other rights now, they are asked for anew, below what was typed.
 */
function enterWith(client: QueryClient, state: SessionState): void {
  keep(state);
  const { session, lost } = client.getQueryData<Kept>(SESSION) ?? {};
  const before = session ?? lost;
  client.setQueryData<Kept>(SESSION, state);
  const others = { predicate: ({ queryKey }: Query) => queryKey[0] !== SESSION[0] };
  const is_same = before?.person.id === state.session?.person.id && before?.account.id === state.session?.account.id;
  if (!before || !is_same) client.removeQueries(others);
  else if (before !== session || session.rights.join() !== state.session?.rights.join())
    void client.invalidateQueries(others);
}

export function useEnter(): (state: SessionState) => void {
  const client = useQueryClient();
  return useCallback((state) => enterWith(client, state), [client]);
}

type ProviderProps = { readonly state: SessionState; readonly session: Session; readonly children: ReactNode };

export function SessionProvider({ state, session, children }: ProviderProps) {
  const may = (right: Right) => session.rights.includes(right);
  return <Context value={{ state, session, may }}>{children}</Context>;
}
