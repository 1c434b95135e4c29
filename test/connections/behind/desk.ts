// The desk at which changes of the back office are asked for, and what is needed for all of them.
import type { Person } from '../../backoffice/person.ts';
import { textAt } from '../../client.ts';
import type { World } from '../../world.ts';

export type Ask = () => Promise<{ readonly status: number; readonly text: string }>;

/**
 * What a change is called, what makes it ready (each time anew, so that it can succeed), and the statement whose commit
 * it is; most write an audit record.
 */
export type Change = readonly [name: string, prepare: () => Promise<Ask>, statement?: string];

export type Office = {
  readonly w: World;
  readonly owner: Person;
  /** Who approves large refunds; the account wants two people above 50 euros. */
  readonly second: Person;
};

export const reason = 'somebody asked for it';

let count = 0;
export const fresh = (what: string) => `${what}-${++count}`;

export type At = () => ReturnType<typeof desk>;

export function desk({ w, owner, second }: Office) {
  const post = (path: string, body: unknown = {}) => owner.post(path, body);
  const put = (path: string, body: unknown) => owner.ask('PUT', path, body);
  const drop = (path: string, body?: unknown) => owner.ask('DELETE', path, body);
  const paid = async (fields: object = {}) => textAt(await w.shop.pay({}, fields), 'order_id');
  /** An order that is to be tried again later. */
  const declined = async () => {
    await w.sql('DELETE FROM payment.declines');
    const card = { card_number: '4000000000009995', token_type: 'recurring' };
    return textAt(await w.shop.pay(card, { payment_channel: 'recurring', retry_policy: 'default' }), 'order_id');
  };
  const find = async (from: string) =>
    (await w.sql<{ id: string }>(`SELECT encode(id, 'hex') AS id FROM payment.${from}`))[0]?.id;
  const idOf = async (from: string) => (await find(from)) ?? '';
  const last = (table: string) => idOf(`${table} ORDER BY id DESC LIMIT 1`);
  return { w, owner, second, post, put, drop, paid, declined, find, idOf, last };
}
