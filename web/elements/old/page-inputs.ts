// The old generation (contract 12.3): card inputs in the merchant's own page, for accounts with page_inputs. The
// numbered notes say what existing pages depend on; a change there breaks them.
import { PRIVATE_KEY_IN_PAGE, isPrivate } from '../../messages.ts';
import { complain, languageOf, named, textsOf } from '../outside/build.ts';
import { type Inputs, makeInputs } from './inputs.ts';
import { tokenizeCard } from './request.ts';
import { type Status, makeStatus } from './status.ts';

export class PageInputs {
  private readonly key: () => string;
  private readonly form: HTMLFormElement | undefined;
  private readonly inputs: Inputs | undefined;
  private readonly status: Status | undefined;
  private readonly texts = textsOf(languageOf(document.documentElement.lang));
  private working = false;
  /** True while the form has a token that the page has not sent yet. */
  private passing = false;

  /** (2) Makes the inputs at once, because pages look for them in their next line. `key` is called at submit time. */
  constructor(key: () => string) {
    this.key = key;
    const id = named('payment-form');
    const form = document.getElementById(id);
    if (!(form instanceof HTMLFormElement)) {
      complain(`there is no form with the id ${id}: no inputs were made`);
      return;
    }
    if (isPrivate(key())) complain(PRIVATE_KEY_IN_PAGE);
    this.form = form;
    this.status = makeStatus(form);
    this.inputs = makeInputs(form);
    form.addEventListener('submit', this.stop);
    form.addEventListener('input', this.changed);
    this.status.button?.addEventListener('click', this.press);
    addEventListener('pageshow', this.back);
    addEventListener('pagehide', this.wipe);
  }

  close(): void {
    this.form?.removeEventListener('submit', this.stop);
    this.form?.removeEventListener('input', this.changed);
    this.status?.button?.removeEventListener('click', this.press);
    removeEventListener('pageshow', this.back);
    removeEventListener('pagehide', this.wipe);
    this.inputs?.remove();
  }

  /** (4) Tokenizes without checkout_id, and puts the token into the form. The page's own observer sends the form. */
  async submit(): Promise<void> {
    const { form, inputs, status } = this;
    if (!form || !inputs || !status || this.working) return;
    this.forget();
    const problem = inputs.problem();
    if (problem) {
      status.fail(this.texts.card_errors[problem.says] ?? '');
      problem.at?.focus();
      return;
    }
    this.working = true;
    status.work();
    const done = await tokenizeCard(this.key(), inputs.card());
    this.working = false;
    if (done.kind === 'refused') {
      // (5)
      status.fail(this.texts.card_errors[done.says] ?? this.texts.reasons[done.says] ?? '');
      if (done.says === 'setup')
        complain('the vault refused the tokenization with 403: check the key, and that its account has page_inputs on');
      return;
    }
    // the button stays disabled: a second press would pay twice
    inputs.leave(done.scheme, done.last4);
    this.passing = true;
    form.append(hiddenToken(done.token));
    form.dispatchEvent(new CustomEvent(named('token'), { detail: { token: done.token }, bubbles: true }));
  }

  private readonly stop = (event: Event): void => {
    if (this.passing) {
      this.passing = false;
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    void this.submit();
  };

  /** For a button that does not submit the form by itself. */
  private readonly press = (): void => {
    const button = this.status?.button;
    const submits = button instanceof HTMLButtonElement && button.type === 'submit' && button.form === this.form;
    if (!submits) this.form?.requestSubmit();
  };

  /** The payer changes a form that has its token, so the token is removed. */
  private readonly changed = (event: Event): void => {
    if (this.working || !document.getElementById(named('token')) || !this.inputs?.has(event.target)) return;
    this.forget();
    this.status?.fail('');
  };

  /** The browser showed a kept page again, and its token was already sent. */
  private readonly back = (event: PageTransitionEvent): void => {
    if (!event.persisted) return;
    this.forget();
    this.status?.fail('');
  };

  /** The payer leaves: what is in the inputs now is what the browser keeps, to fill it in when they come back. */
  private readonly wipe = (): void => this.inputs?.wipe();

  private forget(): void {
    this.passing = false;
    document.getElementById(named('token'))?.remove();
    this.inputs?.restore();
  }
}

/** A direct child of the form, complete before it is added, because pages wait for exactly that. */
function hiddenToken(token: string): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'hidden';
  input.id = named('token');
  input.name = named('token');
  input.setAttribute('value', token);
  return input;
}
