// Addresses that a mail is sent to: the plain ones that people have, and nothing that a mail server could read as two.

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

export function isMailbox(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@');
  return more.length === 0 && LOCAL.test(local) && DOMAIN.test(domain);
}

/** `Name <address>`, or an address alone; undefined: neither. */
export function readSender(text: string): { readonly name: string; readonly address: string } | undefined {
  const named = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(text.trim());
  const [name, address] = named ? [named[1]?.trim() ?? '', named[2] ?? ''] : ['', text.trim()];
  return isMailbox(address) ? { name, address } : undefined;
}
