// API keys of the account: made, rolled with an overlap, revoked at once. A key's text is shown once.
import { int, oneOf, text, textOfForm, withoutCard } from '../../core/fields.ts';
import { Refusal, refuseField } from '../../core/refusals.ts';
import { SCOPES, SCOPE_NAMES, type Scope, hasScope, isScope } from '../../core/keys/scopes.ts';
import { KEY_TEXT, MOST_OVERLAP_H } from '../../core/keys/limits.ts';
import { type Field, type Read, required } from '../../core/shape.ts';
import { readSettings } from '../../payment/merchant/change-settings.ts';
import { makeKeyText, addKey, revokeKey, rollKey } from '../../payment/merchant/keys.ts';
import { requireNamed } from '../../payment/merchant/named-keys.ts';
import { type KeyRow, listKeys } from '../../payment/merchant/store.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { REASON } from '../reason.ts';
import { mayAsAdministrator, roleName, scopesOf } from '../rights.ts';
import type { KeyForm, Keys, NewKey, RollForm } from '../wire/account.ts';

const SCOPE_LIST: Field<readonly Scope[], false> = {
  schema: { type: 'array', items: { enum: SCOPE_NAMES }, minItems: 1 },
  required: false,
  read: (value, name, reading) => {
    const says = `must be a list of some of ${SCOPE_NAMES.join(', ')}`;
    if (!Array.isArray(value) || value.length === 0) return reading.refuse(name, says);
    const scopes = value.filter((one) => isScope(one));
    return scopes.length === value.length ? [...new Set(scopes)] : reading.refuse(name, says);
  },
};
const NEW_KEY = {
  kind: required(oneOf('private', 'public')),
  label: required(withoutCard(text(60))),
  scopes: SCOPE_LIST,
  text: textOfForm(KEY_TEXT.form, KEY_TEXT.says),
};

export function keyRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'keys' } as const;
  return [
    backofficeRoute(context, { ...of, route: 'GET /keys', handle: (asked) => readKeys(context, asked) }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /keys',
      body: NEW_KEY,
      handle: (asked) => createKey(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /keys/:id/roll',
      body: { overlap_hours: required(int(0, MOST_OVERLAP_H)), reason: REASON },
      handle: (asked) => roll(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /keys/:id/revoke',
      body: { reason: REASON },
      handle: (asked) => revoke(context, asked, asked.body.reason),
    }),
  ];
}

async function readKeys({ tools }: BackofficeContext, { db, principal }: BackofficeRequest): Promise<Keys> {
  const rows = await listKeys(db);
  const own = scopesOf(principal.account);
  const scopes = SCOPE_NAMES.map((name) => ({ name, meaning: SCOPES[name], yours: own.includes(name) }));
  return { environment: tools.environment, keys: rows.map(viewKey), scopes };
}

/** Never the digest: what is shown of a key is what it is called. That it has ended says its time. */
function viewKey({ digest: _, ended: __, ...row }: KeyRow): Keys['keys'][number] {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    ends_at: row.ends_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    in_page_at: row.in_page_at?.toISOString() ?? null,
  };
}

function newText({ tools }: BackofficeContext, kind: KeyForm['kind']): string {
  return makeKeyText(tools.chance, { letters: tools.key_letters, kind, environment: tools.environment });
}

/** Made here, or brought from an existing integration (contract 2.6). */
async function createKey(
  context: BackofficeContext,
  asked: BackofficeRequest,
  form: Read<typeof NEW_KEY>,
): Promise<NewKey> {
  const { kind, label, scopes = null, text: brought } = form;
  if (kind === 'public' && scopes !== null)
    throw refuseField('scopes', 'parameter_invalid', 'are for private keys: a public key may only tokenize');
  await requireOwnScopes(context, asked, form);
  if (brought !== undefined) await requireNamed(context.tools, asked.db, brought);
  const made = brought ?? newText(context, kind);
  const detail = {
    kind,
    label,
    ...(kind === 'private' && { scopes: scopes ?? 'all' }),
    ...(brought !== undefined && { imported: true }),
  };
  const id = await addKey(context.tools, asked.account_id, {
    text: made,
    kind,
    label,
    scopes,
    also: (tx, object) => asked.record(tx, { action: 'API key created', object, detail }),
  });
  return { ...(await readKeys(context, asked)), id, text: brought === undefined ? made : null };
}

/**
 * A person neither sees nor makes a private key that may do more than they may themselves: where large refunds wait for
 * a second person, one that refunds alone is for those who may say so.
 */
async function requireOwnScopes(
  { tools }: BackofficeContext,
  { principal, account_id }: BackofficeRequest,
  { kind, scopes = null }: Pick<KeyForm, 'kind'> & HasScopes,
): Promise<void> {
  const { account } = principal;
  if (kind === 'public') return;
  const beyond = (scopes ?? SCOPE_NAMES).filter((scope) => !scopesOf(account).includes(scope));
  if (beyond.length === 0 && hasScope(scopes, 'refunds') && !mayAsAdministrator(account)) {
    const { refunds_two_people_above } = await readSettings(tools, account_id);
    if (refunds_two_people_above.length > 0) beyond.push('refunds');
  }
  if (beyond.length === 0) return;
  throw new Refusal('not_allowed', {
    detail: `the role ${roleName(account)} may not hold a private key with the scope ${beyond.join(', ')}: an owner or an administrator makes it`,
  });
}

type HasScopes = { readonly scopes?: readonly Scope[] | null };

async function findKey({ db, params }: BackofficeRequest): Promise<KeyRow> {
  const key = (await listKeys(db)).find(({ id }) => id === params['id']);
  if (!key) throw unknown('key');
  if (key.revoked_at !== null) throw new Refusal('change_conflict', { detail: 'the key is revoked already' });
  return key;
}

async function roll(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { overlap_hours, reason }: RollForm,
): Promise<NewKey> {
  const key = await findKey(asked);
  await requireOwnScopes(context, asked, key);
  const { id, kind, label, scopes } = key;
  const made = newText(context, kind);
  const added = await rollKey(context.tools, asked.account_id, {
    text: made,
    kind,
    label,
    scopes,
    id,
    overlap_hours,
    also: (tx, by) => asked.record(tx, { action: 'API key rolled', object: id, reason, detail: { by, overlap_hours } }),
  });
  return { ...(await readKeys(context, asked)), id: added, text: made };
}

async function revoke(context: BackofficeContext, asked: BackofficeRequest, reason: string): Promise<Keys> {
  const { id } = await findKey(asked);
  await revokeKey(context.tools, asked.account_id, {
    id,
    also: (tx) => asked.record(tx, { action: 'API key revoked', object: id, reason }),
  });
  return readKeys(context, asked);
}
