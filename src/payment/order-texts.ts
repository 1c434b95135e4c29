// Texts of an order that rules compare, from its fields with its checkout's under them.

type Body = Readonly<Record<string, unknown>>;

/** The value of a merchant_data key. */
export function told(body: Body, key: string): string | undefined {
  const data: unknown = body['merchant_data'];
  if (!Array.isArray(data)) return undefined;
  const item: unknown = data.find((one: unknown) => memberOf(one, 'key') === key);
  return textOf(memberOf(item, 'value'));
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

export type Text = string | undefined;

export function textOf(value: unknown): Text {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
