// Does an item of a message come from the sender that it names? The provider's folder says what must equal what; the
// secrets are those of the contract.
import { isOfNow, isSignedWith, keyOf } from '../../kit/proof/hmac.ts';
import type { SignatureRecipe } from '../../provider/notices.ts';
import { certificateHost } from '../../provider/send/certificate-host.ts';
import type { Tools } from '../tools.ts';

/** The secrets by name: every value that is valid now. */
export type Secrets = Readonly<Record<string, readonly string[]>>;

type Proving = Pick<Tools, 'clock' | 'certificates'>;

/** A proof to check, and the provider whose message it is. */
type Said = { readonly by: string; readonly proof: SignatureRecipe };

/** Is the message proved? Undefined: that is not known now, and the message should come again. */
export async function isProved(tools: Proving, { by, proof }: Said, secrets: Secrets): Promise<boolean | undefined> {
  if (proof.kind === 'hmac') return isHmac(tools, proof, secrets);
  return isUnderCertificate(tools, { ...proof, host: certificateHost(by, proof.host) }, secrets);
}

type Recipe<K extends SignatureRecipe['kind']> = Extract<SignatureRecipe, { readonly kind: K }>;

function isHmac({ clock }: Proving, recipe: Recipe<'hmac'>, secrets: Secrets): boolean {
  const { at_ms, tolerance_s } = recipe;
  if (at_ms !== undefined && !isOfNow(at_ms, tolerance_s ?? 0, momentsOf(clock))) return false;
  const keys = (secrets[recipe.secret] ?? []).flatMap((secret) => keyOf(secret, recipe.secret_form) ?? []);
  return isSignedWith(keys, recipe);
}

/**
 * In a sandbox whose clock was moved, the real time is right too: the simulated bank delivers in it, whatever moment
 * its message is about.
 */
function momentsOf(clock: Tools['clock']): readonly number[] {
  const now = clock.now().getTime();
  return [now, now - clock.shift_ms()];
}

async function isUnderCertificate(
  { certificates }: Proving,
  { url, host, over, given }: Recipe<'certificate'>,
  secrets: Secrets,
): Promise<boolean | undefined> {
  for (const text of textsOf(over, secrets)) {
    const proved = await certificates.isSignedUnder({ url, host, over: Buffer.from(text), given });
    if (proved !== false) return proved;
  }
  return false;
}

/** The signed texts: one for each value of the credential in them. */
function textsOf(over: Recipe<'certificate'>['over'], secrets: Secrets): readonly string[] {
  return over.reduce<readonly string[]>(
    (texts, part) => {
      const values = typeof part === 'string' ? [part] : (secrets[part.secret] ?? []);
      return texts.flatMap((text) => values.map((value) => text + value));
    },
    [''],
  );
}

/** The message names the account of this contract, where it names one. */
export function isOfContract(of: Readonly<Record<string, string>>, secrets: Secrets): boolean {
  return Object.entries(of).every(([name, text]) => secrets[name]?.includes(text) === true);
}
