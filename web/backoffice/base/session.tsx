// The signed-in person, their account, and their rights.
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, createContext, useCallback, useContext, useEffect } from 'react';
import type { Right, Session, SessionState } from '../../../src/backoffice/wire/session.ts';
import { api, keepCsrf, onLoggedOut } from './api.ts';

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
    onLoggedOut(() => {
      client.setQueryData<Kept>(SESSION, (old) => {
        const lost = old?.session ?? old?.lost;
        return old && { ...old, session: null, ...(lost && { lost }) };
      });
    });
  }, [client]);
  return asked;
}

function keep(state: SessionState): SessionState {
  keepCsrf(state.session?.csrf ?? '');
  return state;
}

/**
 * Enters with another person or account, and removes all answers that were kept before. For whoever comes back after a
 * lost session they are asked for anew, below what was typed.
 */
export function useEnter(): (state: SessionState) => void {
  const client = useQueryClient();
  return useCallback(
    (state) => {
      keep(state);
      const lost = client.getQueryData<Kept>(SESSION)?.lost;
      client.setQueryData<Kept>(SESSION, state);
      const others = { predicate: ({ queryKey }: Query) => queryKey[0] !== SESSION[0] };
      const is_back = lost?.person.id === state.session?.person.id && lost?.account.id === state.session?.account.id;
      if (lost && is_back) void client.invalidateQueries(others);
      else client.removeQueries(others);
    },
    [client],
  );
}

type ProviderProps = { readonly state: SessionState; readonly session: Session; readonly children: ReactNode };

export function SessionProvider({ state, session, children }: ProviderProps) {
  const may = (right: Right) => session.rights.includes(right);
  return <Context value={{ state, session, may }}>{children}</Context>;
}
