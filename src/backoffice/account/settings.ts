// Settings of the account (contract 1.3) and what the hosted page looks like.
import { plainJson } from '../../core/json.ts';
import { PAGE_LANGUAGES } from '../../core/payer/language.ts';
import { Refusal } from '../../core/refusals.ts';
import { withTransaction } from '../../kit/database.ts';
import { readSettings, storeSettings, tellVault } from '../../payment/merchant/change-settings.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../payment/merchant/settings.ts';
import { type BackofficeRequest, type BackofficeContext, type BackofficeRoute, backofficeRoute } from '../context.ts';
import { mayAsAdministrator, roleName } from '../rights.ts';
import type { Principal } from '../session/principal.ts';
import type { SettingsState } from '../wire/account.ts';

export function settingsRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /settings',
      right: 'read',
      handle: (asked) => readState(context, asked),
    }),
    backofficeRoute(context, {
      route: 'PUT /settings',
      right: 'settings',
      handle: (asked) => change(context, asked),
    }),
  ];
}

async function readState(
  { tools }: BackofficeContext,
  { account_id, principal }: BackofficeRequest,
): Promise<SettingsState> {
  const settings = await readSettings(tools, account_id);
  return { name: principal.account.name, settings, defaults: DEFAULT_SETTINGS, languages: PAGE_LANGUAGES };
}

/** Settings that decide about money or card data are an owner's and an administrator's. */
const OF_OWNERS = ['refunds_two_people_above', 'page_inputs'];

function requireRightTo({ account }: Principal, changes: Readonly<Record<string, unknown>>): void {
  const beyond = OF_OWNERS.filter((name) => Object.hasOwn(changes, name));
  if (beyond.length > 0 && !mayAsAdministrator(account))
    throw new Refusal('not_allowed', { detail: `the role ${roleName(account)} may not change ${beyond.join(', ')}` });
}

/** The audit keeps what was and what is, but not a picture. */
async function change(context: BackofficeContext, asked: BackofficeRequest): Promise<SettingsState> {
  const { tools } = context;
  const changes: Record<string, unknown> = Object.fromEntries(
    [...asked.object].map(([name, value]) => [name, plainJson(value)]),
  );
  requireRightTo(asked.principal, changes);
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    const { before, after } = await storeSettings(tx, changes);
    const names = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[];
    const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
    const shown = (from: Settings) =>
      Object.fromEntries(changed.map((name) => [name, name === 'page_logo' ? '(picture)' : from[name]]));
    if (changed.length > 0)
      await asked.record(tx, {
        action: 'settings changed',
        object: asked.account_id,
        detail: { was: shown(before), is: shown(after) },
      });
  });
  await tellVault(tools, asked.account_id);
  return readState(context, asked);
}
