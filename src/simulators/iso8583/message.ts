// A message as the simulated acquirer works with it: as texts, because the acquirer plays the bank, which sees the
// card. The codec is the product's own and is tested against published messages. The meaning of a message, and which
// earlier message it refers to, is worked out here alone.
import { type Message, latin } from '../../provider/send/iso8583/codec.ts';
import { compose, decompose } from '../../provider/send/iso8583/composite.ts';
import { DIALECT } from '../../provider/send/iso8583/dialect.ts';

export type Texts = ReadonlyMap<number, string>;
export type Tags = Readonly<Record<string, string>>;

export type Request = {
  readonly type: string;
  readonly texts: Texts;
  readonly tags: Tags;
  /** Field 90 without the ids of the two institutions. */
  readonly original: { readonly type: string; readonly trace: string; readonly sent_at: string } | undefined;
};

/** Throws `Refused` if field 48 does not hold tags. */
export function requestOf({ type, fields }: Message): Request {
  const texts = new Map([...fields].map(([field, bytes]) => [field, latin(bytes)]));
  const named = decompose(48, fields.get(48) ?? new Uint8Array(0), DIALECT);
  const of = texts.get(90);
  const original = of && { type: of.slice(0, 4), trace: of.slice(4, 10), sent_at: of.slice(10, 20) };
  return {
    type,
    texts,
    tags: Object.fromEntries(named.map(({ name, bytes }) => [name, latin(bytes)])),
    original: original || undefined,
  };
}

/** Fields that an answer copies from the request. */
const REPEATED = [2, 3, 4, 7, 11, 12, 13, 32, 37, 41, 42, 49, 70];

export function answerTo(request: Request, more: Readonly<Record<number, string>>, tags: Tags = {}): Message {
  const texts = new Map(
    REPEATED.flatMap((field) => {
      const text = request.texts.get(field);
      return text === undefined ? [] : [[field, text] as const];
    }),
  );
  for (const [field, text] of Object.entries(more)) texts.set(Number(field), text);
  const fields = new Map<number, Uint8Array>([...texts].map(([field, text]) => [field, Buffer.from(text)]));
  const { reference } = request.tags;
  const said = Object.entries({ ...(reference !== undefined && { reference }), ...tags });
  if (said.length > 0) {
    const members = said.map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
    fields.set(48, compose(48, members, DIALECT));
  }
  return { type: `${request.type.slice(0, 2)}${Number(request.type[2]) + 1}0`, fields };
}

/** A repeat of a message has the same numbers: trace, time, terminal, merchant. */
export function numbersOf({ texts }: Request): string {
  return [11, 7, 41, 42].map((field) => texts.get(field) ?? '').join(' ');
}

export const isRepeat = (type: string) => type.endsWith('1');

/** 0220 and its repeat 0221 have the same family. */
export const familyOf = (type: string) => type.slice(0, 3);
