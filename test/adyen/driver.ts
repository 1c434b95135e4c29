// A small core: runs one operation through `first`, `write` and `read` over a real socket, hears its messages, and
// finds out what nobody answered as the engine does, by the capabilities alone. It is no engine; it proves that the
// provider file leaves nothing open.
import { adyen } from '../../src/provider/adyen/adyen.ts';
import { STEPS, type StepName } from '../../src/provider/adyen/steps.ts';
import type { Facts, Kept, Outcome } from '../../src/provider/contract.ts';
import type { Notice } from '../../src/provider/notices.ts';
import { factsOf, newId } from './facts.ts';
import { ACCOUNT, type Values, type World, isProved } from './wire.ts';

export type State = 'approved' | 'declined' | 'reversed' | 'not_sent' | 'pending' | 'payer' | 'in_doubt' | 'corrected';

export class Operation {
  state: State = 'in_doubt';
  outcome: Outcome | undefined;
  reference: string | null = null;
  step: StepName;
  kept: Kept = {};
  readonly facts: Facts;
  readonly world: World;

  constructor(world: World, facts: Facts) {
    this.world = world;
    this.facts = facts;
    const step = adyen.first(facts);
    if (step === undefined) throw new Error(`no ${facts.kind}`);
    this.step = step as StepName;
  }

  /** Sends the step that is next. */
  async send(values: Values = {}, key?: string): Promise<this> {
    const { facts, kept } = this;
    const answer = await this.world.send(this.step, { facts, kept, values, ...(key !== undefined && { key }) });
    if (answer === 'refused') this.state = 'not_sent';
    else if (answer === 'lost') this.state = 'in_doubt';
    else this.take(adyen.read(this.step, answer, facts, kept));
    return this;
  }

  private take(outcome: Outcome | { readonly kind: 'next' }): void {
    if (outcome.kind === 'next') throw new Error('no step of Adyen goes on by itself');
    this.outcome = outcome;
    if ('reference' in outcome && outcome.reference !== null) this.reference = outcome.reference;
    switch (outcome.kind) {
      case 'approved':
        this.state = isAsAsked(outcome, this.facts) ? 'approved' : 'in_doubt';
        return;
      case 'declined':
        this.state = outcome.unheard && STEPS[this.step].again === 'same_key' ? 'in_doubt' : 'declined';
        return;
      case 'payer_must_act':
        this.state = 'payer';
        this.step = outcome.resume as StepName;
        return;
      case 'unknown':
      case 'not_found':
        this.state = 'in_doubt';
        return;
      case 'pending':
      case 'reversed':
        this.state = outcome.kind;
    }
  }

  /** What was told, of this operation. */
  hear(notices: readonly Notice[]): this {
    for (const { proof, of, match, news } of notices) {
      if (!isProved(proof, ACCOUNT.hmac_key) || of['merchant_account'] !== ACCOUNT.merchant_account) continue;
      const about = this.facts.kind === 'reversal' ? this.facts.about?.operation_id : this.facts.operation_id;
      const is_ours = match?.ours?.operation_id === about || match?.reference === this.reference;
      if (match?.kind !== this.facts.kind || !is_ours) continue;
      if (news.kind === 'corrected') this.state = 'corrected';
      const is_open = this.state === 'pending' || this.state === 'in_doubt';
      if (is_open && ['approved', 'declined', 'reversed', 'not_found'].includes(news.kind)) this.take(news as Outcome);
    }
    return this;
  }
}

function isAsAsked(
  { our_reference, amount_minor, currency }: Extract<Outcome, { kind: 'approved' }>,
  facts: Facts,
): boolean {
  return (
    (our_reference === null || our_reference === facts.operation_id) &&
    (amount_minor === null || amount_minor === facts.amount_minor) &&
    (currency === null || currency === facts.currency)
  );
}

export const authorize = (world: World, given: Partial<Facts> = {}): Operation =>
  new Operation(world, factsOf('authorize', given));

export function follow(of: Operation, kind: 'capture' | 'refund' | 'cancel', given: Partial<Facts> = {}): Operation {
  const { order_id, amount_minor, currency } = of.facts;
  return new Operation(
    of.world,
    factsOf(kind, { order_id, amount_minor, currency, authorization_reference: of.reference, ...given }),
  );
}

/** Works and tells, and lets every operation hear. */
export async function settle(world: World, ...operations: readonly Operation[]): Promise<void> {
  await world.control('work');
  await world.control('deliver');
  for (const operation of operations) operation.hear(world.notices);
}

/**
 * Until it is known: what may be repeated is, under its key; a card is waited for, and then undone by our reference.
 */
export async function recover(operation: Operation): Promise<Operation> {
  const { world, facts } = operation;
  if (operation.state !== 'in_doubt') return operation;
  if (STEPS[operation.step].again === 'same_key') {
    await operation.send();
    await settle(world, operation);
    if (operation.state !== 'in_doubt' || facts.kind !== 'authorize') return operation;
  }
  await settle(world, operation);
  if (operation.state !== 'in_doubt') return operation;
  await reverse(operation);
  return operation;
}

/** An operation of its own, repeated under a new key as often as nothing was there. */
export async function reverse(operation: Operation): Promise<Operation> {
  const { world, facts } = operation;
  const { order_id, operation_id } = facts;
  const about = {
    kind: 'authorize',
    operation_id,
    with_capture: false,
    reference: operation.reference,
    kept: operation.kept,
  } as const;
  const reversal = new Operation(world, factsOf('reversal', { order_id, operation_id: newId(), about }));
  for (let tries = 1; tries <= 3 && reversal.state === 'in_doubt'; tries++) {
    world.notices.length = 0;
    const key = tries === 1 ? undefined : `${reversal.facts.operation_id}-${reversal.step}-${tries}`;
    await reversal.send({}, key);
    await settle(world, reversal);
    world.state.now_ms += (adyen.can.in_flight_s / 2) * 1000;
  }
  operation.state = 'reversed';
  return reversal;
}

/** The payer at the bank's page, reached as the provider says it. */
export async function payerDoes(operation: Operation, said: 'passed' | 'failed' | 'left'): Promise<void> {
  const { outcome } = operation;
  if (outcome?.kind !== 'payer_must_act') throw new Error('nobody is sent anywhere');
  const { method, url, form } = outcome.go;
  const page = await fetch(url, method === 'GET' ? {} : { method, body: new URLSearchParams(form) });
  const action = /action="([^"]+)"/.exec(await page.text())?.[1];
  if (action === undefined) throw new Error(`no page of a bank: ${page.status}`);
  const back = await fetch(new URL(action, url), {
    method: 'POST',
    body: new URLSearchParams({ said }),
    redirect: 'manual',
  });
  const query = new URL(back.headers.get('location') ?? '').searchParams;
  const taken = outcome.takes.map((name) => [`back.${name}`, query.get(name) ?? ''] as const);
  operation.kept = { ...operation.kept, ...Object.fromEntries(taken) };
}
