// Stands in for the payment element (contract 12.2) where the vault does not serve it: the same class and the same
// promises, with plain inputs instead of a frame. It tokenizes at the real vault.
(() => {
  const make = (tag, properties, ...parts) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...parts);
    return element;
  };
  const input = (label, autocomplete) => {
    const field = make('input', { autocomplete, inputMode: 'numeric' });
    field.style.cssText =
      'display:block;width:100%;min-height:2.75rem;margin:.25rem 0 1rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--strong-line);border-radius:10px';
    return { field, label: make('label', {}, label, field) };
  };
  globalThis.Florin = class {
    constructor(given) {
      Object.defineProperty(this, 'given', { value: given });
      const container = document.getElementById('florin-payment-container');
      const form = make('div', { id: 'florin-payment-form' });
      this.number = input('Card number', 'cc-number');
      this.expiry = input('Expiry date', 'cc-exp');
      this.code = input('Security code', 'cc-csc');
      form.append(this.number.label, this.expiry.label, this.code.label);
      if (given.displaySave) {
        this.save = make('input', { type: 'checkbox' });
        form.append(make('label', {}, this.save, ' Save this card'));
      }
      this.error = make('p', { role: 'alert' });
      form.append(this.error);
      container.replaceChildren(form);
    }

    async submit() {
      const { publicapikey, checkoutId, tokentype, onSubmit, onError } = this.given;
      const [month, year] = this.expiry.field.value.split('/').map((part) => part.trim());
      const answer = await fetch('/token', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': publicapikey },
        body: JSON.stringify({
          card_number: this.number.field.value,
          card_validity_month: month,
          card_validity_year: year,
          cvc: this.code.field.value,
          token_type: this.save?.checked ? 'recurring' : tokentype,
          checkout_id: checkoutId,
        }),
      });
      const { result, token, token_type, customer_scheme_name } = await answer.json();
      if (!token) {
        this.error.textContent = 'Check the card details.';
        onError?.({ code: result.code, message: 'Check the card details.' });
        return undefined;
      }
      const outcome = { token, tokenType: token_type, paymentMethodName: customer_scheme_name };
      Object.assign(this, outcome);
      await onSubmit?.(outcome);
      return outcome;
    }
  };
})();
