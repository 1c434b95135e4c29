// What reaches an input by keys, paste, autofill and input methods, and what of it may be rewritten.
import { readExpiry, showExpiry } from './expiry.ts';
import { LONGEST, caretBehind, digitsOf, grouped } from './number.ts';

/**
 * Calls `typed` after each change. Not while an input method composes: it writes over its own text, so digits that were
 * put in the place of that text would be there twice. `event` is undefined when what it composed has come as a whole.
 */
export function whenTyped(input: HTMLInputElement, typed: (event: InputEvent | undefined) => void): void {
  input.addEventListener('input', (event) => {
    const given = event instanceof InputEvent ? event : undefined;
    if (given?.isComposing !== true) typed(given);
  });
  input.addEventListener('compositionend', () => typed(undefined));
}

/**
 * A digit more than `most` is not taken: it would push out the last one, which the payer did not touch. A maxlength
 * would count what is no digit, and cut off digits of what is pasted.
 */
export function takeDigits(input: HTMLInputElement, most: () => number): void {
  input.addEventListener('beforeinput', (event) => {
    const is_full = digitsOf(input.value).length >= most() && input.selectionStart === input.selectionEnd;
    if (event.inputType === 'insertText' && is_full) event.preventDefault();
  });
}

/**
 * Backspace after a space, and delete before one, remove the digit beyond it; formatting adds the space again. The
 * digit is removed here: WebKit removes what was chosen before this event, whatever it chooses.
 */
export function keepSeparators(input: HTMLInputElement): void {
  input.addEventListener('beforeinput', (event) => {
    const { selectionStart: at, selectionEnd, value } = input;
    if (at === null || at !== selectionEnd || !event.cancelable) return;
    const { inputType, isComposing } = event;
    const back = inputType === 'deleteContentBackward' && at > 1 && value.charAt(at - 1) === ' ';
    const ahead = inputType === 'deleteContentForward' && value.charAt(at) === ' ';
    if (isComposing || (!back && !ahead)) return;
    event.preventDefault();
    const digit = back ? at - 2 : at + 1;
    input.setRangeText('', digit, digit + 1, 'start');
    input.dispatchEvent(new InputEvent('input', { inputType, bubbles: true }));
  });
}

/** Groups the digits, and keeps the caret after the same digit. */
export function groupDigits(input: HTMLInputElement): void {
  const before = input.selectionStart ?? input.value.length;
  const count = digitsOf(input.value.slice(0, before)).length;
  const shown = grouped(digitsOf(input.value).slice(0, LONGEST));
  if (shown === input.value) return;
  const at_end = before >= input.value.length;
  input.value = shown;
  if (document.activeElement !== input) return;
  const caret = at_end ? shown.length : caretBehind(shown, count);
  input.setSelectionRange(caret, caret);
}

/** Writes what was typed at the end as a date. */
export function formatExpiry(input: HTMLInputElement, event: InputEvent | undefined): void {
  const deleting = event?.inputType.startsWith('delete') === true;
  const at_end = (input.selectionStart ?? 0) >= input.value.length;
  // typing in the middle rewrites nothing under the caret; the text is formatted when the field is left
  if (!at_end && event) return;
  const shown = showExpiry(readExpiry(input.value), deleting);
  if (digitsOf(input.value) === '') input.value = '';
  else if (shown !== input.value) input.value = shown;
}
