// The product, broken on purpose. A patch that no longer fits ends the gate: then its mutant is to be written anew.
import type { FaultPlan } from '../faults.ts';
import type { VendorTrouble } from '../vendors/vendors.ts';
import type { StoryName } from '../stories.ts';
import type { Patch } from '../patch.ts';
import { AUTHORIZATION_MUTANTS } from './authorization.ts';
import { COMMIT_MUTANTS } from './commit.ts';
import { CONTRADICTION_MUTANTS } from './contradiction.ts';
import { GUARD_MUTANTS } from './guard.ts';
import { MONEY_MUTANTS } from './money.ts';
import { NOTIFIED_MUTANTS } from './notified.ts';
import { TRIES_MUTANTS } from './tries.ts';

export type Mutant = {
  readonly name: string;
  readonly says: string;
  readonly patches: readonly Patch[];
  /** `held_by`: the constraints or triggers of which one must refuse it, and then the books are right. */
  readonly expect: 'caught' | { readonly held_by: readonly string[] };
  /** The words that the violation must have, if a slow machine alone may cause another one. */
  readonly as?: RegExp;
  /** How its run differs: what brings it to light quickest. */
  readonly stories?: readonly StoryName[];
  readonly deadline_s?: number;
  /** With routing rules in force. */
  readonly routed?: true;
  /** With the real providers behind it. */
  readonly vendors?: VendorTrouble;
  readonly faults?: Partial<FaultPlan>;
  /** Kill points to arm, one a start. */
  readonly points?: readonly string[];
};

export const MUTANTS: readonly Mutant[] = [
  ...AUTHORIZATION_MUTANTS,
  ...COMMIT_MUTANTS,
  ...CONTRADICTION_MUTANTS,
  ...GUARD_MUTANTS,
  ...MONEY_MUTANTS,
  ...NOTIFIED_MUTANTS,
  ...TRIES_MUTANTS,
];
