// One input with its label and its error line. The error appears when the field is left, goes while it is being
// corrected, and is said to screen readers because the input names it as its description.
import type { Validity } from '../../messages.ts';
import { part, text } from './page.ts';
import { showInRoom } from './room.ts';

type Rules = {
  /** Name of the text that says what is wrong; undefined: nothing. Asked for a value that is not empty. */
  problem(value: string): string | undefined;
  /** Name of the text for an empty field that is needed; undefined: it may be empty. */
  missing(): string | undefined;
  /** Formats what was typed; the caret is set here too. */
  format?(input: HTMLInputElement, event: InputEvent | undefined): void;
};

export class Field {
  readonly input: HTMLInputElement;
  private readonly row: HTMLElement;
  private readonly error: HTMLElement;
  private readonly rules: Rules;
  /** The vault refused this value. */
  private refused = '';
  /** Name of the text that is said, or that waits for room; empty: none. */
  private said = '';

  constructor(name: string, rules: Rules, changed: () => void) {
    this.rules = rules;
    this.input = part(name, HTMLInputElement);
    this.row = part(`${name}-row`, HTMLElement);
    this.error = part(`${name}-error`, HTMLElement);
    this.input.addEventListener('input', (event) => {
      rules.format?.(this.input, event instanceof InputEvent ? event : undefined);
      this.refused = '';
      this.say('');
      changed();
    });
    this.input.addEventListener('blur', () => this.left());
  }

  get shown(): boolean {
    return !this.row.hidden;
  }

  show(shown: boolean): void {
    this.row.hidden = !shown;
  }

  validity(): Validity {
    return { empty: this.input.value.trim() === '', valid: this.problem() === undefined };
  }

  /** Says what is wrong, also that nothing is there; true: nothing is wrong. */
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
