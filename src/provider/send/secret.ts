// How a pinned header or place names a credential of the merchant's contract: the one grammar of `secret.NAME`.
import type { Access, Step } from '../contract.ts';

/** The credentials of a contract with a provider, by name. */
export type Credentials = Readonly<Record<string, string>>;

export type Secret = { readonly name: string; readonly optional: boolean; readonly scheme: string };

const SECRET = /^(?:([A-Za-z]{1,32}) )?secret\.([a-z][a-z0-9_]{0,39})(\?)?$/;

/**
 * `secret.api_key`, `Bearer secret.api_key`; a `?` behind it: left out where it was not given. Undefined: it is no such
 * text.
 */
export function readSecret(text: string): Secret | undefined {
  const found = SECRET.exec(text);
  return found?.[2] === undefined
    ? undefined
    : { name: found[2], optional: found[3] !== undefined, scheme: found[1] === undefined ? '' : `${found[1]} ` };
}

/** The places of a step that carry credentials: its headers, its body, and the request for its access token. */
export type Carrying = Pick<Step, 'slots'> & {
  readonly headers?: Readonly<Record<string, string>>;
  readonly access?: Access;
};

export function secretsOf({ headers = {}, slots, access }: Carrying): readonly Secret[] {
  const client = access ? [access.id, access.secret] : [];
  return [
    ...[...Object.values(headers), ...Object.values(slots)].flatMap((text) => readSecret(text) ?? []),
    ...client.map((name) => ({ name, optional: false, scheme: '' })),
  ];
}
