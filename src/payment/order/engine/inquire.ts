// Asks a provider what became of an operation, or whether the provider answers at all. An inquiry moves no money, so it
// is sent as often as needed.
import type { Shown } from '../../../provider/books.ts';
import type { Facts, Next, Provider } from '../../../provider/contract.ts';
import type { Credentials } from '../../merchant/credentials/credentials.ts';
import type { Tools } from '../../tools.ts';
import type { Forwarded } from '../../vault-link.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import {
  type ProviderAnswer,
  type StepAnswer,
  type Stepping,
  aboutOf,
  credentialsOf,
  inquiryFacts,
  isUnheard,
  ofCapture,
  providerFacts,
  readAnswer,
  readStep,
  report,
  saleOf,
} from './provider-call.ts';

export const UNKNOWN: ProviderAnswer = { outcome: { kind: 'unknown', why: 'timeout' } };

/** Asks the provider what became of an operation. */
export async function inquire(tools: Tools, { provider, order, operation }: Asking): Promise<ProviderAnswer> {
  const sale_id = saleOf(order, operation, provider.can);
  const credentials = await credentialsOf(tools, { provider, order, operation });
  const from = tools.clock.ticks();
  const heard = await look(tools, { provider, facts: inquiryFacts(order, operation, provider.can), credentials });
  if (!heard) return UNKNOWN;
  const { is_ours, ...said } = heard;
  const { outcome } = said;
  if (!is_ours) report(tools, said, { provider, kind: 'inquiry', from, operation });
  // if the inquiry itself was not sent, nothing is known of the operation
  if (outcome.kind === 'not_sent') return UNKNOWN;
  return sale_id === undefined ? said : { ...said, outcome: ofCapture(outcome, operation, sale_id) };
}

type Look = { readonly provider: Provider; readonly facts: Facts; readonly credentials: Credentials };

/**
 * `is_ours`: our side refused to send the inquiry, because of its credentials. It is not the provider's fault, and
 * other merchants must not feel it.
 */
type Heard = ProviderAnswer & { readonly is_ours: boolean };

/** More steps than any inquiry has. */
const MOST_LOOKS = 3;

/** Sends the steps of an inquiry, which move no money. Undefined: this provider cannot be asked that. */
function look(tools: Tools, looking: Look): Promise<Heard | undefined> {
  return lookBy(tools, looking, { first: looking.provider.first, read: readStep });
}

/** `read` puts the answer to a step into words, or names the next step. */
type Reader<R> = {
  first(facts: Facts): string | undefined;
  read(forwarded: Forwarded, stepping: Stepping): Omit<StepAnswer, 'reading'> & { readonly reading: R | Next };
};

type Read<R> = Omit<StepAnswer, 'reading'> & { readonly outcome: R; readonly is_ours: boolean };

async function lookBy<R extends { readonly kind: string }>(
  tools: Tools,
  { provider, facts, credentials }: Look,
  { first, read }: Reader<R>,
): Promise<Read<R> | undefined> {
  let step = first(facts);
  let kept: Facts['authorization_kept'] = {};
  for (let count = 0; count < MOST_LOOKS; count++) {
    const row = step === undefined ? undefined : provider.steps[step];
    const written = step === undefined ? undefined : provider.write(step, facts, kept);
    if (step === undefined || row?.again !== 'freely' || !written) return undefined;
    const forwarded = await tools.direct({
      ...written,
      destination: provider.name,
      step,
      key: `${facts.operation_id}-${step}`,
      deadline_ms: provider.can.answer_deadline_s * 1000,
      credentials,
    });
    const { reading, answer } = read(forwarded, { provider, step, facts, kept });
    const is_ours = forwarded.outcome === 'not_sent' && forwarded.reason !== 'connect';
    if (!isNext(reading)) return { outcome: reading, answer, is_ours };
    kept = { ...kept, ...reading.keep };
    ({ step } = reading);
  }
  throw new Error(`an inquiry of ${provider.name} took more than ${MOST_LOOKS} steps`);
}

const isNext = (reading: { readonly kind: string }): reading is Next => reading.kind === 'next';

/**
 * What the provider's books show of an authorization and of all that was done with it. Undefined: it cannot be asked
 * for that, or does not say.
 */
export async function showBooks(tools: Tools, { provider, order, operation }: Asking): Promise<ShownBooks | undefined> {
  const { books } = provider;
  if (!books) return undefined;
  const credentials = await credentialsOf(tools, { provider, order, operation });
  const facts = { ...providerFacts(order, operation), kind: 'inquiry', about: aboutOf(operation) } as const;
  const heard = await lookBy(
    tools,
    { provider, facts, credentials },
    {
      first: (of) => books.first(of),
      read: (forwarded, stepping) => {
        if (forwarded.outcome !== 'answered') return { reading: SILENT };
        const { answer } = readAnswer(forwarded, stepping);
        return { reading: books.read(stepping.step, forwarded, stepping.facts, stepping.kept) ?? SILENT, answer };
      },
    },
  );
  const { outcome: shown, answer } = heard ?? { outcome: SILENT };
  return shown.kind === 'shown' ? { shown, answer } : undefined;
}

const SILENT = { kind: 'silent' } as const;

export type ShownBooks = { readonly shown: Shown; readonly answer: ProviderAnswer['answer'] };

type Asking = { readonly provider: Provider; readonly order: OrderFacts; readonly operation: OperationFacts };

/**
 * Asks with an id that was never used, so nothing can happen. `refused`: the provider answers, but refuses the
 * credentials.
 */
export async function probe(
  tools: Tools,
  name: string,
  credentials: Credentials = {},
): Promise<'answered' | 'refused' | 'silent'> {
  const heard = await asked(tools, name, credentials);
  if (heard === undefined) return 'answered';
  if (isUnheard(heard.outcome)) return 'refused';
  return isSilence(heard) ? 'silent' : 'answered';
}

const isSilence = ({ outcome }: Heard): boolean =>
  !isUnheard(outcome) && (outcome.kind === 'unknown' || outcome.kind === 'not_sent');

/**
 * May a provider that was left alone be tried again? A provider that wants credentials is not asked: they belong to
 * accounts, and one account must not decide for the others, nor be used without its knowledge (decision 109). Instead
 * it gets a few payments, which show whether it is still down (core/routing/health.ts, half).
 */
export async function mayBeBack(tools: Tools, name: string): Promise<boolean> {
  const heard = await asked(tools, name, {});
  return heard === undefined || heard.is_ours || !isSilence(heard);
}

async function asked(tools: Tools, name: string, credentials: Credentials): Promise<Heard | undefined> {
  const provider = tools.providers.get(name);
  const id = tools.chance.id();
  const kind = provider?.can.inquiry[0];
  if (!provider || kind === undefined) return undefined;
  return look(tools, { provider, facts: probeFacts(id, kind), credentials });
}

function probeFacts(id: string, kind: Exclude<Facts['kind'], 'inquiry'>): Facts {
  return {
    operation_id: id,
    merchant_account_id: id,
    order_id: id,
    kind: 'inquiry',
    amount_minor: 1n,
    currency: 'EUR',
    with_capture: false,
    order_merchant_id: id,
    scheme: null,
    authorization_reference: id,
    authorization_code: null,
    authorization_kept: {},
    capture_reference: null,
    about: { kind, operation_id: id, with_capture: false, reference: id, kept: {} },
  };
}
