// Which card numbers a vault takes (contract 15.1). One rule for every way a number comes in: a request, a file, a
// partner's token.
import { luhn, schemesOf } from '../../core/card.ts';
import { sandboxCard } from '../../core/sandbox/cards.ts';

/** `real`, in production: none of the sandbox's; `listed`: those alone. */
export type Numbers = 'all' | 'real' | 'listed';

type Deployment = { readonly environment: 'sandbox' | 'production'; readonly sandbox_listed_cards_only: boolean };

export function numbersTaken({ environment, sandbox_listed_cards_only }: Deployment): Numbers {
  if (environment === 'production') return 'real';
  return sandbox_listed_cards_only ? 'listed' : 'all';
}

/** Why a number (ASCII digits) is refused, in words that follow a field's name; undefined: it is not. */
export function wrongNumber(number: Uint8Array, numbers: Numbers): string | undefined {
  if (!luhn(number)) return 'is mistyped: its check digit does not fit';
  if (schemesOf(number).length === 0) return 'is of no supported scheme';
  if (numbers === 'real' && sandboxCard(number) !== 'unlisted') return 'is a test number of the sandbox';
  if (numbers === 'listed' && sandboxCard(number) !== 'listed')
    return "is not one of the sandbox's, and this sandbox takes no other";
  return undefined;
}
