// The simulated scheme's codes about a decline: `advice` ({ source, code }) and `response_code`, in answers and
// messages alike.
import type { JsonObject } from '../../core/json.ts';
import { type SchemeWords, schemeWords } from '../../core/retries/follow.ts';
import { textAt } from '../answer.ts';

/** An unknown code is ignored: no money depends on it. */
export function schemeWordsIn(said: JsonObject): SchemeWords {
  const source = textAt(said, 'advice', 'source');
  const code = source === 'visa' || source === 'mastercard' ? textAt(said, 'advice', 'code') : '';
  return schemeWords(source === 'visa' ? 'visa' : 'mastercard', code, textAt(said, 'response_code'));
}
