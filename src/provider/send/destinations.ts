// The destinations of calls to providers, which the operator pins and which no request can change: hosts, certificates,
// limits, and the accounts that may be used. The table of steps (tables.ts), whose hash the operator signs, gives the
// form of the calls.
import type { TlsPin } from '../../kit/tls/pinned.ts';
import type { Step } from '../contract.ts';
import type { LineAddress } from './iso8583/outside.ts';
import type { Table } from './tables.ts';

export type Host = HttpHost | LineHost;

export type HttpHost = {
  /** Scheme, name and port. */
  readonly origin: string;
  /** Put before every path; empty, except for simulators that share one address. */
  readonly prefix: string;
  /** Null: plain HTTP, for a simulator on loopback in a sandbox only. */
  readonly tls: TlsPin | null;
};

/** A host that gets messages over lines that stay open. */
export type LineHost = {
  /** The first is preferred. */
  readonly lines: readonly LineAddress[];
  /** Null: in clear, on loopback in a sandbox only. */
  readonly tls: TlsPin | null;
};

const LINE = /^tcp:\/\/(\[[0-9a-f:]{2,39}\]|[a-z0-9.-]{1,253}):([1-9]\d{0,4})$/;

/** `tcp://host:port`; undefined: it is no such address. */
export function lineAddressOf(text: unknown): LineAddress | undefined {
  const [, host = '', port = ''] = (typeof text === 'string' && LINE.exec(text)) || [];
  return host === '' || Number(port) > 65_535 ? undefined : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** A message over a line goes to lines, a request of HTTP does not. */
export const isHostOf = (host: Host, step: Step): boolean => 'lines' in host === 'line' in step;

export type Destination = {
  readonly table: Table;
  /** The hosts, by the names that the steps of the table use. */
  readonly hosts: Readonly<Record<string, Host>>;
  /** Addresses their names may lead to. */
  readonly reach: 'public' | 'loopback';
  /** Credential → what it must be one of: a text, or the SHA-256 of one. One without a row may be any. */
  readonly allow: ReadonlyMap<string, readonly string[]>;
  /** The longest a call may take; a request may ask for less. */
  readonly deadline_ms: number;
  readonly max_body: number;
  readonly max_answer: number;
};

export type Destinations = ReadonlyMap<string, Destination>;
