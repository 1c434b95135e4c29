// An authenticator in software, which can also do what none would: sign for another origin, go back with its counter,
// name another person.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { Seen } from './person.ts';

export type Lies = {
  readonly origin?: string;
  readonly rp_id?: string;
  readonly counter?: number;
  readonly user_handle?: string | null;
  readonly verified?: boolean;
  readonly type?: string;
};

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();

/** Bits of the standard: the person was there, was looked at, and a key is in it. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

export class Authenticator {
  readonly id = randomBytes(32);
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly origin: string;
  user_handle = '';

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Answers what is asked of a new key. */
  register(asked: Seen, lies: Lies = {}) {
    this.user_handle = asked.say('options.user.id');
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const cose = isoCBOR.encode(
      new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
    const head = this.head({ ...lies, with_key: true });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const auth_data = Buffer.concat([head, Buffer.alloc(16), length, this.id, cose]);
    const attestation = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(auth_data)],
      ]) as never,
    );
    return {
      ...this.frame(),
      response: {
        clientDataJSON: this.client(asked, { type: 'webauthn.create', ...lies }),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    };
  }

  /** Answers what is asked of a key that is registered. */
  sign(asked: Seen, lies: Lies = {}) {
    this.counter += 1;
    const client = this.client(asked, { type: 'webauthn.get', ...lies });
    const auth_data = this.head(lies);
    const signed = Buffer.concat([auth_data, sha256(Buffer.from(client, 'base64url'))]);
    const handle = lies.user_handle === undefined ? this.user_handle : lies.user_handle;
    return {
      ...this.frame(),
      response: {
        clientDataJSON: client,
        authenticatorData: base64url(auth_data),
        signature: base64url(sign('sha256', signed, this.keys.privateKey)),
        ...(handle !== null && { userHandle: handle }),
      },
    };
  }

  private frame() {
    const id = base64url(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  }

  private client(asked: Seen, { type, origin = this.origin }: Lies): string {
    const challenge = asked.say('options.challenge');
    return base64url(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })));
  }

  private head({
    rp_id = 'localhost',
    counter = this.counter,
    verified = true,
    ...more
  }: Lies & { with_key?: boolean }) {
    const tail = Buffer.alloc(5);
    tail[0] = PRESENT | (verified ? VERIFIED : 0) | (more.with_key ? WITH_KEY : 0);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rp_id), tail]);
  }
}
