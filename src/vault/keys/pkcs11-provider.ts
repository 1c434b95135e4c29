// The key-encryption key in a hardware security module, or Debian's SoftHSM, by PKCS#11 2.40: it is made there, cannot
// be taken out, and wraps with AES-256-GCM inside (CKM_AES_GCM). The binding is given: it is no dependency of Florin
// (docs/decisions/0014).
import type { Chance } from '../../kit/clock.ts';
import { StartError } from '../../kit/start-error.ts';
import { type KeyProvider, KeysSealed } from './provider.ts';

type Attribute = { readonly type: number; readonly value?: number | boolean | string | Buffer };
type Mechanism = {
  readonly mechanism: number;
  readonly parameter: {
    readonly type: number;
    readonly iv: Buffer;
    readonly aad: Buffer;
    readonly ivBits: number;
    readonly tagBits: number;
  };
};

/** The part of the package pkcs11js that is used. */
export type Pkcs11Binding = {
  load(path: string): void;
  C_Initialize(): void;
  C_Finalize(): void;
  close(): void;
  C_GetSlotList(token_present: boolean): Buffer[];
  C_GetTokenInfo(slot: Buffer): { readonly label: string };
  C_OpenSession(slot: Buffer, flags: number): Buffer;
  C_Login(session: Buffer, user: number, pin: string): void;
  C_GenerateKey(session: Buffer, mechanism: { readonly mechanism: number }, template: Attribute[]): Buffer;
  C_FindObjectsInit(session: Buffer, template: Attribute[]): void;
  C_FindObjects(session: Buffer, most: number): Buffer[];
  C_FindObjectsFinal(session: Buffer): void;
  C_GetAttributeValue(session: Buffer, object: Buffer, template: Attribute[]): Attribute[];
  C_DestroyObject(session: Buffer, object: Buffer): void;
  C_EncryptInit(session: Buffer, mechanism: Mechanism, key: Buffer): void;
  C_Encrypt(session: Buffer, plain: Buffer, out: Buffer): Buffer;
  C_DecryptInit(session: Buffer, mechanism: Mechanism, key: Buffer): void;
  C_Decrypt(session: Buffer, sealed: Buffer, out: Buffer): Buffer;
  C_GetSessionInfo(session: Buffer): unknown;
};

export type Pkcs11Options = {
  readonly binding: Pkcs11Binding;
  /** The module of the device's maker, a shared library. */
  readonly module: string;
  /** Label of the token. */
  readonly token: string;
  readonly pin: string;
  readonly environment: 'sandbox' | 'production';
  readonly chance: Chance;
};

// PKCS#11 2.40, the numbers of its header file
const CKF_RW_SESSION = 2;
const CKF_SERIAL_SESSION = 4;
const CKU_USER = 1;
const CKO_SECRET_KEY = 4;
const CKK_AES = 0x1f;
const CKM_AES_KEY_GEN = 0x1080;
const CKM_AES_GCM = 0x1087;
const CKA = {
  CLASS: 0,
  TOKEN: 1,
  PRIVATE: 2,
  LABEL: 3,
  KEY_TYPE: 0x100,
  ID: 0x102,
  SENSITIVE: 0x103,
  ENCRYPT: 0x104,
  DECRYPT: 0x105,
  VALUE_LEN: 0x161,
  EXTRACTABLE: 0x162,
};
/** How pkcs11js names the parameters of this mechanism. */
const GCM_PARAMETERS = 7;
const MOST_KEYS = 100;
const NONCE = 12;
const TAG = 16;

/** Opens the token. StartError: no such token, a wrong PIN, or in production no key of this environment. */
export function pkcs11Provider(options: Pkcs11Options): KeyProvider {
  const { binding } = options;
  try {
    binding.load(options.module);
    binding.C_Initialize();
  } catch (error) {
    throw new StartError(`The PKCS#11 module ${options.module} cannot be used: ${String(error)}`);
  }
  const close = () => {
    finalize(binding);
    binding.close();
  };
  try {
    return providerOf(new Token(options), options, close);
  } catch (error) {
    close();
    throw error;
  }
}

function providerOf(token: Token, { binding, chance, environment }: Pkcs11Options, close: () => void): KeyProvider {
  if (token.refs().length === 0) {
    if (environment === 'production')
      throw new StartError(
        `The token has no key with the label ${token.label}. Make one, of 256 bits for AES, with the tools of the device first.`,
      );
    token.make();
  }
  return {
    name: 'pkcs11',
    newest: () => token.refs().toSorted().at(-1) ?? '',
    knows: async (ref) => token.refs().includes(ref),
    wrap: async (plain, aad, ref) => {
      const nonce = chance.bytes(NONCE);
      const key = token.get(ref);
      return token.reached((session) => {
        binding.C_EncryptInit(session, gcm(nonce, aad), key);
        const sealed = binding.C_Encrypt(session, Buffer.from(plain), Buffer.alloc(plain.length + TAG));
        return Buffer.concat([nonce, sealed]);
      });
    },
    unwrap: async (wrapped, aad, ref) => {
      const key = token.get(ref);
      if (wrapped.length < NONCE + TAG) throw new Error('a wrapped key that was cut off');
      const opened = token.reached((session) => {
        try {
          binding.C_DecryptInit(session, gcm(wrapped.subarray(0, NONCE), aad), key);
          return binding.C_Decrypt(session, Buffer.from(wrapped.subarray(NONCE)), Buffer.alloc(wrapped.length));
        } catch (error) {
          // a device that is gone is a sealed vault, not a changed record
          binding.C_GetSessionInfo(session);
          return { error };
        }
      });
      if ('error' in opened) throw opened.error;
      return opened;
    },
    make: async () => token.make(),
    destroy: async (ref) => {
      for (const key of token.find(ref)) token.reached((session) => binding.C_DestroyObject(session, key));
    },
    close,
  };
}

