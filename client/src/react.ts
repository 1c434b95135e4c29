// @florin/client/react: the payment form as a component. One form a page, as the vault's script has it.
import { createElement, useEffect, useRef } from 'react';
import {
  type CardToken,
  type Elements,
  type FormConfig,
  type FormFailure,
  type LoadOptions,
  type PaymentForm,
  loadElements,
} from './elements.ts';

export type FlorinFormProps = LoadOptions &
  Omit<FormConfig, 'onSubmit' | 'onError'> & {
    /**
     * The payer pressed the button, and the card is a token now: give it to your server. Rejecting frees the button.
     */
    readonly onToken: (token: CardToken, elements: Elements) => unknown;
    readonly onFailure?: (failure: FormFailure | Error) => unknown;
    /** The form, for a button of your own: `form.submit()`. */
    readonly onForm?: (form: PaymentForm) => unknown;
  };

/**
 * The card fields. Changing the checkout, the amount, the kind of token, the language or the key makes a new form, with
 * empty fields; changing a callback does not.
 */
export function FlorinForm(props: FlorinFormProps) {
  const latest = useRef(props);
  latest.current = props;
  const { vault_url, brand = 'florin', publicapikey, checkoutId, locale, amount, currency, tokentype } = props;
  useEffect(() => {
    let is_here = true;
    const show = async () => {
      const elements = await loadElements(latest.current);
      if (!is_here) return;
      const { onToken: _token, onFailure: _failure, onForm: _form, ...config } = latest.current;
      const form = new elements({
        ...config,
        onSubmit: (token) => latest.current.onToken(token, elements),
        onError: (failure) => latest.current.onFailure?.(failure),
      });
      latest.current.onForm?.(form);
    };
    show().catch((error: unknown) => {
      if (is_here && error instanceof Error) latest.current.onFailure?.(error);
    });
    return () => {
      is_here = false;
    };
    // what the payer reads on the button, and what the token is for
  }, [vault_url, brand, publicapikey, checkoutId, locale, amount, currency, tokentype]);
  return createElement('div', { id: `${brand}-payment-container` });
}
