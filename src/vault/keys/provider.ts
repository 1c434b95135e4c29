// The home of the key-encryption key, which wraps the data keys and nothing else. A provider that keeps it in a device
// or another service never shows it.
import { Refusal } from '../../core/refusals.ts';

export type KeyProvider = {
  readonly name: 'file' | 'transit' | 'pkcs11';
  /** Reference of the newest key there is. */
  newest(): string;
  /** Whether that key can unwrap now; looks again where keys are kept when it is not known. */
  knows(ref: string): Promise<boolean>;
  /**
   * `aad` binds the wrapped key to its place; the same is needed to unwrap it. Throws KeysSealed when it is out of
   * reach.
   */
  wrap(plain: Uint8Array, aad: string, ref: string): Promise<Buffer>;
  /** Throws KeysSealed when the key is out of reach, another error when what was wrapped was changed. */
  unwrap(wrapped: Buffer, aad: string, ref: string): Promise<Buffer>;
  /** Makes a new key and gives its reference. */
  make(): Promise<string>;
  /** Destroys a key: after this nothing that it wrapped can be unwrapped. No error if the key is gone already. */
  destroy(ref: string): Promise<void>;
  /** Overwrites what is in memory. */
  close(): void;
};

/** The key-encryption key is out of reach now: nothing is sealed or opened, and nothing was done. */
export class KeysSealed extends Refusal {
  constructor(cause: string) {
    super('unavailable', {
      detail: 'the vault is sealed: its keys are out of reach now; nothing was accepted',
      headers: { 'retry-after': '5' },
    });
    this.cause = cause;
  }
}
