// PayPal, cards: Orders v2 and Payments v2. Amounts are decimal, calls go out with an access token, the first step
// makes an empty order (the shell), and PayPal can be asked about everything.
//
// | operation | steps                                                 | what it means                                |
// |-----------|-------------------------------------------------------|----------------------------------------------|
// | authorize | shell → card (through the vault) (→ back) → authorize | `card` puts the card on the order, and the   |
// |           |                                                       | payer may have to act; `authorize` holds the |
// |           |                                                       | money without a card, so it may be repeated  |
// | sale      | … → sell                                              | held and captured in one call                |
// | capture   | capture                                               | several; the last one releases the rest      |
// | refund    | refund                                                | of a capture; done at once, or pending       |
// | cancel    | void                                                  | has no key, so we ask before we repeat it    |
// | reversal  | find → void, or undo                                  | an order cannot be closed: what stands in it |
// |           |                                                       | is undone                                    |
// | inquiry   | look, or a look at one object by its own id           | moves nothing, as often as needed            |
//
// Messages only make us look: PayPal signs no more of a message than a checksum (messages.ts).
import { type Capabilities, type Credential, STILL_SENT_S } from '../capabilities.ts';
import { type Facts, type Kept, type Provider, VALUE, type Written } from '../contract.ts';
import { bodyOf } from './bodies.ts';
import { books } from './books.ts';
import { disputing } from './disputing.ts';
import { HEADERS, open } from './messages.ts';
import { heldOf, orderOf } from './names.ts';
import { read } from './read.ts';
import { settlement } from './settlement.ts';
import { STEPS, type StepName } from './steps.ts';

const CAN: Capabilities = {
  captures: 'many',
  rest_after_last_capture: 'released',
  ends: { capture: 'either', refund: 'either', cancel: 'answer', reversal: 'either' },
  inquiry: ['authorize', 'capture', 'refund', 'cancel', 'reversal'],
  // not by the shell: an order stays open, and a late authorization would still be taken
  reversal: 'by_own_reference',
  sale: 'one_call',
  key_kept_h: 6,
  three_ds: ['redirect'],
  scheme_choice: false,
  exemptions: false,
  psp_token: false,
  network_token: false,
  traces: false,
  answer_deadline_s: 30,
  in_flight_s: STILL_SENT_S + 30,
  notice_wait_s: 0,
};

const CREDENTIALS: readonly Credential[] = [
  {
    name: 'client_id',
    required: true,
    use: 'send',
    help: 'Client ID of the REST app. PayPal must have enabled its account for advanced card payments.',
  },
  { name: 'client_secret', required: true, use: 'send', help: 'Secret of the same REST app.' },
  {
    name: 'webhook_id',
    required: false,
    use: 'check',
    help: 'ID of the webhook that points here, as the app’s page shows it. Each message is signed for one.',
  },
];

export const paypal: Provider = {
  name: 'paypal',
  table: 'paypal',
  display_name: 'PayPal',
  disputes_at: 'Resolution Centre of the PayPal business account',
  steps: STEPS,
  can: CAN,
  credentials: CREDENTIALS,
  first,
  write: (step, facts, kept) => (isStep(step) ? write(step, facts, kept) : undefined),
  read: (step, answer, facts, kept) =>
    isStep(step) ? read(step, answer, { facts, kept }) : { kind: 'unknown', why: 'unreadable' },
  notices: { open, headers: HEADERS, accepted: { status: 200, body: '' } },
  books,
  settlement,
  disputing,
};

const isStep = (name: string): name is StepName => Object.hasOwn(STEPS, name) && !name.startsWith('dispute');

function first(facts: Facts): StepName | undefined {
  const { kind, about, authorization_reference, capture_reference } = facts;
  switch (kind) {
    case 'authorize':
      return 'shell';
    case 'capture':
      return authorization_reference === null ? undefined : 'capture';
    case 'refund':
      return capture_reference === null ? undefined : 'refund';
    case 'cancel':
      return authorization_reference === null ? undefined : 'void';
    case 'reversal':
      return orderOf({ facts, kept: {} }) === '' ? undefined : 'find';
    case 'inquiry':
      return about && look(facts, about);
  }
}

function look(facts: Facts, about: NonNullable<Facts['about']>): StepName | undefined {
  if (about.kind === 'cancel') return 'authorization';
  if (about.reference !== null && about.kind === 'capture') return 'capture_by_id';
  if (about.reference !== null && about.kind === 'refund') return 'refund_by_id';
  return orderOf({ facts, kept: {} }) === '' ? undefined : 'look';
}

function write(step: StepName, facts: Facts, kept: Kept): Written | undefined {
  const { about, capture_reference } = facts;
  const every = {
    order: orderOf({ facts, kept }),
    authorization: heldOf({ facts, kept }),
    capture: kept['capture'] ?? (step === 'capture_by_id' ? about?.reference : capture_reference) ?? '',
    refund: about?.reference ?? '',
  };
  const { path } = STEPS[step];
  const values = Object.fromEntries(Object.entries(every).filter(([name]) => path.includes(`{${name}}`)));
  if (!Object.values(values).every((value) => VALUE.test(value))) return undefined;
  const body = bodyOf(step, facts);
  return body && { values, body };
}
