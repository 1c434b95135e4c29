// The internet of a production test. Names lead to public addresses, as they do out there, and the way to these
// addresses ends at ports of this machine. What looks at names, addresses and certificates is left as it is.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** By name: what DNS says of it, and the port here that its port 443 leads to. */
export type Internet = Readonly<Record<string, { readonly address: string; readonly port: number }>>;

type Found = readonly { readonly address: string; readonly family: number }[];
type Told = (error: Error | null, found: Found | string, family?: number) => void;
type Lookup = (name: string, options: object, told: Told) => void;
type Asked = { readonly host?: string; readonly lookup?: Lookup };

/** For all that is connected to from this process. */
export function useInternet(internet: Internet): void {
  const find = (name: string) => (Object.hasOwn(internet, name) ? internet[name] : undefined);
  const real_lookup = Reflect.get(dns, 'lookup') as Lookup;
  const lookup: Lookup = (name, options, told) => {
    const known = find(name);
    if (!known) return real_lookup(name, options, told);
    const { address } = known;
    if ('all' in options && options.all === true) process.nextTick(told, null, [{ address, family: 4 }]);
    else process.nextTick(told, null, address, 4);
  };
  const connect = Reflect.get(net.Socket.prototype, 'connect') as (this: net.Socket, ...words: unknown[]) => net.Socket;
  function connectThere(this: net.Socket, ...words: unknown[]): net.Socket {
    const [asked, listener] = (Array.isArray(words[0]) ? words[0] : words) as [Asked, unknown];
    if (!find(asked.host ?? '')) return connect.apply(this, words);
    Object.assign(this, { connecting: true });
    (asked.lookup ?? lookup)(asked.host ?? '', { all: true }, (error, found) => {
      const [first] = typeof found === 'string' ? [] : found;
      const way = Object.values(internet).find(({ address }) => address === first?.address);
      if (error || !way) this.destroy(error ?? new Error('no way leads there'));
      else connect.call(this, { ...asked, host: '127.0.0.1', port: way.port, lookup: undefined }, listener);
    });
    return this;
  }
  Object.assign(dns, { lookup });
  Object.assign(net.Socket.prototype, { connect: connectThere });
  syncBuiltinESMExports();
}
