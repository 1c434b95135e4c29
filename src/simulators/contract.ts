// What a simulator of a real provider is to the sandbox that starts it: an address to call, one to steer it at, and an
// account there. Each stands in a folder of its own name, whose `sandbox.ts` has `open`.

export type OpenSimulator = {
  /** In the place of the provider's API. */
  readonly url: string;
  /** `POST /control/endpoints {url, secrets}` says where its messages go; what else there is, its folder says. */
  readonly control_url: string;
  /**
   * What it has beside its API, over TLS: the name is that of a host in the operator's file, `ca` the authority to
   * trust, as PEM.
   */
  readonly hosts?: Readonly<Record<string, { readonly base_url: string; readonly ca: string }>>;
  readonly close: () => Promise<void>;
};

export type Simulator = {
  /** `clock`: milliseconds since 1970. */
  readonly open: (clock: () => number) => Promise<OpenSimulator>;
  /** What a contract with it has of this account: the names are those of the provider's credentials. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The one among them that its messages are signed with; null: it sends none. */
  readonly signs_with: string | null;
};
