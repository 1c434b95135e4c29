// The evidence against a dispute: the names of texts and files, and what a person reads beside each field.
export type Words = { readonly label: string; readonly help: string };

export const TEXT_FIELDS = {
  product_description: { label: 'What was sold', help: 'Goods or service, as the payer saw it described.' },
  customer_name: { label: 'Name of the customer', help: '' },
  customer_email_address: { label: 'E-mail of the customer', help: '' },
  customer_purchase_ip: { label: 'IP address of the purchase', help: 'From where the payer ordered.' },
  billing_address: { label: 'Billing address', help: '' },
  access_activity_log: {
    label: 'Log of use',
    help: 'When and from where the customer signed in, downloaded or used it.',
  },
  shipping_carrier: { label: 'Carrier', help: 'Several: with commas between them.' },
  shipping_tracking_number: { label: 'Tracking number', help: '' },
  shipping_date: { label: 'Day of shipping', help: 'For example 3 March 2027.' },
  shipping_address: { label: 'Address it was sent to', help: '' },
  service_date: { label: 'Day of the service', help: 'Or from when to when it could be used.' },
  refund_policy_disclosure: {
    label: 'How the refund policy was shown',
    help: 'Where, and before what the payer agreed.',
  },
  refund_refusal_explanation: { label: 'Why no refund is due', help: '' },
  cancellation_policy_disclosure: { label: 'How the terms of cancelling were shown', help: '' },
  cancellation_rebuttal: { label: 'Why the subscription was not cancelled', help: '' },
  duplicate_charge_id: { label: 'The other payment', help: 'Reference of the payment that this one seems to repeat.' },
  duplicate_charge_explanation: { label: 'What each payment was for', help: '' },
  uncategorized_text: { label: 'In your words', help: 'What happened, with dates. The bank reads this first.' },
} as const satisfies Readonly<Record<string, Words>>;
export type TextField = keyof typeof TEXT_FIELDS;

export const FILE_FIELDS = {
  receipt: { label: 'Receipt', help: 'What the payer was sent.' },
  customer_communication: { label: 'Messages with the customer', help: 'What helps your case only.' },
  customer_signature: { label: 'Signature', help: '' },
  shipping_documentation: { label: 'Proof of delivery', help: 'With the address, where the scheme asks for it.' },
  service_documentation: { label: 'Proof of the service', help: 'A signed contract, a work order.' },
  refund_policy: { label: 'Refund policy', help: 'As it was shown.' },
  cancellation_policy: { label: 'Terms of cancelling', help: 'As they were shown.' },
  duplicate_charge_documentation: { label: 'Receipt of the other payment', help: '' },
  uncategorized_file: { label: 'Anything else', help: '' },
} as const satisfies Readonly<Record<string, Words>>;
export type FileField = keyof typeof FILE_FIELDS;

export const isTextField = (name: string): name is TextField => Object.hasOwn(TEXT_FIELDS, name);
export const isFileField = (name: string): name is FileField => Object.hasOwn(FILE_FIELDS, name);

export type Texts = Readonly<Partial<Record<TextField, string>>>;

export const FILE_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** The largest text and the largest file; a provider may accept less (its file in src/provider). */
export const MOST_TEXT = 20_000;
export const MOST_FILE_BYTES = 5 * 1024 * 1024;

const starts = (bytes: Uint8Array, ...head: readonly number[]) => head.every((byte, i) => bytes[i] === byte);

/** The type of a file by its first bytes, whatever its name says. */
export function fileTypeOf(bytes: Uint8Array): FileType | undefined {
  if (starts(bytes, 0x25, 0x50, 0x44, 0x46, 0x2d)) return 'application/pdf';
  if (starts(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  return starts(bytes, 0xff, 0xd8, 0xff) ? 'image/jpeg' : undefined;
}

export const ENDINGS: Readonly<Record<FileType, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};
