// Where calls to providers go, pinned by the operator and never taken from a request: hosts, certificates, limits and the accounts
// that may be used. In what form they go is the table's (tables.ts), whose hash the operator signs.
import type { TlsPin } from '../../kit/tls/pinned.ts';
import type { Table } from './tables.ts';

export type Host = {
  /** Scheme, name and port. */
  readonly origin: string;
  /** Before every path: empty, but for simulators that share one address. */
  readonly prefix: string;
  /** Null: plain HTTP, for a simulator on loopback in a sandbox only. */
  readonly tls: TlsPin | null;
};

export type Destination = {
  readonly table: Table;
  /** By the names that the steps of the table use. */
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
