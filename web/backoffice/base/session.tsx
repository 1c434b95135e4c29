// The signed-in person, their account, and their rights.
import { useQuery, useQueryClient } from '@tanstack/react-query';
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

/** Asks who is signed in, and notices if the server no longer knows the session. */
export function useSessionState() {
  const client = useQueryClient();
  const asked = useQuery({
    queryKey: SESSION,
    queryFn: async ({ signal }) => keep(await api('GET /session', { signal })),
    staleTime: Infinity,
  });
  useEffect(() => {
    onLoggedOut(() => {
      client.setQueryData<SessionState>(SESSION, (old) => (old ? { ...old, session: null } : old));
    });
  }, [client]);
  return asked;
}

function keep(state: SessionState): SessionState {
  keepCsrf(state.session?.csrf ?? '');
  return state;
}

/** Enters with another person or account, and removes all answers that were kept before. */
export function useEnter(): (state: SessionState) => void {
  const client = useQueryClient();
  return useCallback(
    (state) => {
      keep(state);
      client.setQueryData(SESSION, state);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
    },
    [client],
  );
}

type ProviderProps = { readonly state: SessionState; readonly session: Session; readonly children: ReactNode };

export function SessionProvider({ state, session, children }: ProviderProps) {
  const may = (right: Right) => session.rights.includes(right);
  return <Context value={{ state, session, may }}>{children}</Context>;
}
