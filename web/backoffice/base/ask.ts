// Reading from the server: kept for a moment, and asked again while the page is looked at.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AnswerOf, RouteName } from '../../../src/backoffice/wire/routes.ts';
import { type AnyCall, type Call, answered } from './api.ts';

type Reading = Extract<RouteName, `GET ${string}`>;
type Timing = { readonly every_ms?: number; readonly enabled?: boolean };
type Asking<R extends Reading> = Call<R> & Timing;
type Given<R extends Reading> = object extends Call<R> ? [asking?: Asking<R>] : [asking: Asking<R>];

/** What is kept of a read is found by this: its name, its route, and what it was asked with, where that is said. */
export const keyOf = (name: string, route: Reading, ...call: readonly AnyCall[]) => [name, route, ...call] as const;

/** `name` is what a change names to make it old (see useAct). */
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

/** A list by pages: what was asked so far, and a way to have more. */
export function usePages<R extends Paged>(name: string, route: R, { query, every_ms }: AnyCall & Timing = {}) {
  return useInfiniteQuery({
    queryKey: [...keyOf(name, route), query ?? null, 'pages'],
    queryFn: ({ signal, pageParam }) => answered(route, { signal, query: { ...query, cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (last: AnswerOf<R>) => last.next_cursor,
    ...(every_ms === undefined ? {} : { refetchInterval: every_ms }),
  });
}
