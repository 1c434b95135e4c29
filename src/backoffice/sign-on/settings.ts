// The single sign-on of an account: seen by everyone who may see the team, changed by owners alone, since the provider
// decides who people are.
import { bool, oneOf, text, textOfForm, url, withoutCard } from '../../core/fields.ts';
import { Refusal, refuseField } from '../../core/refusals.ts';
import { required, someOf } from '../../core/shape.ts';
import { withTransaction } from '../../kit/database.ts';
import { OidcProblem, tryProvider } from '../../kit/person/oidc.ts';
import { problemOfTarget } from '../../kit/outside/target.ts';
import { type BackofficeContext, type BackofficeRequest, type BackofficeRoute, backofficeRoute } from '../context.ts';
import { REASON } from '../reason.ts';
import { NOT_PROVED } from '../session/proof.ts';
import type { SignOn, SignOnForm } from '../wire/sign-on.ts';
import { clientOf, redirectUri, sealSecret, wayOf } from './client.ts';
import { deleteSignOn, deleteSignedOn, findSignOn, putDomains, putSignOn } from './store.ts';

const DOMAIN = textOfForm(
  /^(?=.{3,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/,
  'a domain such as shop.example',
);

export function signOnRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'team' } as const;
  return [
    backofficeRoute(context, { ...of, route: 'GET /sign-on', handle: (asked) => readSignOn(context, asked) }),
    backofficeRoute(context, {
      ...of,
      route: 'PUT /sign-on',
      body: {
        issuer: required(url),
        client_id: required(withoutCard(text(500))),
        client_secret: text(2000),
        domains: required(someOf(DOMAIN, 20)),
        passwords: required(bool),
        new_role: oneOf('administrator', 'developer', 'operator', 'reader'),
        reason: REASON,
      },
      handle: (asked) => changeSignOn(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /sign-on/remove',
      body: { reason: REASON },
      handle: (asked) => removeSignOn(context, asked, asked.body.reason),
    }),
  ];
}

async function readSignOn(context: BackofficeContext, { db, account_id }: BackofficeRequest): Promise<SignOn> {
  const row = await findSignOn(db);
  const places = {
    redirect_uri: redirectUri(context, account_id),
    sign_out_uri: `${context.tools.addresses.backoffice_url}/`,
  };
  if (!row) return { settings: null, ...places };
  const { issuer, client_id, domains, passwords, new_role } = row;
  return { settings: { issuer, client_id, domains, passwords, new_role }, ...places };
}

/** Owners, who have just shown who they are by themselves and not by the provider that they name. */
function requireOwner({ principal }: BackofficeRequest): void {
  if (principal.account.role !== 'owner')
    throw new Refusal('not_allowed', { detail: 'single sign-on is changed by an owner: it says who everybody is' });
  if (!principal.session.proved) throw NOT_PROVED;
}

async function changeSignOn(context: BackofficeContext, asked: BackofficeRequest, form: SignOnForm): Promise<SignOn> {
  requireOwner(asked);
  const { account_id, principal } = asked;
  const { db, outside } = context.tools;
  const { issuer, client_id, client_secret, passwords, new_role = null, reason } = form;
  const problem = problemOfTarget(issuer, outside.rules);
  if (problem !== undefined) throw refuseField('issuer', 'parameter_invalid', problem);
  // the way back in when the provider is away: a person must not lock themselves out
  if (!passwords && !principal.totp)
    throw refuseField(
      'passwords',
      'parameter_invalid',
      'can be switched off by an owner with two-factor authentication: owners come in by password and code when the provider is away',
    );
  const before = await findSignOn(asked.db);
  if (client_secret === undefined && !before) throw refuseField('client_secret', 'parameter_missing', 'is required');
  const secret_sealed =
    client_secret === undefined
      ? Buffer.from(before?.secret_sealed ?? '', 'hex')
      : sealSecret(context, account_id, client_secret);
  const row = { issuer, client_id, secret_sealed, passwords, new_role };
  await requireProvider(context, account_id, row);
  const domains = [...new Set(form.domains.map((domain) => domain.toLowerCase()))];
  await withTransaction(db, account_id, async (tx) => {
    await putSignOn(tx, row);
    if ((await putDomains(tx, domains)) < domains.length)
      throw refuseField('domains', 'parameter_invalid', 'hold one that another account of this Florin has');
    // what another provider said of people holds no more
    const ended = before && before.issuer !== issuer ? await deleteSignedOn(tx) : 0;
    const detail = { issuer, client_id, domains, passwords, new_role, new_secret: client_secret !== undefined, ended };
    await asked.record(tx, { action: 'single sign-on changed', object: account_id, reason, detail });
  });
  return readSignOn(context, asked);
}

async function requireProvider(
  context: BackofficeContext,
  account_id: string,
  row: { readonly issuer: string; readonly client_id: string; readonly secret_sealed: Buffer },
): Promise<void> {
  try {
    const sealed = { ...row, secret_sealed: row.secret_sealed.toString('hex') };
    await tryProvider(clientOf(context, account_id, sealed), wayOf(context));
  } catch (error) {
    if (!(error instanceof OidcProblem)) throw error;
    const why = `does not answer as a provider of OpenID Connect that names itself so (${error.code})`;
    throw refuseField('issuer', 'parameter_invalid', why);
  }
}

async function removeSignOn(context: BackofficeContext, asked: BackofficeRequest, reason: string): Promise<SignOn> {
  requireOwner(asked);
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    if (!(await deleteSignOn(tx)))
      throw new Refusal('change_conflict', { detail: 'there is no single sign-on to remove' });
    const ended = await deleteSignedOn(tx);
    await asked.record(tx, { action: 'single sign-on removed', object: asked.account_id, reason, detail: { ended } });
  });
  return readSignOn(context, asked);
}
