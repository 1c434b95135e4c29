// The new generation (contract 12.2): one payment form in the page. It waits for its container, shows the form, and
// turns what the payer types in the frame into a token. The page's instance learns only the outcome.
import { directionOf } from '../../../src/core/payer/language.ts';
import { type FromFields, PRIVATE_KEY_IN_PAGE, isPrivate } from '../../messages.ts';
import { BRAND, BUILD, type OutsideTexts, complain, languageOf, named, textsOf, warn } from './build.ts';
import type { Config, Outcome, SavedCard } from './config.ts';
import { awaitContainer } from './container.ts';
import { FieldsFrame } from '../../fields-frame.ts';
import { type Form, makeForm } from './form.ts';
import { lookOf, watchLook } from './look.ts';
import { payText } from './pay-text.ts';

/** Longer than the frame waits for the vault: whoever has not answered then is not there any more. */
const ANSWER_MS = 35_000;

/** lost: the frame is not there. done: a token was given, and nothing is sent again before a value changes. */
type State = 'loading' | 'ready' | 'working' | 'done' | 'lost' | 'closed';

export class PaymentElement {
  private readonly config: Config;
  private readonly texts: OutsideTexts;
  private readonly language: string;
  /** The text of the pay button, with the amount if the page has given it. */
  private readonly pay_text: string;
  private readonly succeed: (outcome: Outcome) => void;
  private state: State = 'loading';
  private form: Form | undefined;
  private frame: FieldsFrame | undefined;
  private attempt = 0;
  private timer = 0;
  private waiting: { resolve(outcome: Outcome | undefined): void } | undefined;
  /** The page's onSubmit is at work with the token of this attempt; 0: with none. */
  private paying = 0;
  /** What the payer has changed meanwhile counts behind it: another token could be paid with beside the first. */
  private renewed = false;
  /** The page has a token of this form, and has not said that its payment was declined. */
  private may_be_paid = false;
  private readonly ends: (() => void)[] = [];

  constructor(config: Config, succeed: (outcome: Outcome) => void) {
    this.config = config;
    this.succeed = succeed;
    this.language = languageOf(config.locale);
    this.texts = textsOf(this.language);
    if (isPrivate(config.key)) complain(PRIVATE_KEY_IN_PAGE);
    this.pay_text = payText(this.texts, this.language, config);
    this.ends.push(awaitContainer((container) => this.show(container)));
  }

  /** Closes this form, because another one takes its place. */
  close(): void {
    this.settle(undefined);
    this.state = 'closed';
    for (const end of this.ends.splice(0)) end();
    this.frame?.close();
  }

  /**
   * Does what the pay button does, at most once at a time. Resolves with the outcome; undefined: no token, and the form
   * says why.
   */
  async submit(): Promise<Outcome | undefined> {
    if (this.state !== 'ready' || !this.form) return undefined;
    this.to('working');
    this.form.complain('');
    this.tell('submit', {});
    const recurring = this.form.save?.checked === true || this.config.token_type === 'recurring';
    this.attempt += 1;
    const outcome = new Promise<Outcome | undefined>((resolve) => {
      this.waiting = { resolve };
    });
    this.frame?.say({ kind: 'tokenize', id: this.attempt, token_type: recurring ? 'recurring' : 'oneshot' });
    this.timer = setTimeout(() => this.lose(), ANSWER_MS);
    return outcome;
  }

  /** The payment was declined, so the payer may try again. Typed values stay; the code is emptied. */
  again(): void {
    this.may_be_paid = false;
    if (this.state !== 'done') return;
    this.frame?.say({ kind: 'again' });
    this.to('ready');
  }

  private show(container: HTMLElement): void {
    container.replaceChildren();
    const actions = { pay: () => void this.submit(), pick: (saved: SavedCard | undefined) => this.choose(saved) };
    const form = makeForm({ config: this.config, texts: this.texts }, actions);
    this.form = form;
    form.block.lang = this.language;
    form.block.dir = directionOf(this.language);
    container.append(form.block);
    this.ends.push(watchLook(form.block, () => this.restyle()));
    if (this.config.schemes?.length === 0) {
      this.restyle();
      this.to('lost');
      form.complain(this.texts.no_methods);
      return;
    }
    const back = (event: PageTransitionEvent) => {
      if (event.persisted) this.refresh();
    };
    addEventListener('pageshow', back);
    this.ends.push(() => removeEventListener('pageshow', back));
    this.load();
  }

  private load(): void {
    const { form } = this;
    if (!form) return;
    this.to('loading');
    form.complain('');
    this.frame?.close();
    const look = lookOf(form.block);
    form.block.dataset['theme'] = look.theme;
    this.frame = new FieldsFrame({
      vault_url: BUILD.vault_url,
      key: this.config.key,
      language: this.language,
      theme: look.theme,
      title: this.texts.frame_title,
      greeted: () => this.configure(),
      hear: (message) => this.hear(message),
      lost: () => this.lose(),
    });
    form.block.replaceChildren(this.frame.element);
  }

  private lose(): void {
    if (this.state === 'closed') return;
    this.to('lost');
    this.settle(undefined);
    this.frame?.close();
    this.form?.complain(this.texts.unavailable, () => this.load());
    complain(
      `the card fields at ${BUILD.vault_url} did not load or answer: check the vault, or ${location.origin} may not frame them (registered_origins)`,
    );
  }

