// The ids by which PayPal and we know the same thing. PayPal repeats `custom_id` in everything that it says of an
// order. It accepts an `invoice_id` only once, so a capture of ours is done at most once, even if PayPal has forgotten
// its key.
import type { Refusable } from '../code-rows.ts';
import type { Facts, Kept } from '../contract.ts';

/** The operation itself, and what its steps left. */
export type Own = { readonly facts: Facts; readonly kept: Kept };

/** The order at PayPal, made before any money moves; what is authorized and captured under it has ids of its own. */
export const orderOf = ({ facts, kept }: Own): string =>
  kept['order'] ?? facts.about?.kept['order'] ?? facts.authorization_kept['order'] ?? facts.about?.reference ?? '';

/** The authorization that is captured or voided: of a reversal, the one that it found. */
export const heldOf = ({ facts, kept }: Own): string => kept['authorization'] ?? facts.authorization_reference ?? '';

export const customOf = ({ order_id }: Facts, operation_id: string): string => `${order_id}-${operation_id}`;

const CUSTOM = /^([0-9a-f]{24})-([0-9a-f]{24})$/;

export function oursIn(custom_id: string): { readonly order_id: string; readonly operation_id: string } | null {
  const [, order_id, operation_id] = CUSTOM.exec(custom_id) ?? [];
  return order_id === undefined || operation_id === undefined ? null : { order_id, operation_id };
}

/** Null: it does not say. What is none of ours stays as it is, and differs. */
export const ourReferenceIn = (custom_id: string): string | null =>
  custom_id === '' ? null : (oursIn(custom_id)?.operation_id ?? custom_id);

/** The operation that an answer is about: of an inquiry, the one that is asked about. */
export type Asked = {
  readonly kind: Refusable;
  readonly operation_id: string;
  readonly with_capture: boolean;
  readonly by_inquiry: boolean;
  /** Made at PayPal's own site. */
  readonly nameless?: boolean;
};

export function askedOf({ kind, operation_id, with_capture, about }: Facts): Asked {
  if (kind !== 'inquiry') return { kind, operation_id, with_capture, by_inquiry: false };
  return {
    kind: about?.kind ?? 'authorize',
    operation_id: about?.operation_id ?? '',
    with_capture: about?.with_capture ?? false,
    by_inquiry: true,
    nameless: about?.nameless === true,
  };
}
