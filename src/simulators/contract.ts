// How the sandbox sees a simulator of a real provider: an address for calls, an address for its control, and an account
// there. Each simulator has a folder of its own, whose `sandbox.ts` has `open`.

export type OpenSimulator = {
  /** The address that stands in for the provider's API. */
  readonly url: string;
  /**
   * `POST /control/endpoints {url, secrets}` sets the address for messages; each folder's control lists its other
   * requests.
   */
  readonly control_url: string;
  /**
   * Further hosts of the simulator, over TLS. The name is that of a host in the operator's file; `ca` is the authority
   * to trust, as PEM.
   */
  readonly hosts?: Readonly<Record<string, { readonly base_url: string; readonly ca: string }>>;
  readonly close: () => Promise<void>;
};

export type Simulator = {
  /** `clock` returns milliseconds since 1970. */
  readonly open: (clock: () => number) => Promise<OpenSimulator>;
  /** The credentials for a contract with this account, by the names that the provider uses. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The name of the credential with which messages are signed; null: the provider sends no messages. */
  readonly signs_with: string | null;
};
