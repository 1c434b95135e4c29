// The choice of the back office's language: before the sign-in, and on the person's own page.
import { SegmentedControl } from '@mantine/core';
import { LANGUAGES, type Language } from '../base/languages.ts';
import { KEPT, LANGUAGE, t } from '../base/texts.ts';

const CHOICES = Object.entries(LANGUAGES).map(([value, name]) => ({
  value: value as Language,
  label: <span lang={value}>{name}</span>,
}));

/** Takes effect in this browser, for everyone who signs in. */
function speak(language: Language): void {
  localStorage.setItem(KEPT, language);
  location.reload();
}

export function LanguageChoice() {
  return <SegmentedControl aria-label={t('Language')} data={CHOICES} value={LANGUAGE} onChange={speak} />;
}
