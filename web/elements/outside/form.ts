// The form's own elements in the merchant's page: saved cards, the place of the frame, save box, error line, pay
// button. They are in a shadow tree, so that no rule of the page breaks them; a page restyles them by variables and
// ::part (decision 59). Their only card data are those that the merchant's page itself was given: scheme, last four
// digits and expiry of a saved card.
import { BUILD, type OutsideTexts, named } from './build.ts';
import type { Config, SavedCard } from './config.ts';

export type Form = {
  /** The element in the page. Its child, the frame, is shown among the parts. */
  readonly block: HTMLElement;
  readonly save: HTMLInputElement | undefined;
  readonly button: HTMLButtonElement | undefined;
  /** Shows a text, also to screen readers; empty: none. `retry` adds a button. */
  complain(text: string, retry?: () => void): void;
  /** The saved card that the payer picked; undefined: another card. */
  picked(): SavedCard | undefined;
};

type Parts = { readonly config: Config; readonly texts: OutsideTexts };
type Actions = { readonly pay: () => void; readonly pick: (saved: SavedCard | undefined) => void };

export function makeForm({ config, texts }: Parts, { pay, pick }: Actions): Form {
  const block = document.createElement('div');
  block.id = named('payment-form');
  block.className = named('form');
  const saved = config.saved.length > 0 ? savedCards({ config, texts }, pick) : undefined;
  const fields = make('div', 'fields');
  fields.append(document.createElement('slot'));
  const save = config.save ? saveBox(texts) : undefined;
  const error = make('p', 'error');
  error.setAttribute('role', 'alert');
  const button = config.buttons ? payButton(pay) : undefined;
  const parts = document.createElement('div');
  parts.className = named('parts');
  parts.part = 'form';
  parts.append(...[saved?.group, fields, save?.label, error, button].filter((part) => part !== undefined));
  const tree = block.attachShadow({ mode: 'open' });
  tree.append(parts);
  dress(tree);
  const showSave = () => {
    if (save) save.label.hidden = saved?.picked() !== undefined;
  };
  saved?.group.addEventListener('change', showSave);
  showSave();
  return {
    block,
    save: save?.box,
    button,
    complain: (text, retry) => {
      error.replaceChildren(text, ...(retry ? [' ', retryButton(texts, retry)] : []));
    },
    picked: () => saved?.picked(),
  };
}

/**
 * A style sheet that a script makes needs no entry in the page's policy. Browsers before 2023 load the same one as a
 * file.
 */
function dress(tree: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(BUILD.style);
    tree.adoptedStyleSheets = [sheet];
  } catch {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = `${BUILD.vault_url}/stylesheet/2.3/${named('client.min.css')}`;
    tree.prepend(link);
  }
}

/** Makes a part of the form. `name` is its ::part name, and with the brand's prefix its class. */
function make<K extends keyof HTMLElementTagNameMap>(tag: K, name: string): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = named(name);
  element.part = name;
  return element;
}

function payButton(pay: () => void): HTMLButtonElement {
  const button = make('button', 'pay');
  button.type = 'button';
  button.disabled = true;
  button.addEventListener('click', pay);
  return button;
}

function retryButton(texts: OutsideTexts, retry: () => void): HTMLButtonElement {
  const button = make('button', 'retry');
  button.type = 'button';
  button.textContent = texts.try_again;
  button.addEventListener('click', retry);
  return button;
}

function saveBox(texts: OutsideTexts): { label: HTMLLabelElement; box: HTMLInputElement } {
  const label = make('label', 'save');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.part = 'save-box';
  const [title, more] = [textOf(texts.save), make('small', 'save-more')];
  more.textContent = texts.save_more;
  [title.id, more.id] = [named('save-title'), named('save-more')];
  box.setAttribute('aria-labelledby', title.id);
  box.setAttribute('aria-describedby', more.id);
  const words = document.createElement('span');
  words.append(title, more);
  label.append(box, words);
  return { label, box };
}

function savedCards({ config, texts }: Parts, pick: (saved: SavedCard | undefined) => void) {
  const group = make('fieldset', 'saved');
  const legend = document.createElement('legend');
  legend.textContent = texts.saved_cards;
  group.append(legend);
  const choices = new Map<HTMLInputElement, SavedCard | undefined>();
  for (const saved of [...config.saved, undefined]) {
    const radio = document.createElement('input');
    radio.type = 'radio';
    radio.name = named('choice');
    radio.checked = choices.size === 0;
    radio.addEventListener('change', () => pick(saved));
    choices.set(radio, saved);
    const label = make('label', 'saved-card');
    label.append(radio, ...(saved ? describe(saved, texts) : [textOf(texts.another_card)]));
    group.append(label);
  }
  const picked = () => [...choices].find(([radio]) => radio.checked)?.[1];
  return { group, picked };
}

function textOf(text: string): HTMLElement {
  const span = document.createElement('span');
  span.textContent = text;
  return span;
}

/** Scheme, last four digits and expiry, then the mark; no more digits than these (V11). */
function describe(saved: SavedCard, texts: OutsideTexts): readonly HTMLElement[] {
  const logo = make('img', 'logo');
  logo.src = saved.logo;
  logo.alt = '';
  logo.width = 38;
  logo.height = 24;
  const words: Readonly<Record<string, string>> = {
    scheme: schemeName(saved.scheme),
    last4: saved.last4,
    expiry: saved.expiry,
  };
  return [textOf(texts.saved_card.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '')), logo];
}

function schemeName(scheme: string): string {
  return BUILD.schemes[scheme]?.name ?? scheme;
}
