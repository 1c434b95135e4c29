// Reading from the server: kept for a moment, and asked again while the page is looked at.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Call, api } from './api.ts';

type Query = Call['query'];
type Asking = { readonly query?: Query; readonly every_ms?: number; readonly enabled?: boolean };

/** `name` is what a change names to make it old (see useAct). */
export function useAsk<T>(name: string, path: string, { query, every_ms, enabled = true }: Asking = {}) {
  return useQuery({
    queryKey: [name, path, query ?? null],
    queryFn: ({ signal }) => api<T>(path, { signal, ...(query ? { query } : {}) }),
    enabled,
    ...(every_ms === undefined ? {} : { refetchInterval: every_ms }),
  });
}

type Paged = { readonly next_cursor: string | null };

/** A list by pages: what was asked so far, and a way to have more. */
export function usePages<T extends Paged>(name: string, path: string, { query, every_ms }: Asking = {}) {
  return useInfiniteQuery({
    queryKey: [name, path, query ?? null, 'pages'],
    queryFn: ({ signal, pageParam }) => api<T>(path, { signal, query: { ...query, cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (last: T) => last.next_cursor,
    ...(every_ms === undefined ? {} : { refetchInterval: every_ms }),
  });
}
