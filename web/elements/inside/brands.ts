// The scheme marks beside the card number's label, never over its digits, and the choice between the brands of a
// co-badged card. The choice is the payer's (Regulation (EU) 2015/751, article 8): the card's own brand is selected at
// first, and the payer may change it.
import { type Scheme, schemesOf, schemesStarting } from '../../../src/core/card.ts';
import { bytesOf } from './number.ts';
import { PAGE, part } from './page.ts';
import { showInRoom } from './room.ts';

/** The style sheet shows fewer if there is no room. */
const MOST_MARKS = 6;

export class Brands {
  private readonly marks = part('marks', HTMLElement);
  private readonly row = part('brands-row', HTMLElement);
  private readonly list = part('brands', HTMLElement);
  private shown = '';
  private offered: readonly string[] = [];
  /** The brands of this number to choose from, the card's own first. */
  private choices: readonly Scheme[] = [];
  private picked = '';
  private readonly changed: () => void;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  /** The schemes that the payer may use; empty: all. */
  offer(schemes: readonly string[]): void {
    this.offered = schemes;
    this.shown = '';
    this.look('');
  }

  takes(scheme: string): boolean {
    return this.offered.length === 0 || this.offered.includes(scheme);
  }

  /** The scheme, as far as the digits tell; empty if several are possible, or none. */
  scheme(digits: string): string {
    return this.picked || this.choices[0] || this.known(digits)[0] || '';
  }

  /** True if a complete number has a brand that is accepted here. */
  isTaken(digits: string): boolean {
    return schemesOf(bytesOf(digits)).some((scheme) => this.takes(scheme));
  }

  /** Shows the marks and the choice for these digits. */
  look(digits: string): void {
    const known = this.known(digits);
    const choices = schemesOf(bytesOf(digits)).filter((scheme) => this.takes(scheme));
    if (choices.join() !== this.choices.join()) this.ask(choices);
    const all = this.offered.length > 0 ? this.offered : Object.keys(PAGE.schemes);
    this.mark(known.length > 0 ? known.slice(0, 1) : digits === '' ? all.slice(0, MOST_MARKS) : []);
  }

  /** Shows these marks, such as the one of a saved card's scheme. */
  mark(schemes: readonly string[]): void {
    if (schemes.join() === this.shown) return;
    this.shown = schemes.join();
    this.marks.replaceChildren(...schemes.map(imageOf));
  }

  lock(locked: boolean): void {
    for (const radio of this.list.querySelectorAll('input')) radio.disabled = locked;
  }

  private known(digits: string): readonly string[] {
    const whole = schemesOf(bytesOf(digits));
    return whole.length > 0 ? whole : schemesStarting(bytesOf(digits));
  }

  private ask(choices: readonly Scheme[]): void {
    this.choices = choices;
    this.picked = '';
    this.list.replaceChildren(...(choices.length < 2 ? [] : choices.map((scheme, i) => this.choice(scheme, i === 0))));
    const show = () => {
      this.row.hidden = this.choices.length < 2;
    };
    const hide = () => {
      this.row.hidden = true;
    };
    if (choices.length < 2) hide();
    else showInRoom({ show, hide });
  }

  private choice(scheme: Scheme, first: boolean): HTMLElement {
    const label = document.createElement('label');
    const radio = document.createElement('input');
    radio.type = 'radio';
    radio.name = 'brand';
    radio.value = scheme;
    radio.checked = first;
    radio.addEventListener('change', () => {
      this.picked = scheme;
      this.mark([scheme]);
      this.changed();
    });
    const name = document.createElement('span');
    name.textContent = PAGE.schemes[scheme]?.name ?? scheme;
    const mark = imageOf(scheme);
    mark.alt = '';
    label.append(radio, mark, name);
    return label;
  }
}

function imageOf(scheme: string): HTMLImageElement {
  const image = document.createElement('img');
  image.src = `/image/logo/${PAGE.schemes[scheme]?.mark ?? ''}`;
  image.alt = PAGE.schemes[scheme]?.name ?? scheme;
  image.width = 35;
  image.height = 22;
  return image;
}
