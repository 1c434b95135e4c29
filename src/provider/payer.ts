// The payer, and the evidence of an authorization beside card and amount (contract 7.1, 10.1).
import type { Proof } from './three-ds/contract.ts';

/** The evidence of an authorization beside card and amount (contract 7.1, 10.1). */
export type Evidence = {
  /** The card is a saved one. */
  readonly stored_card: boolean;
  /** The scheme's id of the first payment of the subscription that this one belongs to (contract 11). */
  readonly previous_reference?: string;
  readonly three_ds?: Proof;
  /** The data of an authentication that was made elsewhere, as the merchant gave them. */
  readonly three_ds_data?: Readonly<Record<string, string>>;
  readonly sca_exemption?: string;
};

/** The payer, where one is there to act. Absent: see `unseen_payer`. */
export type Payer = {
  /** An address of ours, to which the provider sends the payer back. */
  readonly return_url: string;
  readonly three_ds: 'ask' | 'force' | 'no';
  readonly ip?: string;
  readonly email?: string;
  readonly browser?: {
    readonly user_agent: string;
    readonly accept_header: string;
    readonly language: string;
    readonly screen_width: number;
    readonly screen_height: number;
    readonly color_depth: number;
    /** Minutes, positive west of UTC. */
    readonly time_zone_offset: number;
    readonly java_enabled: boolean;
    readonly javascript_enabled: boolean;
  };
};
