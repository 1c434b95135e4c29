// Reads from the server: an answer is kept for a moment, and asked for again while the page is visible.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AnswerOf, RouteName } from '../../../src/backoffice/wire/routes.ts';
import { type AnyCall, type Call, answered } from './api.ts';

type Reading = Extract<RouteName, `GET ${string}`>;
type Timing = { readonly every_ms?: number; readonly enabled?: boolean };
type Asking<R extends Reading> = Call<R> & Timing;
type Given<R extends Reading> = object extends Call<R> ? [asking?: Asking<R>] : [asking: Asking<R>];

/** The key of a kept answer: its name, its route, and the arguments of the call, if they are given. */
export const keyOf = (name: string, route: Reading, ...call: readonly AnyCall[]) => [name, route, ...call] as const;

/** A change names `name` to make the answer out of date (see useAct). */
export function useAsk<R extends Reading>(name: string, route: R, ...[asking]: Given<R>) {
  const { every_ms, enabled = true, ...call }: AnyCall & Timing = asking ?? {};
  return useQuery({
    queryKey: keyOf(name, route, call),
    queryFn: ({ signal }) => answered(route, { ...call, signal }),
    enabled,
    ...(every_ms === undefined ? {} : { refetchInterval: every_ms }),
  });
}

type Paged = { [R in Reading]: AnswerOf<R> extends { readonly next_cursor: string | null } ? R : never }[Reading];

/** A list in pages: the pages so far, and a way to get the next one. */
export function usePages<R extends Paged>(name: string, route: R, { query, every_ms }: AnyCall & Timing = {}) {
  return useInfiniteQuery({
    queryKey: [...keyOf(name, route), query ?? null, 'pages'],
    queryFn: ({ signal, pageParam }) => answered(route, { signal, query: { ...query, cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (last: AnswerOf<R>) => last.next_cursor,
    ...(every_ms === undefined ? {} : { refetchInterval: every_ms }),
  });
}