  private hear(message: FromFields): void {
    if (this.state === 'closed') return;
    if (message.kind === 'ready') this.ready();
    else if (message.kind === 'height') this.size(message.pixels);
    else if (message.kind === 'enter') void this.submit();
    else if (message.kind === 'change') this.changed(message);
    else if (message.id !== this.attempt || this.state !== 'working') return;
    else if (message.kind === 'incomplete') this.free();
    else if (message.kind === 'refused') this.refused(message);
    else void this.done(message);
  }

  private ready(): void {
    if (this.state === 'loading') this.to('ready');
    this.tell('ready', {});
  }

  private configure(): void {
    const { form, config } = this;
    if (!form) return;
    // the frame was loaded again, so the old fields will not answer any more
    if (this.state === 'working' || this.state === 'done') this.free();
    this.frame?.say({
      kind: 'configure',
      look: lookOf(form.block),
      schemes: config.schemes ?? [],
      holder: config.holder,
      holder_name: config.holder_name,
      checkout_id: config.checkout_id,
      key: isPrivate(config.key) ? config.key : '',
    });
    if (form.picked()) this.choose(form.picked());
  }

  private choose(saved: SavedCard | undefined): void {
    this.form?.complain('');
    this.frame?.say({ kind: 'choose', saved: saved && { token: saved.token, scheme: saved.scheme } });
    this.renew();
  }

  private size(pixels: number): void {
    const element = this.frame?.element;
    if (element && Number.isFinite(pixels)) element.style.height = `${Math.min(Math.max(pixels, 0), 2000)}px`;
  }

  private changed({ complete, scheme, fields }: Extract<FromFields, { kind: 'change' }>): void {
    this.renew();
    this.tell('change', { complete, scheme, fields });
  }

  /** Another card is there now, so it may be paid with; but not before the page is done with the one before. */
  private renew(): void {
    if (this.state !== 'done') return;
    if (this.paying > 0) this.renewed = true;
    else this.to('ready');
  }

  private refused({ reason, code, left }: Extract<FromFields, { kind: 'refused' }>): void {
    const { reasons, nothing_paid } = this.texts;
    // only of what never left is it known here: the page may ask its server what has become of the payment
    const message = (reasons[reason] ?? '') + (left || this.may_be_paid ? '' : ` ${nothing_paid}`);
    this.free();
    if (reason !== 'card') this.form?.complain(message);
    if (reason === 'setup')
      complain(`the vault refused the tokenization with 403: check the key, and the settings of its account`);
    this.tell('error', { code, message });
    void this.call('onError', () => this.config.onError?.({ code, message }));
  }

  private async done(message: Extract<FromFields, { kind: 'token' }>): Promise<void> {
    const { id, token, token_type: tokenType, payment_method_name: paymentMethodName } = message;
    const outcome = { token, paymentMethodName, tokenType };
    this.to('done');
    this.may_be_paid = true;
    this.succeed(outcome);
    this.tell('token', outcome);
    this.settle(outcome);
    this.paying = id;
    this.renewed = false;
    const went_well = await this.call('onSubmit', () => this.config.onSubmit?.(outcome));
    // the page has called again(), and another attempt is under way
    if (this.paying !== id) return;
    this.paying = 0;
    // the page's onSubmit failed with this token, so the payer may try again
    if (!went_well && this.state === 'done') this.free();
    if (this.renewed) this.renew();
  }

  private async call(name: string, callback: () => unknown): Promise<boolean> {
    try {
      await callback();
      return true;
    } catch (error) {
      complain(`${name} failed:`, error);
      return false;
    }
  }

  private free(): void {
    this.to('ready');
    this.frame?.say({ kind: 'unlock' });
    this.settle(undefined);
  }

  private settle(outcome: Outcome | undefined): void {
    clearTimeout(this.timer);
    this.waiting?.resolve(outcome);
    this.waiting = undefined;
  }

  /** The browser showed a kept page again: its typed values and its used token are out of date. */
  private refresh(): void {
    if (this.state !== 'done' && this.state !== 'working') return;
    this.frame?.say({ kind: 'clear' });
    this.free();
  }

  private restyle(): void {
    const { form, frame } = this;
    if (!form) return;
    const look = lookOf(form.block);
    form.block.dataset['theme'] = look.theme;
    if (!frame) return;
    frame.element.style.colorScheme = look.theme;
    frame.say({ kind: 'look', look });
  }

  private to(state: State): void {
    this.state = state;
    const { form } = this;
    if (!form) return;
    form.block.dataset['state'] = state;
    form.block.setAttribute('aria-busy', String(state === 'working' || state === 'loading'));
    if (!form.button) return;
    form.button.disabled = state !== 'ready';
    form.button.textContent = state === 'done' ? this.texts.done : this.pay_text;
  }

  private tell(name: string, detail: object): void {
    this.form?.block.dispatchEvent(new CustomEvent(named(name), { detail, bubbles: true }));
  }
}

/** The environment is accepted and only compared, because the script belongs to one environment (contract 12.1). */
export function compareEnvironment(environment: string): void {
  if (environment !== '' && environment !== BUILD.environment)
    warn(`environment is ${environment}, but this script is ${BRAND}'s ${BUILD.environment}`);
}
