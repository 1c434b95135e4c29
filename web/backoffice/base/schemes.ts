import { SCHEME_NAMES } from '../../../src/core/card.ts';
import { methodText } from './format.ts';

/** The card schemes, as choices of a list. */
export const SCHEME_OPTIONS = SCHEME_NAMES.map((value) => ({ value, label: methodText(value) }));
