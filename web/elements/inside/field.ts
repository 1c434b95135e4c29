// One input with its label and its error line. The error appears when the field is left, and goes away while it is
// being corrected. Screen readers read it out, because it is the input's description.
import type { Validity } from '../../messages.ts';
import { part, text } from './page.ts';
import { showInRoom } from './room.ts';
import { whenTyped } from './typed.ts';

type Rules = {
  /** The name of the error text; undefined: no error. Called for a value that is not empty. */
  problem(value: string): string | undefined;
  /** The name of the error text for an empty field; undefined: the field may be empty. */
  missing(): string | undefined;
  /** Formats the typed text, and sets the caret. */
  format?(input: HTMLInputElement, event: InputEvent | undefined): void;
};

export class Field {
  readonly input: HTMLInputElement;
  private readonly row: HTMLElement;
  private readonly error: HTMLElement;
  private readonly rules: Rules;
  /** The value that the vault refused. */
  private refused = '';
  /** The name of the text that is shown, or that waits for room; empty: none. */
  private said = '';

  constructor(name: string, rules: Rules, changed: () => void) {
    this.rules = rules;
    this.input = part(name, HTMLInputElement);
    this.row = part(`${name}-row`, HTMLElement);
    this.error = part(`${name}-error`, HTMLElement);
    whenTyped(this.input, (event) => {
      rules.format?.(this.input, event);
      this.refused = '';
      this.say('');
      changed();
    });
    this.input.addEventListener('blur', () => this.left());
  }

  get shown(): boolean {
    return !this.row.hidden;
  }

  /** It says an error, or will when there is room for it. */
  get wrong(): boolean {
    return this.shown && this.said !== '';
  }

  show(shown: boolean): void {
    this.row.hidden = !shown;
  }

  validity(): Validity {
    return { empty: this.input.value.trim() === '', valid: this.problem() === undefined };
  }

  /** Shows the field's error, also if it is empty; true: there is none. */
  check(): boolean {
    const problem = this.problem();
    this.say(problem ?? '');
    return problem === undefined;
  }

  refuse(problem: string): void {
    this.refused = problem;
    this.say(problem);
  }

  set(value: string): void {
    this.input.value = value;
    this.rules.format?.(this.input, undefined);
    this.refused = '';
    this.say('');
  }

  lock(locked: boolean): void {
    this.input.readOnly = locked;
  }

  private problem(): string | undefined {
    if (!this.shown) return undefined;
    if (this.refused !== '') return this.refused;
    const value = this.input.value.trim();
    return value === '' ? this.rules.missing() : this.rules.problem(value);
  }

  private left(): void {
    if (this.input.value.trim() === '' || this.input.readOnly) return;
    this.rules.format?.(this.input, undefined);
    if (this.refused === '') this.check();
  }

  private say(problem: string): void {
    const before = this.said;
    this.said = problem;
    if (problem === '') this.write('');
    else showInRoom({ show: () => this.write(this.said), hide: () => this.write(before) });
  }

  private write(problem: string): void {
    this.error.textContent = problem === '' ? '' : text(problem);
    if (problem === '') this.input.removeAttribute('aria-invalid');
    else this.input.setAttribute('aria-invalid', 'true');
  }
}
