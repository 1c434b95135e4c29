// The page's own error line and button, for the old generation (contract 12.3, 1); each may be missing.
import { named } from '../outside/build.ts';

export type Status = {
  readonly button: HTMLElement | undefined;
  work(): void;
  /** Enables the button again; the text says why there is no token, or is empty. */
  fail(text: string): void;
};

/**
 * The element with this id: the form's own one first, because each form of a page may have its own; else one outside.
 */
export function partOf(form: HTMLFormElement, id: string): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(`#${CSS.escape(id)}`)];
  const owner = (part: HTMLElement) => ('form' in part && part.form) || part.closest('form');
  return all.find((part) => owner(part) === form) ?? all.find((part) => !owner(part)) ?? all[0];
}

export function makeStatus(form: HTMLFormElement): Status {
  const button = partOf(form, 'payment-button');
  const amount = partOf(form, 'payment-button-amount');
  const sending = partOf(form, 'payment-button-sending');
  const error = partOf(form, named('payment-error'));
  if (error && !error.hasAttribute('role')) error.setAttribute('role', 'alert');
  const show = (working: boolean) => {
    if (button instanceof HTMLButtonElement || button instanceof HTMLInputElement) button.disabled = working;
    if (amount) amount.style.display = working ? 'none' : '';
    if (sending) sending.style.display = working ? 'inline' : 'none';
  };
  show(false);
  return {
    button,
    work: () => {
      if (error) error.textContent = '';
      show(true);
    },
    fail: (text) => {
      if (error) error.textContent = text;
      show(false);
    },
  };
}
