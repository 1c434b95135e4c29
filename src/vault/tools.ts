// The tools that the card zone works with: made once where a process starts, and the first argument everywhere.
import type { PaymentLink } from '../core/link/verbs.ts';
import type { Chance, ClockWatch, DeploymentClock } from '../kit/clock.ts';
import type { KillPoint } from '../core/kill-points.ts';
import type { Crash } from '../kit/crash.ts';
import type { Database } from '../kit/database.ts';
import type { Counts } from '../kit/http/counts.ts';
import type { Addresses } from '../kit/http/host.ts';
import type { Log } from '../kit/log.ts';
import type { Destinations } from '../provider/send/destinations.ts';
import type { FreshCache } from '../kit/cache.ts';
import type { Answers } from './forward/answers.ts';
import type { Auditor } from './audit/audit.ts';
import type { Numbers } from './card/numbers.ts';
import type { Cvcs } from './card/cvcs.ts';
import type { DataKeys } from './keys/keys.ts';
import type { Sweeps } from './card/sweeps.ts';
import type { GoogleFrame } from './wallet/google/frame.ts';
import type { WalletRoots } from './wallet/recipients.ts';

export type VaultTools = {
  readonly db: Database;
  /** For the only update that may be lost in a crash: that costs an inquiry, nothing else. */
  readonly relaxed_db: Database;
  readonly keys: DataKeys;
  readonly cvcs: Cvcs;
  readonly audit: Auditor;
  readonly answers: Answers;
  readonly destinations: Destinations;
  /** Credentials of contracts with providers, for a moment (contracts/contracts.ts). */
  readonly contracts: FreshCache<Readonly<Record<string, string>>>;
  /** The money zone, as far as the vault speaks to it. */
  readonly payment: PaymentLink;
  readonly crash: Crash<KillPoint>;
  readonly clock: DeploymentClock;
  /** The database's clock beside that of this process. */
  readonly database_clock: ClockWatch;
  readonly chance: Chance;
  readonly log: Log;
  readonly environment: 'sandbox' | 'production';
  readonly numbers: Numbers;
  readonly sweeps: Sweeps;
  /** Limits that hold for all processes. */
  readonly counts: Counts;
  readonly tokens_per_minute: number;
  readonly server_ips: ReadonlySet<string>;
  readonly addresses: Addresses;
  /** The root certificates and keys of the wallets' signatures. */
  readonly wallet_roots: WalletRoots;
  /** With which Apple finds that the vault's host is the merchant's; undefined: the settings name no such file. */
  readonly association: Buffer | undefined;
  /** The frame in which Google's script runs; undefined: nowhere in this deployment. */
  readonly google_frame: GoogleFrame | undefined;
};
