// Payment links: made, listed, paused and ended (contract 5.3).
import { HIGHEST_ID, isId, momentOf } from '../../core/ids.ts';
import { toMinor } from '../../core/money.ts';
import { Refusal, refuseField, refuseUnknown } from '../../core/refusals.ts';
import { result } from '../../core/results.ts';
import type { Read } from '../../core/shape.ts';
import type { Answer, Repeated } from '../../kit/http/route.ts';
import type { Account } from '../merchant/account.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { echoed } from '../checkout/groups.ts';
import { type WriteRequest, before, once } from '../merchant/once.ts';
import type { Tools } from '../tools.ts';
import type { LINK_CHANGE, LINK_QUERY, LinkRequest } from './request.ts';
import {
  type LinkOrderRow,
  type LinkRow,
  type NewLink,
  findLink,
  insertLink,
  listLinkOrders,
  listLinks,
  updateLinkState,
} from './store.ts';
import { viewLink, viewLinkOrder } from './view.ts';

const HANDLE_BYTES = 32;
const PAGE = 25;
const DONE = { result: result('request_completed') };

export function createLink(tools: Tools, request: WriteRequest<LinkRequest, LinkRow>): Promise<Answer> {
  const link = newLink(tools, request.body);
  return once(tools, request, {
    object_id: link.id,
    work: async (tx) => {
      await insertLink(tx, link);
      return getLink(tx, link.id);
    },
    answer: async (row) => shown(tools, row),
    again: (id) => madeLink(tools, request.caller, id),
  });
}

/** The link that an equal request made under its key; its date may be near or past by now. */
export function replayLink(tools: Tools, request: Repeated<Account>): Promise<Answer | undefined> {
  return before(tools, request, (id) => madeLink(tools, request.caller, id));
}

async function madeLink(tools: Tools, { merchant_account_id }: Account, id: string): Promise<Answer> {
  return shown(tools, await getLink(tools.db.tenant(merchant_account_id), id));
}

function newLink(tools: Tools, { usage, currency, expiration_date, ...rest }: LinkRequest): NewLink {
  const { amount, amount_least, amount_most, ...fields } = rest;
  const minor = (name: string, text: string | undefined) => {
    const read = text === undefined ? { minor: null } : toMinor(text, currency);
    if ('problem' in read) throw refuseField(name, 'parameter_invalid', read.problem);
    return read.minor;
  };
  const id = tools.chance.id();
  return {
    id,
    handle: tools.chance.bytes(HANDLE_BYTES).toString('hex'),
    many: usage === 'many',
    currency,
    amount_minor: minor('amount', amount),
    least_minor: minor('amount_least', amount_least),
    most_minor: minor('amount_most', amount_most),
    body: { operation_type: 'direct_capture', ...echoed(fields) },
    // lists go by the id: so they are in the order of the dates that they show
    created_at: momentOf(id),
    expires_at: expiration_date === undefined ? null : new Date(expiration_date),
  };
}

type Change = WriteRequest<Read<typeof LINK_CHANGE>, LinkRow>;

/** Pauses, goes on, ends. One that has ended stays so: 409. */
export function changeLink(tools: Tools, request: Change): Promise<Answer> {
  const id = request.params['link_id'] ?? '';
  return once(tools, request, {
    object_id: isId(id) ? id : HIGHEST_ID,
    work: async (tx) => {
      const { state } = await getLink(tx, id);
      const wanted = request.body.status;
      if (!(await updateLinkState(tx, id, wanted)) && state !== wanted)
        throw new Refusal('change_conflict', { detail: 'the link has ended: make a new one' });
      return getLink(tx, id);
    },
    answer: async (row) => shown(tools, row),
    again: async () => shown(tools, await getLink(tools.db.tenant(request.caller.merchant_account_id), id)),
  });
}

export async function readLink(tools: Tools, db: TenantRunner, id: string): Promise<Answer> {
  return shown(tools, await getLink(db, id));
}

type Page = Read<typeof LINK_QUERY>;

export async function pageOfLinks(db: TenantRunner, { cursor = HIGHEST_ID, limit = PAGE }: Page) {
  const found = await listLinks(db, { before: cursor, room: limit + 1 });
  const links = found.slice(0, limit);
  return { links, next_cursor: found.length > limit ? (links.at(-1)?.id ?? null) : null };
}

/** Throws `object_unknown` where there is no such link. */
export async function pageOfOrders(db: TenantRunner, id: string, { cursor = HIGHEST_ID, limit = PAGE }: Page) {
  await getLink(db, id);
  const found = await listLinkOrders(db, { id, before: cursor, room: limit + 1 });
  const checkouts = [...new Set(found.map(({ checkout_id }) => checkout_id))];
  const last = checkouts.length > limit ? checkouts[limit] : undefined;
  const orders: readonly LinkOrderRow[] = found.filter(({ checkout_id }) => checkout_id !== last);
  return { orders, next_cursor: last === undefined ? null : (orders.at(-1)?.checkout_id ?? null) };
}

export async function readLinks(tools: Tools, db: TenantRunner, page: Page): Promise<Answer> {
  const { links, next_cursor } = await pageOfLinks(db, page);
  return { body: { ...DONE, links: links.map((row) => viewLink(row, aroundOf(tools))), ...paging(next_cursor) } };
}

export async function readLinkOrders(db: TenantRunner, id: string, page: Page): Promise<Answer> {
  const { orders, next_cursor } = await pageOfOrders(db, id, page);
  return { body: { ...DONE, orders: orders.map(viewLinkOrder), ...paging(next_cursor) } };
}

const paging = (next_cursor: string | null) => ({ has_more: next_cursor !== null, next_cursor });

export async function getLink(db: TenantRunner, id: string): Promise<LinkRow> {
  const row = isId(id) ? await findLink(db, id) : undefined;
  if (!row) throw refuseUnknown('payment link');
  return row;
}

function shown(tools: Tools, row: LinkRow): Answer {
  return { body: { ...DONE, link: viewLink(row, aroundOf(tools)) } };
}

function aroundOf({ clock, addresses }: Tools) {
  return { now: clock.now(), vault_url: addresses.vault_url };
}
