// What went wrong when a port was to be opened, in the operator's words.
import { StartError } from '../start-error.ts';

export type Listening = {
  readonly host: string;
  readonly port: number;
  /** The settings of port and host, for the message. */
  readonly setting: string;
  readonly host_setting?: string;
};

export function listenProblem(error: Error, name: string, at: Listening): Error {
  const code = 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE')
    return new StartError(
      `Port ${at.port} (${name}) is taken by another program. End it, or set ${at.setting} to a free port.`,
    );
  if (code === 'EACCES')
    return new StartError(
      `Port ${at.port} (${name}) may not be opened by this user. Set ${at.setting} to a port above 1023.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(
      `${at.host_setting ?? 'FLORIN_HOST'} ${at.host} is not an address of this machine. Set it to 127.0.0.1 or 0.0.0.0.`,
    );
  return error;
}
