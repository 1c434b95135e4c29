// The facts that the rules of the check look at: the last requests of an account, opened, and its settings.
import type { TenantRunner } from '../../kit/database.ts';
import { listKeys } from '../merchant/store.ts';
import { listEndpoints } from '../notification/endpoint/store.ts';
import { type LogRow, logPage } from '../request-log/list.ts';

type Json = Readonly<Record<string, unknown>>;

export type SeenRequest = Omit<LogRow, 'headers' | 'request' | 'answer'> & {
  readonly headers: Json;
  /** Members of the body that was sent. */
  readonly body: Json;
  readonly answer: Json;
};

export type Seen = {
  /** The oldest first. */
  readonly requests: readonly SeenRequest[];
  readonly notifications: readonly SeenRequest[];
  readonly endpoints: readonly { readonly id: string; readonly on: boolean; readonly failing: boolean }[];
  /** Private keys that a browser brought, here or at the vault. */
  readonly keys_in_page: readonly string[];
  /** Endpoints that took a notification which we did not sign; empty too where none was sent. */
  readonly took_forged: readonly string[];
  readonly now: Date;
};

const MOST = 1000;
const ROOM = 200;

export async function seenOf(db: TenantRunner, now: Date): Promise<Seen> {
  const rows: LogRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null && rows.length < MOST;) {
    const page = await logPage(db, cursor === undefined ? { limit: ROOM } : { limit: ROOM, cursor });
    rows.push(...page.rows);
    cursor = page.next_cursor;
  }
  const [endpoints, keys] = [await listEndpoints(db), await listKeys(db)];
  const seen = rows.map(opened).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return {
    requests: seen.filter(({ kind }) => kind === 'request'),
    notifications: seen.filter(({ kind }) => kind === 'notification'),
    endpoints: endpoints.map(({ id, state, failing_since }) => ({
      id,
      on: state === 'on',
      failing: failing_since !== null,
    })),
    keys_in_page: keys.filter((key) => key.revoked_at === null && key.in_page_at !== null).map(({ id }) => id),
    took_forged: [],
    now,
  };
}

function opened({ headers, request, answer, ...facts }: LogRow): SeenRequest {
  return { ...facts, headers: objectOf(headers), body: memberOf(objectOf(request), 'body'), answer: objectOf(answer) };
}

function objectOf(text: string): Json {
  const value: unknown = JSON.parse(text);
  return isJson(value) ? value : {};
}

function memberOf(object: Json, name: string): Json {
  const value = object[name];
  return isJson(value) ? value : {};
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
