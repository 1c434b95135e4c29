// The data that the vault wrote into the frame's document (names, key and texts, as data attributes), and its elements
// by id.

type InsideTexts = Readonly<Record<string, string>>;

const { dataset } = document.documentElement;

type Page = {
  readonly key: string;
  /** The page gave the key that may do everything. */
  readonly is_private: boolean;
  readonly schemes: Readonly<Record<string, { readonly name: string; readonly mark: string }>>;
  readonly texts: InsideTexts;
};

export const PAGE: Page = {
  key: dataset['key'] ?? '',
  is_private: dataset['kind'] === 'private',
  schemes: JSON.parse(dataset['schemes'] ?? '{}'),
  texts: JSON.parse(dataset['texts'] ?? '{}'),
};

export function text(name: string): string {
  return PAGE.texts[name] ?? '';
}

/** An element that the frame's document always has. */
export function part<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the frame has no ${id}`);
  return element;
}
