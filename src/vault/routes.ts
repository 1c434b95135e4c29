// Every route of {vault_url} that takes a key.
import type { TableRoute } from '../kit/http/route.ts';
import type { VaultCaller } from './keys/callers.ts';
import { TOKEN_ANSWER, TOKEN_BODY } from './card/wire-schema.ts';
import { tokenLimit, tokenizer } from './tokenize.ts';
import type { VaultTools } from './tools.ts';

export function vaultRoutes(): readonly TableRoute<VaultTools, VaultCaller>[] {
  return [
    {
      method: 'POST',
      path: '/token',
      aliases: [],
      operation_id: 'tokenizeCard',
      summary: 'Turn a card into a token',
      tag: 'Vault',
      key: 'any',
      scope: 'tokens',
      body: TOKEN_BODY,
      query: undefined,
      answer: TOKEN_ANSWER,
      refusals: [
        'card_number_invalid',
        'card_expired',
        'card_data_invalid',
        'token_unusable',
        'contract_unknown',
        'attempts_used_up',
      ],
      cross_origin: true,
      raw: true,
      withTools: (tools) => ({ admit: tokenLimit(tools), run: tokenizer(tools) }),
    },
  ];
}
