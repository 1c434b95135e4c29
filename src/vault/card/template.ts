// A body with holes, and how the vault fills them: as bytes, each slot one JSON value with its quotes (providers.md 2.1).

export type Part = string | { readonly slot: string };

export type Values = {
  readonly number: Buffer;
  readonly holder: Buffer;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly cvc_length: number;
};

/** The slots of a template with the place each stands at: the member names that lead to it. */
export function slotsOf(body: readonly Part[]): readonly string[] {
  return body.flatMap((part, index) => {
    if (typeof part === 'string') return [];
    const before = body[index - 1];
    const member = typeof before === 'string' ? /"([a-z_]+)":$/.exec(before)?.[1] : undefined;
    return [`${part.slot} at ${member ?? '?'}`];
  });
}

export function bodyLength(body: readonly Part[], values: Values): number {
  return body.reduce(
    (sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : slotLength(part.slot, values)),
    0,
  );
}

/** Writes the body into a buffer of its own, of exactly `bodyLength`; the caller overwrites it. */
export function writeBody(body: readonly Part[], values: Values & { readonly cvc: Buffer | undefined }): Buffer {
  const out = Buffer.allocUnsafeSlow(bodyLength(body, values));
  let at = 0;
  for (const part of body) {
    if (typeof part === 'string') at += out.write(part, at);
    else at = writeSlot(out, at, { slot: part.slot, ...values });
  }
  return out;
}

const QUOTE = 0x22;

function slotLength(slot: string, values: Values): number {
  const bytes = slotBytes(slot, values);
  return bytes === 'cvc' ? values.cvc_length + 2 : bytes.length;
}

function writeSlot(
  out: Buffer,
  at: number,
  values: Values & { readonly slot: string; readonly cvc: Buffer | undefined },
): number {
  const bytes = slotBytes(values.slot, values);
  if (bytes === 'cvc') {
    out[at] = QUOTE;
    // lost between its measuring and its taking (15 minutes are over): blanks are a cvc the issuer refuses, never a wrong one
    out.fill(0x20, at + 1, at + 1 + values.cvc_length);
    if (values.cvc?.length === values.cvc_length) out.set(values.cvc, at + 1);
    out[at + 1 + values.cvc_length] = QUOTE;
    return at + values.cvc_length + 2;
  }
  out.set(bytes, at);
  if (values.slot === 'card.number') bytes.fill(0);
  return at + bytes.length;
}

function slotBytes(slot: string, values: Values): Buffer | 'cvc' {
  switch (slot) {
    case 'card.number':
      return quoted(values.number);
    case 'card.cvc?':
      return values.cvc_length > 0 ? 'cvc' : NULL;
    case 'card.expiry_month':
      return Buffer.from(`"${String(values.exp_month).padStart(2, '0')}"`);
    case 'card.expiry_year':
      return Buffer.from(`"${values.exp_year}"`);
    case 'card.holder?':
      return values.holder.length > 0 ? Buffer.from(JSON.stringify(values.holder.toString('utf8'))) : NULL;
    default:
      throw new Error('an unknown slot');
  }
}

const NULL = Buffer.from('null');

function quoted(digits: Buffer): Buffer {
  const out = Buffer.allocUnsafeSlow(digits.length + 2);
  out[0] = QUOTE;
  out.set(digits, 1);
  out[out.length - 1] = QUOTE;
  return out;
}
