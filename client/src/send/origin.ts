// Where a key may be sent: never over plain HTTP but to this machine, and never from a page.

/** The origin of an address, without a slash at its end. */
export function originOf(name: string, address: string): string {
  const url = new URL(address);
  const here = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|.+\.localhost)$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && here))
    throw new TypeError(`${name} must be an https address; http only to this machine`);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

export function checkPrivateKey(key: string): void {
  if (/_PUB_/.test(key)) throw new TypeError('key is a public key: a server pays with the private one');
  if (key.trim() === '') throw new TypeError('key is empty');
  // a document and no process: a browser's page, where everybody reads the key
  if ('document' in globalThis && !('process' in globalThis))
    throw new TypeError('a private key must not be in a page: use it on your server');
}
