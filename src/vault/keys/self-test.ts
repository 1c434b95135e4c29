// Self-tests before the first card is sealed: known answers of every primitive, and cases that must be refused.
import { createCipheriv } from 'node:crypto';
import { deriveKey, hmac, open, seal, sha256 } from '../../kit/crypto.ts';

const hex = (text: string) => Buffer.from(text, 'hex');

/** NIST's test case 16 for AES-256-GCM (McGrew and Viega, appendix B). */
const GCM = {
  key: hex('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308'),
  nonce: hex('cafebabefacedbaddecaf888'),
  aad: hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'),
  plain: hex(
    'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
  ),
  sealed:
    '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b',
};

function opens(sealed: Buffer, aad: string): boolean {
  try {
    open(sealed, { key: GCM.key, aad });
    return true;
  } catch {
    return false;
  }
}

const TESTS: Readonly<Record<string, () => boolean>> = {
  'AES-256-GCM known answer': () => {
    const cipher = createCipheriv('aes-256-gcm', GCM.key, GCM.nonce).setAAD(GCM.aad);
    return (
      Buffer.concat([cipher.update(GCM.plain), cipher.final(), cipher.getAuthTag()]).toString('hex') === GCM.sealed
    );
  },
  'seal and open': () => {
    const sealed = seal(GCM.plain, GCM.nonce, { key: GCM.key, aad: 'here' });
    return open(sealed, { key: GCM.key, aad: 'here' }).equals(GCM.plain);
  },
  'tampered associated data refused': () => !opens(seal(GCM.plain, GCM.nonce, { key: GCM.key, aad: 'here' }), 'there'),
  'tampered ciphertext refused': () => {
    const sealed = seal(GCM.plain, GCM.nonce, { key: GCM.key, aad: 'here' });
    sealed[20] = (sealed[20] ?? 0) ^ 1;
    return !opens(sealed, 'here');
  },
  // RFC 4231, test case 2
  'HMAC-SHA-256 known answer': () =>
    hmac(Buffer.from('Jefe'), 'what do ya want for nothing?').toString('hex') ===
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  // FIPS 180-2, appendix B.1
  'SHA-256 known answer': () => sha256('abc') === 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  'derived keys differ by owner': () =>
    !deriveKey(GCM.key, 'one', 'fingerprint').equals(deriveKey(GCM.key, 'two', 'fingerprint')),
};

/** The name of the first test that failed; undefined: all passed. `environment` must be one there is. */
export function runSelfTests(environment: string, tests = TESTS): string | undefined {
  if (environment !== 'sandbox' && environment !== 'production') return 'environment';
  return Object.entries(tests).find(([, test]) => !passes(test))?.[0];
}

function passes(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}
