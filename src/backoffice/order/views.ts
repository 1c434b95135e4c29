// Saved views of the order list: one's own, and those that others of the account share.
import { holdsCardNumber } from '../../core/card.ts';
import { anything, bool, id24, text, withoutCard } from '../../core/fields.ts';
import { isId } from '../../core/ids.ts';
import { Refusal, refuseField } from '../../core/refusals.ts';
import { required } from '../../core/shape.ts';
import { type TenantRunner, afterCommit, withTransaction } from '../../kit/database.ts';
import { lockAccount } from '../../payment/merchant/store.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { mayRole } from '../rights.ts';
import type { SavedViews } from '../wire/orders.ts';
import { type SavedView, deleteView, insertView, listViews, updateView } from './store.ts';

const FORM = { id: id24, name: required(withoutCard(text(60))), filters: required(anything), shared: required(bool) };
const MOST_BYTES = 4000;
/** Of one person. */
const MOST = 100;

export function viewRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'read' } as const;
  return [
    backofficeRoute(context, { ...of, route: 'GET /views', handle: readViews }),
    backofficeRoute(context, {
      ...of,
      route: 'PUT /views',
      body: FORM,
      own: ['filters'],
      handle: (asked) => save(context, asked, asked.body),
    }),
    backofficeRoute(context, { ...of, route: 'DELETE /views/:id', handle: remove }),
  ];
}

async function readViews({ db, principal }: BackofficeRequest): Promise<SavedViews> {
  return { views: await listViews(db, principal.person.id) };
}

type Form = { readonly id?: string; readonly name: string; readonly filters: unknown; readonly shared: boolean };

async function save(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  { id, ...form }: Form,
): Promise<SavedViews> {
  const filters = JSON.stringify(form.filters);
  const given = typeof form.filters === 'object' && !Array.isArray(form.filters) ? form.filters : null;
  const flat = given !== null && Object.values(given).every((value) => typeof value === 'string');
  if (!flat || filters.length > MOST_BYTES)
    throw refuseField('filters', 'parameter_invalid', 'must be an object of texts');
  // what was typed into the search may be anything
  if (holdsCardNumber(filters)) throw refuseField('filters', 'parameter_invalid', 'hold a card number');
  const { name, shared } = form;
  const view = { name, shared, filters, person_id: asked.principal.person.id };
  const made = { ...view, id: tools.chance.id() };
  if (id === undefined) await withTransaction(tools.db, asked.account_id, (tx) => add(tx, made));
  else if (!(await updateView(asked.db, { ...view, id }))) throw unknown('view');
  return afterCommit(() => readViews(asked));
}

/** Many at one moment are no way around the limit. */
async function add(tx: TenantRunner, view: SavedView): Promise<void> {
  await lockAccount(tx);
  if ((await listViews(tx, view.person_id)).filter(({ own }) => own).length >= MOST)
    throw new Refusal('change_conflict', { detail: `a person has at most ${MOST} views: remove one first` });
  await insertView(tx, view);
}

async function remove(asked: BackofficeRequest): Promise<SavedViews> {
  const id = asked.params['id'] ?? '';
  const { person, account } = asked.principal;
  const whose = { person_id: person.id, any_shared: mayRole(account, 'team') };
  if (!isId(id) || !(await deleteView(asked.db, { id, ...whose }))) throw unknown('view');
  return afterCommit(() => readViews(asked));
}
