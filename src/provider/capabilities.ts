// What a provider can do, and what a contract with it needs, as data. Routing, maintenance and recovery ask these
// tables; no code asks for a provider's name.
import type { OperationKind } from './contract.ts';

/**
 * What a connection held when we gave it up, the system goes on sending: Linux for 102 s, with the settings it comes
 * with (decision 166). With the 3 s that a call may leave late, and the 8 s that it may wait for its connection
 * (decision 173).
 */
export const STILL_SENT_S = 113;

export type Capabilities = {
  readonly captures: 'none' | 'one' | 'many';
  /** What happens to the rest of a hold after its only capture, or after the capture that is said to be the last. */
  readonly rest_after_last_capture: 'released' | 'stays';
  /**
   * How an operation of each kind ends: by the answer to its call, by a later message (the answer only accepts it), or
   * by either.
   */
  readonly ends: Readonly<Record<'capture' | 'refund' | 'cancel' | 'reversal', 'answer' | 'notice' | 'either'>>;
  /** The kinds of operation that can be asked about. */
  readonly inquiry: readonly Exclude<OperationKind, 'inquiry'>[];
  /**
   * How an authorization can be undone: by closing its shell, which takes no money from then on; by our reference; or
   * not at all.
   */
  readonly reversal: 'by_shell' | 'by_own_reference' | 'none';
  /**
   * `one_call`: authorization and capture in one call; a sale in doubt is undone by a reversal, which also gives back
   * what was captured. `hold_then_capture`: the provider has no sale in one call; the core holds, and captures by an
   * operation of its own.
   */
  readonly sale: 'one_call' | 'hold_then_capture';
  /** For how many hours a repeat under the same key is recognised; 0: never. */
  readonly key_kept_h: number;
  readonly three_ds: readonly ('redirect' | 'data')[];
  /** Does the provider have a field for these two: the chosen scheme, and an exemption? If not, it is not told. */
  readonly scheme_choice: boolean;
  readonly exemptions: boolean;
  readonly psp_token: boolean;
  /** The provider takes a network token with its cryptogram. */
  readonly network_token: boolean;
  /**
   * Each message has a number and a time. The core sets both with an operation's first step, as kept `trace` and
   * `trace_at`, and they stay. From the second sending on, the core also sets `repeat`; its value means nothing.
   */
  readonly traces: boolean;
  /** How long we wait for an answer. */
  readonly answer_deadline_s: number;
  /**
   * The in-flight time: after it no call that was sent can still have an effect. A bank in reach of a network needs
   * STILL_SENT_S, and the time to do what has come.
   */
  readonly in_flight_s: number;
  /** How long we wait for a message before an unknown authorization is undone. */
  readonly notice_wait_s: number;
};

/** A credential of a merchant's contract with a provider. */
export type Credential = {
  /** A name as core/ids.ts allows it. */
  readonly name: string;
  readonly required: boolean;
  /**
   * `send`: goes into slots and headers, sealed in the vault. `check`: proves messages; two values are valid while one
   * replaces the other.
   */
  readonly use: 'send' | 'check';
  /**
   * Says in the message itself whose money it is, where the provider takes the same message under another one for
   * another message: an operation goes on under the one with which it began.
   */
  readonly owner?: true;
  /** The help text beside the field in the back office. */
  readonly help: string;
};
