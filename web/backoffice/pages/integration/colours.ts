// The draft's colours as the hosted page uses them, and whether texts in them are readable. A value that is not
// complete yet is not used.
import { type Colours, unreadable } from '../../../../src/core/payer/colours.ts';
import type { Settings } from '../../../../src/backoffice/wire/account.ts';
import { t } from '../../base/texts.ts';

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

export function coloursOf(settings: Settings): Colours {
  const { page_colour, page_panel_colour, page_panel_text } = settings;
  return {
    page_colour: isColour(page_colour) ? page_colour : '#0b5d57',
    panel_colour: isColour(page_panel_colour) ? page_panel_colour : '',
    panel_text: isColour(page_panel_text) ? page_panel_text : '',
  };
}

/** Warns while a person chooses; the server would refuse these colours. Undefined: every text is readable. */
export function unreadableText(settings: Settings): string | undefined {
  const [worst] = unreadable(coloursOf(settings));
  return (
    worst &&
    t('Cannot be read: contrast {contrast} of the {least} needed. Empty: black or white.', {
      contrast: worst.contrast,
      least: worst.least,
    })
  );
}
