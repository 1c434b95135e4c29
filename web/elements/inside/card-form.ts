// All card fields together: which are shown, whether they are valid, and the request that they make.
import { type FromFields, type SavedChoice, type ToFields, isPrivate } from '../../messages.ts';
import { SCHEMES, type Scheme } from '../../../src/core/card.ts';
import { Brands } from './brands.ts';
import { expiryProblem, readExpiry } from './expiry.ts';
import { Field } from './field.ts';
import { SHORTEST, digitsOf, isWhole } from './number.ts';
import { PAGE, part, text } from './page.ts';
import { type Card, tokenize } from './tokenize.ts';
import { formatExpiry, groupDigits, keepSeparators, takeDigits } from './typed.ts';

export class CardForm {
  private readonly brands = new Brands(() => this.changed());
  private readonly number: Field;
  private readonly expiry: Field;
  private readonly code: Field;
  private readonly holder: Field;
  private readonly say: (message: FromFields) => void;
  private checkout_id = '';
  private key = PAGE.key;
  private saved: SavedChoice | undefined;
  /** The page asks for the name on the card. */
  private asks_holder = false;
  private working = false;

  constructor(say: (message: FromFields) => void) {
    this.say = say;
    const changed = () => this.changed();
    const number = {
      problem: (value: string) => this.numberProblem(digitsOf(value)),
      missing: () => 'number_missing',
      format: groupDigits,
    };
    this.number = new Field('number', number, changed);
    const expiry = {
      problem: (value: string) => expiryProblem(readExpiry(value), new Date()),
      missing: () => 'expiry_missing',
      format: formatExpiry,
    };
    this.expiry = new Field('expiry', expiry, changed);
    const code = {
      problem: (value: string) => (this.rightLength(value) ? undefined : `code_${this.codeLength()}`),
      missing: () => (this.isCodeNeeded() ? `code_${this.codeLength()}` : undefined),
      format: (input: HTMLInputElement) => {
        input.value = digitsOf(input.value).slice(0, this.longestCode());
      },
    };
    this.code = new Field('code', code, changed);
    const holder = {
      problem: (value: string) => (digitsOf(value).length >= 12 ? 'holder_digits' : undefined),
      missing: () => undefined,
    };
    this.holder = new Field('holder', holder, changed);
    keepSeparators(this.number.input);
    takeDigits(this.code.input, () => this.longestCode());
  }

  configure(message: Extract<ToFields, { kind: 'configure' }>): void {
    this.checkout_id = message.checkout_id;
    // of a public key the vault has looked who may frame these fields: no page brings another
    this.key = isPrivate(message.key) ? message.key : PAGE.key;
    this.brands.offer(message.schemes);
    this.asks_holder = message.holder;
    this.holder.show(message.holder);
    this.holder.set(message.holder_name);
    this.refresh();
  }

  /** A saved card asks only for its cvc; without a saved card all fields are shown. */
  choose(saved: SavedChoice | undefined): void {
    const holder = this.holder.input.value;
    this.saved = saved;
    for (const field of [this.number, this.expiry]) field.show(saved === undefined);
    this.holder.show(saved === undefined && this.asks_holder);
    this.code.set('');
    this.holder.set(holder);
    this.refresh();
  }

  lock(locked: boolean): void {
    this.working = locked;
    for (const field of this.fields()) field.lock(locked);
    this.brands.lock(locked);
  }

  /** The payment was declined: typed values stay, except the code, which was valid for one try. */
  again(): void {
    this.lock(false);
    this.code.set('');
    this.refresh();
  }

  clear(): void {
    for (const field of [this.number, this.expiry, this.code]) field.set('');
    this.refresh();
  }

