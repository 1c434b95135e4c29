// The facts that every provider is shown, and the text of the call it writes for them. The transcripts beside this file
// are compared byte for byte: what goes to a provider never changes unseen. A changed one is written anew with `vitest
// run -u`.
import type { Facts, Provider } from '../../src/provider/contract.ts';
import { aboutOf, firstCall } from './wire.ts';

const common: Omit<Facts, 'operation_id' | 'kind'> = {
  merchant_account_id: '66bf18d2aaaaaaaaaaaaaaaa',
  order_id: '66bf18d25d1c9a0e47b2f317',
  amount_minor: 4250n,
  currency: 'EUR',
  with_capture: false,
  final: false,
  order_merchant_id: 'cart-1881',
  scheme: null,
  authorization_reference: null,
  authorization_code: null,
  authorization_kept: {},
  capture_reference: null,
};
const authorize = { ...common, operation_id: '66bf18d25d1c9a0e47b2f318', kind: 'authorize', scheme: 'visa' } as const;

export const TRANSCRIPTS: readonly { readonly name: string; readonly facts: Facts }[] = [
  { name: 'authorize', facts: authorize },
  { name: 'authorize-captured', facts: { ...authorize, with_capture: true, scheme: 'cb' } },
  {
    name: 'authorize-unusual',
    facts: { ...authorize, scheme: null, order_merchant_id: 'Größe "é" \\ &\n🙂', amount_minor: 1n, currency: 'KWD' },
  },
  {
    name: 'capture',
    facts: { ...common, operation_id: '66bf18d25d1c9a0e47b2f319', kind: 'capture', authorization_reference: 'their-1' },
  },
  {
    name: 'capture-final',
    facts: {
      ...common,
      operation_id: '66bf18d25d1c9a0e47b2f319',
      kind: 'capture',
      authorization_reference: 'their-1',
      final: true,
    },
  },
  {
    name: 'refund',
    facts: { ...common, operation_id: '66bf18d25d1c9a0e47b2f31a', kind: 'refund', capture_reference: 'their-2' },
  },
  {
    name: 'cancel',
    facts: { ...common, operation_id: '66bf18d25d1c9a0e47b2f31b', kind: 'cancel', authorization_reference: 'their-1' },
  },
  {
    name: 'inquiry',
    facts: {
      ...common,
      operation_id: '66bf18d25d1c9a0e47b2f31c',
      kind: 'inquiry',
      about: aboutOf(authorize.operation_id),
    },
  },
  {
    name: 'reversal',
    facts: {
      ...common,
      operation_id: '66bf18d25d1c9a0e47b2f31d',
      kind: 'reversal',
      about: aboutOf(authorize.operation_id),
    },
  },
];

/** What the provider is told, the call without its body, and the body with its slots in double braces. */
export function transcriptOf(provider: Provider, facts: Facts): string {
  const told = JSON.stringify(facts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  const call = firstCall(provider, facts);
  if (call === undefined) return `facts ${told}\nno such operation\n`;
  const { body, ...rest } = call;
  const text = body.map((part) => (typeof part === 'string' ? part : `{{${part.slot}}}`)).join('');
  return `facts ${told}\ncall ${JSON.stringify(rest)}\nbody ${text}\n`;
}
