// Wire: the disputes desk.
import type { Page, Sum } from '../wire.ts';
import type { DisputeState } from './doubt.ts';

/**
 * needs_answer: open, without an answer; late: its day is over, the provider may still take an answer; sending: on its
 * way; answered: the bank decides; accepted: given in, the end is still to come.
 */
export type DisputeStage = 'needs_answer' | 'late' | 'sending' | 'answered' | 'accepted' | 'won' | 'lost';

export type DisputeRow = {
  readonly id: string;
  readonly order_id: string;
  readonly order_merchant_id: string;
  readonly provider: string;
  readonly state: DisputeState;
  readonly stage: DisputeStage;
  readonly amount_minor: number;
  readonly currency: string;
  readonly reason: string;
  readonly reason_code: string;
  /** The reason in words. */
  readonly title: string;
  readonly opened_at: string;
  readonly due_at: string | null;
  /** True: we worked the date out, because the provider gave none. */
  readonly due_reckoned: boolean;
};
export type DisputePage = Page & { readonly disputes: readonly DisputeRow[] };

/** The disputes that wait for an answer. */
export type DisputesDue = {
  readonly due: readonly {
    readonly currency: string;
    readonly count: number;
    readonly amount_minor: Sum;
    readonly next_due_at: string;
  }[];
};

export type EvidenceText = {
  readonly field: string;
  readonly label: string;
  readonly help: string;
  readonly text: string;
  /** A text from facts that are known here, and where it comes from; null: none. */
  readonly known: { readonly text: string; readonly from: string } | null;
  /** Asked for by this kind of reason; others can be added. */
  readonly asked: boolean;
};
export type EvidenceFile = {
  readonly field: string;
  readonly label: string;
  readonly help: string;
  readonly asked: boolean;
  readonly file: {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly size: number;
    readonly sha256: string;
    readonly added_at: string;
    readonly added_by: string;
    /** The file's bytes are still stored; long after the end they are not. */
    readonly kept: boolean;
  } | null;
};
export type DisputeAnswer = {
  readonly id: string;
  readonly kind: 'submit' | 'accept';
  readonly state: 'requested' | 'in_doubt' | 'taken' | 'refused';
  readonly note: string;
  readonly requested_by: string;
  readonly reason: string;
  readonly created_at: string;
  readonly ended_at: string | null;
};

export type DisputeDetail = DisputeRow & {
  /** What the payer claims, and the evidence that usually wins. */
  readonly claim: string;
  readonly wins: string;
  readonly reference: string | null;
  readonly capture_id: string;
  /** As of its order (MoneyBox). */
  readonly back_twice_minor: number;
  /** Another one of the same capture came before, from 1. */
  readonly round: number;
  readonly updated_at: string;
  readonly answered_at: string | null;
  readonly answered_as: 'submitted' | 'accepted' | 'elsewhere' | null;
  /** The dispute can be answered from here; else `answer_at` says where. */
  readonly sends: boolean;
  readonly provider_name: string;
  readonly answer_at: string;
  /** Texts and files may be changed. */
  readonly open: boolean;
  readonly most_file_bytes: number;
  readonly texts: readonly EvidenceText[];
  readonly files: readonly EvidenceFile[];
  readonly answers: readonly DisputeAnswer[];
};

/** The texts by field; an empty text removes the one before. `was`: of the same fields what the person saw. */
export type EvidenceForm = {
  readonly texts: Readonly<Record<string, string>>;
  readonly was: Readonly<Record<string, string>>;
};
/** `content`: base64 of at most 5 MB; `was`: the id of the file that the person saw there, or `none`. */
export type EvidenceFileForm = {
  readonly field: string;
  readonly name: string;
  readonly content: string;
  readonly was: string;
};
