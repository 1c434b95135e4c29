// What a provider can do and what a contract with it needs, as data: routing, maintenance and recovery ask here, and
// nothing asks for a name.
import type { OperationKind } from './contract.ts';

export type Capabilities = {
  readonly captures: 'none' | 'one' | 'many';
  /** What is left of a hold after its only capture, or after the one that is said to be the last. */
  readonly rest_after_last_capture: 'released' | 'stays';
  /** Is an answer the end of it, or only taken, with the truth to come by a message? */
  readonly ends: Readonly<Record<'capture' | 'refund' | 'cancel' | 'reversal', 'answer' | 'notice' | 'either'>>;
  /** Which operations can be asked about. */
  readonly inquiry: readonly Exclude<OperationKind, 'inquiry'>[];
  /**
   * Can what is held be undone: by closing its shell, which takes no money from then on, by what we find of ours, or
   * not at all?
   */
  readonly reversal: 'by_shell' | 'by_own_reference' | 'none';
  /**
   * `one_call`: a sale in doubt is undone by a reversal, which gives back what was captured, too. `hold_then_capture`:
   * there is no sale here; the core holds, and captures by an operation of its own.
   */
  readonly sale: 'one_call' | 'hold_then_capture';
  /** Hours that a repeat under the same key is known for; 0: nothing is deduplicated. */
  readonly key_kept_h: number;
  readonly three_ds: readonly ('redirect' | 'data')[];
  /** Has it a place for these two, the scheme that is paid by and an exemption? Where not, it is not told. */
  readonly scheme_choice: boolean;
  readonly exemptions: boolean;
  readonly psp_token: boolean;
  /** Takes a network token with its cryptogram. */
  readonly network_token: boolean;
  /**
   * Each message has a number and a time: the core gives both, fixed with an operation's first step, as kept `trace`
   * and `trace_at`; and `repeat`, whatever it holds, from the second sending on.
   */
  readonly traces: boolean;
  /** Waited for an answer. */
  readonly answer_deadline_s: number;
  /** After this long nothing that was sent can still take effect. */
  readonly in_flight_s: number;
  /** How long a message is waited for before what is unknown is undone. */
  readonly notice_wait_s: number;
};

/** A credential of a merchant's contract with a provider. */
export type Credential = {
  /** As core/ids.ts says. */
  readonly name: string;
  readonly required: boolean;
  /**
   * `send`: goes into slots and headers, sealed in the vault. `check`: proves messages; two values are valid while one
   * replaces the other.
   */
  readonly use: 'send' | 'check';
  /** Beside its field in the back office. */
  readonly help: string;
};
