// The address that a request comes from: that of the connection; or, if the connection comes from a proxy that the
// operator has named, the address that this proxy gives in X-Forwarded-For. Any client can forge what stands further
// left there.
import { BlockList, isIP } from 'node:net';

/** Is this the address of a proxy that was named? */
export type Proxies = (address: string) => boolean;

/** No proxy: what a request says of itself is not looked at. */
export const NO_PROXIES: Proxies = () => false;

/** Undefined: one of them is neither an address nor a network such as 10.0.0.0/8. */
export function readProxies(names: readonly string[]): Proxies | undefined {
  if (names.length === 0) return NO_PROXIES;
  const list = new BlockList();
  for (const name of names) {
    const [address = '', length, ...more] = name.split('/');
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    const right = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= most);
    if (family === 0 || !right || more.length > 0) return undefined;
    const type = family === 6 ? 'ipv6' : 'ipv4';
    if (length === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(length), type);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:/, '');
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** The payer's or merchant's address. What a proxy says is believed where it is one. */
export function clientIp({
  ip,
  socket,
}: {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
}