  async submit(id: number, token_type: string): Promise<void> {
    if (this.working) return;
    const wrong = this.fields().filter((field) => !field.check());
    if (wrong.length > 0) return this.say({ kind: 'incomplete', id });
    this.lock(true);
    const done = await tokenize(this.request(token_type), this.key);
    this.lock(false);
    if (done.kind === 'token') {
      const { token, payment_method_name, token_type: type } = done;
      return this.say({ kind: 'token', id, token, payment_method_name, token_type: type });
    }
    this.refuse(done.fields, done.code);
    this.say({ kind: 'refused', id, reason: done.reason, code: done.code, left: done.left });
  }

  focusWrong(): void {
    this.fields()
      .find((field) => field.wrong)
      ?.input.focus();
  }

  private request(token_type: string): Card {
    const { checkout_id } = this;
    const cvc = digitsOf(this.code.input.value);
    if (this.saved) return { token: this.saved.token, cvc, checkout_id };
    const { month, year } = readExpiry(this.expiry.input.value);
    return {
      card_number: this.digits(),
      card_validity_month: month,
      card_validity_year: year,
      cvc,
      cardholder_name: this.holder.input.value.trim(),
      customer_scheme_name: this.brands.scheme(this.digits()),
      token_type,
      checkout_id,
    };
  }

  /** Shows each problem that the vault found beside its field. */
  private refuse(fields: readonly string[], code: string): void {
    const said: readonly [string, Field, string][] = [
      ['card_number', this.number, 'number_refused'],
      ['card_validity_month', this.expiry, 'expiry_month'],
      ['card_validity_year', this.expiry, code === EXPIRED ? 'expiry_past' : 'expiry_refused'],
      ['cvc', this.code, `code_${this.codeLength()}`],
      ['cardholder_name', this.holder, 'holder_digits'],
    ];
    const wrong = said.filter(([name]) => fields.includes(name));
    for (const [, field, problem] of wrong.toReversed()) field.refuse(problem);
  }

  private fields(): readonly Field[] {
    return [this.number, this.expiry, this.code, this.holder];
  }

  private digits(): string {
    return digitsOf(this.number.input.value);
  }

  private scheme(): Scheme | undefined {
    const name = this.saved?.scheme ?? this.brands.scheme(this.digits());
    return isScheme(name) ? name : undefined;
  }

  private codeLength(): 3 | 4 {
    const scheme = this.scheme();
    return scheme ? SCHEMES[scheme].cvc : 3;
  }

  private longestCode(): number {
    return this.scheme() ? this.codeLength() : 4;
  }

  /** Three or four digits are both right while the scheme is unknown. */
  private rightLength(code: string): boolean {
    return this.scheme() ? code.length === this.codeLength() : code.length === 3 || code.length === 4;
  }

  private isCodeNeeded(): boolean {
    if (this.saved) return true;
    const scheme = this.scheme();
    return !scheme || SCHEMES[scheme].cvc_required;
  }

  private numberProblem(digits: string): string | undefined {
    if (!isWhole(digits)) return digits.length < SHORTEST ? 'number_incomplete' : 'number_wrong';
    return this.brands.isTaken(digits) ? undefined : 'number_not_taken';
  }

  private refresh(): void {
    if (this.saved) this.brands.mark([this.saved.scheme]);
    else this.brands.look(this.digits());
    const length = this.codeLength();
    part('code-hint', HTMLElement).textContent = text(`code_hint_${length}`);
    // the style sheet shows the picture for this length
    document.documentElement.dataset['code'] = String(length);
  }

  private changed(): void {
    this.refresh();
    const names = ['number', 'expiry', 'code', 'holder'] as const;
    const fields = names.map((name) => [name, this[name].validity()] as const);
    const complete = fields.every(([, { valid }]) => valid);
    this.say({ kind: 'change', complete, scheme: this.scheme() ?? '', fields: Object.fromEntries(fields) });
  }
}

/** result.code of a card that has expired (contract 6.1). */
const EXPIRED = '240022';

function isScheme(name: string): name is Scheme {
  return Object.hasOwn(SCHEMES, name);
}
