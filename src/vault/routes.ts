// Every route of {vault_url} that takes a key.
import { Refusal } from '../core/refusals.ts';
import type { Route } from '../kit/http/route.ts';
import type { VaultCaller } from './keys/callers.ts';
import { TOKEN_ANSWER, TOKEN_BODY } from './card/wire-schema.ts';
import { tokenLimit, tokenizer } from './tokenize.ts';
import type { VaultTools } from './tools.ts';

export function vaultRoutes(tools: VaultTools): readonly Route<VaultCaller>[] {
  const tokenize = tokenizer(tools);
  return [
    {
      method: 'POST',
      path: '/token',
      aliases: [],
      operation_id: 'tokenizeCard',
      summary: 'Turn a card into a token',
      tag: 'Vault',
      key: 'any',
      body: TOKEN_BODY,
      query: undefined,
      answer: TOKEN_ANSWER,
      refusals: ['card_number_invalid', 'card_expired', 'card_data_invalid', 'attempts_used_up'],
      cross_origin: true,
      raw: false,
      admit: tokenLimit(tools),
      run: async (arrival) => {
        const { origin } = arrival.headers;
        if (origin !== undefined && origin !== tools.addresses.vault_url && arrival.caller?.page_inputs !== true)
          throw new Refusal('key_forbidden', {
            detail:
              'card data typed in a page of another origin is not taken: use Hosted Elements, or switch page_inputs on',
          });
        return tokenize(arrival);
      },
    },
  ];
}
