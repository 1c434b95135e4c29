// The languages of the back office, each by its own name. Only what is whole is offered:
// test/backoffice-app/texts.test.ts.
export const LANGUAGES = { en: 'English', fr: 'Français' } as const;
export type Language = keyof typeof LANGUAGES;

/** Translations by the English text; where a number decides, for one and for several. */
export type Catalogue = Readonly<Record<string, string | readonly [one: string, other: string]>>;
