// Public files of {vault_url}: logos of the payment methods and partner marks (contract 5.1). An operator
// who wants other files, such as a scheme's own artwork, puts them by the same names into a folder of the deployment,
// and those win.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PublicAnswer, PublicFile } from '../../kit/http/public.ts';
import type { Log } from '../../kit/log.ts';
import { refuseUnsafeSvg } from './svg.ts';

const OURS = new URL('../../../web/logos/files/', import.meta.url);
const MAX_LOGO_BYTES = 500_000;

const HEADERS = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

/** `own_folder`: the operator's logos; read once, at the start. */
export function logoPaths(own_folder: string, log: Log): readonly PublicFile[] {
  const files = new Map<string, () => Buffer>();
  for (const name of readdirSync(OURS)) files.set(name, () => readFileSync(new URL(encodeURIComponent(name), OURS)));
  for (const [name, bytes] of ownLogos(own_folder, log)) files.set(name, () => bytes);
  const answer = ({ file = '' }: Readonly<Record<string, string>>): PublicAnswer | undefined => {
    const read = files.get(file);
    return (
      read && {
        headers: { ...HEADERS, 'content-type': file.endsWith('.svg') ? 'image/svg+xml' : 'image/png' },
        body: read(),
      }
    );
  };
  return ['logo', 'partners'].map((folder) => ({ path: `/image/${folder}/:file`, answer }));
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** The operator's own logos that may be served: drawings without script or outside references, and real PNG files. */
function ownLogos(folder: string, log: Log): ReadonlyMap<string, Buffer> {
  const logos = new Map<string, Buffer>();
  if (!existsSync(folder)) return logos;
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    const refused = refusal(name, bytes);
    if (refused === undefined) logos.set(name, bytes);
    else log.warn({ file: name, because: refused }, 'a logo of the operator is not served');
  }
  return logos;
}

function refusal(name: string, bytes: Buffer): string | undefined {
  if (bytes.length > MAX_LOGO_BYTES) return `it is larger than ${MAX_LOGO_BYTES} bytes`;
  if (name.endsWith('.svg')) return refuseUnsafeSvg(bytes.toString('utf8'));
  if (name.endsWith('.png')) return bytes.subarray(0, 8).equals(PNG) ? undefined : 'it is no PNG file';
  return 'only .svg and .png files are served';
}
