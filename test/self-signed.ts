// A certificate for localhost that signs itself, made by openssl.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Undefined: there is no openssl to make it. Both files are in the folder, as key.pem and cert.pem. */
export function selfSigned(folder: string): { readonly key: string; readonly cert: string } | undefined {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const named = ['-days', '2', '-subj', '/CN=localhost', '-keyout', key, '-out', cert];
  return spawnSync('openssl', ['req', '-x509', ...curve, ...named]).status === 0 ? { key, cert } : undefined;
}
