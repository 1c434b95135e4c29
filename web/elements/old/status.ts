// The page's own error line and button of the old generation (contract 12.3, 1); each may be missing.
import { named } from '../outside/build.ts';

export type Status = {
  readonly button: HTMLElement | undefined;
  work(): void;
  /** Frees the button; the text says why there is no token. Empty: nothing is wrong. */
  fail(text: string): void;
};

export function makeStatus(): Status {
  const byId = (id: string) => document.getElementById(id) ?? undefined;
  const button = byId('payment-button');
  const amount = byId('payment-button-amount');
  const sending = byId('payment-button-sending');
  const error = byId(named('payment-error'));
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
