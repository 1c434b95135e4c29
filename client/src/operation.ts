// What has become of a capture, a refund or a cancel.
import { type CodeName, FlorinRefusal, nameOfCode } from './errors.ts';
import type { Answered, RepeatOptions, Unknown } from './send/send.ts';
import { recordOf } from './send/read.ts';

type Repeatable<Answer> = {
  readonly idempotency_key: string;
  /** The same request under the same key: has no second effect, and answers what is known by then. */
  repeat(options?: RepeatOptions): Promise<OperationOutcome<Answer>>;
};

/** The provider did it. */
export type Done<Answer> = { readonly kind: 'done'; readonly code: string; readonly answer: Answer };
/** The provider refused it: nothing moved. */
export type NotDone = {
  readonly kind: 'declined';
  readonly code: string;
  readonly reason: CodeName;
  readonly refusal: FlorinRefusal;
};
/** Not decided yet. Do not ask for it a second time but by `repeat`. */
export type Undecided<Answer> = Repeatable<Answer> & {
  readonly kind: 'pending';
  readonly code: string;
  readonly answer: Answer;
};
/** No answer came, or one that this version of the client does not know: it may have been done. */
export type Doubtful<Answer> = Repeatable<Answer> & {
  readonly kind: 'in_doubt';
  readonly answer: Answer | undefined;
  readonly cause: unknown;
};

export type OperationOutcome<Answer> = Done<Answer> | NotDone | Undecided<Answer> | Doubtful<Answer>;

const DONE = ['955555', '9555555', '966666', '977777'];
const PENDING = ['521080', '621080', '721080'];

type Again = { readonly idempotency_key: string; readonly how: RepeatOptions | undefined };

/** A refusal of our own (amount, state, fields) is thrown on; what the provider declined is an outcome. */
export async function operationOutcome<Answer>(
  ask: (again?: Again) => Promise<Answered | Unknown>,
): Promise<OperationOutcome<Answer>> {
  let said: Answered | Unknown;
  try {
    said = await ask();
  } catch (error) {
    if (!(error instanceof FlorinRefusal) || error.slug !== 'provider-declined') throw error;
    return { kind: 'declined', code: error.code, reason: error.reason, refusal: error };
  }
  const { idempotency_key } = said;
  const repeat = (how?: RepeatOptions) => operationOutcome<Answer>(() => ask({ idempotency_key, how }));
  const again = { idempotency_key, repeat };
  if (said.kind === 'unknown') return { kind: 'in_doubt', answer: undefined, cause: said.cause, ...again };
  const code = String(recordOf(said.body['result'])['code']);
  const answer = said.body as Answer;
  if (DONE.includes(code)) return { kind: 'done', code, answer };
  if (PENDING.includes(code)) return { kind: 'pending', code, answer, ...again };
  return { kind: 'in_doubt', answer, cause: new Error(`result code ${nameOfCode(code)} is not known here`), ...again };
}
