// The doctor's checks of Google Pay on the hosted page, on the vault's host: the frame as browsers get it at its own
// host name, that this name serves nothing else, and what each account has and lacks. The doctor sends Google no
// request.
import type { Clock } from '../../kit/clock.ts';
import type { Config } from '../../settings/config.ts';
import { findCredentialsOf } from '../../vault/contracts/contracts.ts';
import { GOOGLE_FRAME_PATH, framePolicy, googleFrameOf } from '../../vault/wallet/google/frame.ts';
import { type GoogleTools, googleOf } from '../../vault/wallet/google/offer.ts';
import { readWalletRoots, walletContract } from '../../vault/wallet/recipients.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { askOwn, lookAtWalletAccounts } from './wallet-accounts.ts';

/** Reports nothing if neither an account nor the deployment uses Google Pay. */
export async function lookAtGooglePay(config: Config, clock: Clock): Promise<readonly Finding[]> {
  const accounts = lookAtWalletAccounts({ config, clock, destination: 'google_pay' }, async (opened, found) => {
    const tools = { ...opened, wallet_roots: readWalletRoots(config), google_frame: googleFrameOf(config) };
    return (await Promise.all(found.map((account) => lookAtAccount(tools, account)))).flat();
  });
  return [...(await lookAtFrame(config)), ...(await accounts)];
}

const FRAME = 'Google Pay: frame';
/** A path that the vault's own host name serves; the frame's host name must not serve it. */
const ELSEWHERE = '/scripts.json';

async function lookAtFrame(config: Config): Promise<readonly Finding[]> {
  const frame = googleFrameOf(config);
  const { vault_url } = config;
  if (!frame || !URL.canParse(vault_url)) return [];
  const [served, more] = await Promise.all([GOOGLE_FRAME_PATH, ELSEWHERE].map((path) => askOwn(frame.origin, path)));
  if (!served || !more)
    return [
      warning(
        FRAME,
        `${frame.origin} does not answer`,
        'Start florin vault; the name must lead to it, and be in its certificate.',
      ),
    ];
  const policy = framePolicy(frame, new URL(vault_url).origin);
  if (served.status !== 200 || served.headers?.['content-security-policy'] !== policy)
    return [
      problem(
        FRAME,
        `is not what ${frame.origin}${GOOGLE_FRAME_PATH} answers`,
        'Start the vault again; a proxy before it must hand on the name that was asked for, and every header.',
      ),
    ];
  if (more.status !== 404)
    return [
      problem(
        FRAME,
        `${frame.origin} serves more than the frame`,
        'It must lead to the vault under its own name: Google’s script runs there.',
      ),
    ];
  return [ok(FRAME, `is served by ${frame.origin}, and nothing else is`)];
}

/** An account without a country sends payloads from its own page, and lacks nothing. */
async function lookAtAccount(tools: GoogleTools, account: string): Promise<readonly Finding[]> {
  const check = `Google Pay of ${account}`;
  const { country } = await findCredentialsOf(tools, walletContract(account, 'google_pay'));
  if (country === undefined)
    return [ok(check, 'payloads are taken; it is not on the hosted page, as no country is set')];
  const { offer, lacks } = await googleOf(tools, account);
  if (!offer) return lacks.map(({ says, fix }) => problem(check, `is not shown: ${says}`, fix));
  return [ok(check, `merchant ${offer.merchant_id}: what the hosted page needs is there`)];
}
