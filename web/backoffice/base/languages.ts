// The languages of the back office, each by its own name. Only a complete language is offered:
// test/backoffice-app/texts.test.ts.
export const LANGUAGES = { en: 'English', fr: 'Français' } as const;
export type Language = keyof typeof LANGUAGES;

/** Translations by the English text; two forms, for one and for several, if a number decides. */
export type Catalogue = Readonly<Record<string, string | readonly [one: string, other: string]>>;
