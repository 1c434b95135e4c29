// The files that the vault serves to browsers for the card form (contract 1.2, 12): script, style sheet, field frame,
// and the manifest of all scripts. None needs a key; the frame looks at the key only to learn who may frame it.
import { gzipSync } from 'node:zlib';
import { HOUR_S } from '../../core/durations.ts';
import { isPageKeyId } from '../../core/ids.ts';
import { KEY_TEXT } from '../../core/keys/limits.ts';
import { sha256 } from '../../kit/crypto.ts';
import { CLOSED_FEATURES } from '../../kit/http/page.ts';
import type { PublicAnswer, PublicPath } from '../../kit/http/public.ts';
import type { VaultCaller } from '../keys/callers.ts';
import { type Asset, type Assets, type Bundles, makeAssets } from './assets.ts';
import { type FramePlace, frameDocument, framePolicy } from './frame.ts';
import { type Beside, type PageScript, manifest } from './manifest.ts';

export type ElementOptions = {
  readonly bundles: Bundles;
  readonly brand: string;
  readonly environment: 'sandbox' | 'production';
  readonly addresses: { readonly vault_url: string };
  /** Other scripts on a payment page of this host. */
  readonly page_scripts: readonly PageScript[];
  /** A third party's scripts on this host, in frames by themselves. */
  readonly beside: Beside;
  identify(digest: string): Promise<VaultCaller | undefined>;
};

const YEAR_S = 31_536_000;

export function elementPaths(options: ElementOptions): readonly PublicPath[] {
  const { brand, environment, addresses } = options;
  // made at the first look: the vault's own address is known by then
  let made: Assets | undefined;
  const frames = new Frames();
  const assets = () => (made ??= makeAssets(options.bundles, { brand, environment, vault_url: addresses.vault_url }));
  const files = new Map<string, () => PublicFile>([
    [`javascript/${brand}-client.min.js`, () => ({ asset: assets().script, type: 'text/javascript' })],
    [`javascript/${brand}-client.js`, () => ({ asset: assets().script, type: 'text/javascript' })],
    [`stylesheet/${brand}-client.min.css`, () => ({ asset: assets().style, type: 'text/css' })],
  ]);
  const versioned = ['javascript', 'stylesheet'].map((folder) => ({
    path: `/${folder}/:version/:file`,
    answer: ({ version = '', file = '' }: Readonly<Record<string, string>>) => {
      const found = files.get(`${folder}/${file}`);
      return found && version.length >= 1 && version.length <= 32 ? fileAnswer(found(), version) : undefined;
    },
  }));
  return [
    ...versioned,
    {
      path: '/fields/:language/:key',
      answer: async ({ language = '', key = '' }) => {
        if (!assets().texts.has(language)) return undefined;
        // a text of another form is not looked up
        const caller = KEY_TEXT.form.test(key) ? await options.identify(sha256(key)) : undefined;
        const place = { language, key: key === '-' ? '' : key, is_private: caller?.kind === 'private' };
        return frames.answer(assets(), place, ancestorsFor(caller, environment));
      },
    },
    { path: '/scripts.json', answer: () => manifest(assets(), options) },
  ];
}

type PublicFile = { readonly asset: Asset; readonly type: string };

/**
 * A name without a hash is looked up again after an hour; below the first 32 hex of its own hash a file may be kept for
 * a year, as it can never be another one.
 */
function fileAnswer({ asset, type }: PublicFile, version: string): PublicAnswer {
  const fixed = version === asset.hash.slice(0, 32);
  return {
    headers: {
      ...FOR_EVERY_PAGE,
      'content-type': `${type}; charset=utf-8`,
      'cache-control': fixed ? `public, max-age=${YEAR_S}, immutable` : `public, max-age=${HOUR_S}`,
      etag: `"${asset.hash.slice(0, 32)}"`,
    },
    body: asset.body,
    gzip: asset.gzip,
  };
}

const FOR_EVERY_PAGE = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * The origins that may frame the fields of a key besides this vault: those that its account registered, else any
 * (contract 1.3, 12.2). The key of the hosted pages, which every payer can see, is for our own pages alone. With an
 * unknown key any origin may: nothing can be tokenized with it.
 */
function ancestorsFor(caller: VaultCaller | undefined, environment: string): readonly string[] {
  if (caller && isPageKeyId(caller.key_id)) return [];
  const registered = caller?.registered_origins ?? [];
  if (registered.length > 0) return registered;
  return environment === 'sandbox' ? ['https:', 'http:'] : ['https:'];
}

/**
 * Frames as they were served last: making and compressing one takes a millisecond that a stranger could ask for often.
 */
class Frames {
  private readonly made = new Map<string, PublicAnswer>();

  answer(assets: Assets, place: FramePlace, ancestors: readonly string[]): PublicAnswer {
    const name = JSON.stringify([place, ancestors]);
    const known = this.made.get(name);
    if (known) return known;
    const answer = frameAnswer(assets, place, ancestors);
    if (this.made.size >= MOST_FRAMES) this.made.delete(this.made.keys().next().value ?? '');
    this.made.set(name, answer);
    return answer;
  }
}

const MOST_FRAMES = 200;

function frameAnswer(assets: Assets, place: FramePlace, ancestors: readonly string[]): PublicAnswer {
  const body = Buffer.from(frameDocument(assets, place));
  const policy = framePolicy(assets, ancestors);
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cross-origin-resource-policy': 'cross-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'origin-agent-cluster': '?1',
      'permissions-policy': CLOSED_FEATURES,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      // asked for again each time, as the origins may have changed; answered 304 when nothing has
      'cache-control': 'private, no-cache',
      etag: `"${sha256(Buffer.concat([body, Buffer.from(policy)])).slice(0, 32)}"`,
    },
    body,
    gzip: gzipSync(body),
  };
}