/**
 * The keys of one environment in a token. A reference is `pkcs11:LABEL:ID`; ids begin with their moment, so later ones
 * sort later.
 */
class Token {
  readonly label: string;
  private readonly options: Pkcs11Options;
  /** Undefined: the device failed, and the next call opens another one. */
  private session: Buffer | undefined;
  /** Why the PIN is not tried again: a device counts wrong ones, and locks itself. */
  private refused: string | undefined;

  constructor(options: Pkcs11Options) {
    this.options = options;
    this.label = `florin-${options.environment}`;
    this.session = openSession(options);
  }

  /** What the device does not do, whatever it says of it, was not done: the vault is sealed until it is back. */
  reached<T>(work: (session: Buffer) => T): T {
    try {
      this.session ??= this.reopen();
      return work(this.session);
    } catch (error) {
      this.session = undefined;
      throw new KeysSealed(`the token did not answer: ${String(error)}`);
    }
  }

  /** A module may know nothing of a device that came back until it begins anew; no session outlasts that. */
  private reopen(): Buffer {
    if (this.refused !== undefined) throw new Error(this.refused);
    const { binding } = this.options;
    finalize(binding);
    binding.C_Initialize();
    try {
      return openSession(this.options);
    } catch (error) {
      if (error instanceof PinRefused) this.refused = error.message;
      throw error;
    }
  }

  refs(): readonly string[] {
    const { binding } = this.options;
    return this.search([]).flatMap((object) => {
      const [id] = this.reached((session) => binding.C_GetAttributeValue(session, object, [{ type: CKA.ID }]));
      return Buffer.isBuffer(id?.value) ? `pkcs11:${this.label}:${id.value.toString('hex')}` : [];
    });
  }

  find(ref: string): readonly Buffer[] {
    const prefix = `pkcs11:${this.label}:`;
    if (!ref.startsWith(prefix)) return [];
    return this.search([{ type: CKA.ID, value: Buffer.from(ref.slice(prefix.length), 'hex') }]);
  }

  get(ref: string): Buffer {
    const [key] = this.find(ref);
    if (!key) throw new KeysSealed(`the key ${ref} is not in the token`);
    return key;
  }

  make(): string {
    const { binding, chance } = this.options;
    const id = chance.id();
    const template = keyTemplate(this.label, id);
    this.reached((session) => binding.C_GenerateKey(session, { mechanism: CKM_AES_KEY_GEN }, template));
    return `pkcs11:${this.label}:${id}`;
  }

  private search(more: readonly Attribute[]): readonly Buffer[] {
    const { binding } = this.options;
    const own: Attribute[] = [
      { type: CKA.CLASS, value: CKO_SECRET_KEY },
      { type: CKA.LABEL, value: this.label },
    ];
    return this.reached((session) => {
      binding.C_FindObjectsInit(session, [...own, ...more]);
      const found = binding.C_FindObjects(session, MOST_KEYS);
      binding.C_FindObjectsFinal(session);
      return found;
    });
  }
}

function finalize(binding: Pkcs11Binding): void {
  try {
    binding.C_Finalize();
  } catch {
    // it has ended by itself
  }
}

/** The device was reached, and does not take the PIN. */
class PinRefused extends StartError {}
/** What a device says that is gone, or not yet ready. */
const NOT_REACHED = /CKR_(?:DEVICE|TOKEN|SESSION|CRYPTOKI|GENERAL_ERROR|FUNCTION_FAILED)/;

function openSession({ binding, token, pin }: Pkcs11Options): Buffer {
  const slot = binding.C_GetSlotList(true).find((one) => binding.C_GetTokenInfo(one).label.trim() === token);
  if (!slot) throw new StartError(`The PKCS#11 module has no token with the label ${token}.`);
  const session = binding.C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION);
  try {
    binding.C_Login(session, CKU_USER, pin);
  } catch (error) {
    const says = `The PIN does not open the token ${token}: ${String(error)}`;
    throw NOT_REACHED.test(String(error)) ? new StartError(says) : new PinRefused(says);
  }
  return session;
}

/** A key that stays in the device: sensitive, and not extractable. */
function keyTemplate(label: string, id: string): Attribute[] {
  return [
    { type: CKA.CLASS, value: CKO_SECRET_KEY },
    { type: CKA.KEY_TYPE, value: CKK_AES },
    { type: CKA.VALUE_LEN, value: 32 },
    { type: CKA.LABEL, value: label },
    { type: CKA.ID, value: Buffer.from(id, 'hex') },
    ...[CKA.TOKEN, CKA.PRIVATE, CKA.SENSITIVE, CKA.ENCRYPT, CKA.DECRYPT].map((type) => ({ type, value: true })),
    { type: CKA.EXTRACTABLE, value: false },
  ];
}

function gcm(iv: Buffer, aad: string): Mechanism {
  const parameter = { type: GCM_PARAMETERS, iv: Buffer.from(iv), aad: Buffer.from(aad), ivBits: 96, tagBits: 128 };
  return { mechanism: CKM_AES_GCM, parameter };
}
