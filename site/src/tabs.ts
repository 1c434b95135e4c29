// The same in several languages: without scripts one below the other, with them one at a time. What the reader chooses holds for
// every page, and for the next visit.

const KEPT = 'florin-language';
let count = 0;

class Tabs extends HTMLElement {
  private readonly panels = [...this.querySelectorAll<HTMLElement>(':scope > section')];
  private tabs: readonly HTMLButtonElement[] = [];

  connectedCallback(): void {
    if (this.tabs.length > 0) return;
    const list = document.createElement('div');
    list.role = 'tablist';
    list.ariaLabel = 'Language';
    this.tabs = this.panels.map((panel) => this.tabOf(panel));
    list.append(...this.tabs);
    list.addEventListener('keydown', (event) => this.move(event));
    this.prepend(list);
    this.show(this.tabs[0]?.textContent ?? null);
    this.show(kept());
  }

  /** By its name. A group without this language stays as it is. */
  show(name: string | null): void {
    const found = this.tabs.findIndex((tab) => tab.textContent === name);
    if (found < 0) return;
    for (const [i, tab] of this.tabs.entries()) {
      const shown = i === found;
      tab.ariaSelected = String(shown);
      tab.tabIndex = shown ? 0 : -1;
      this.panels[i]?.toggleAttribute('hidden', !shown);
    }
  }

  private tabOf(panel: HTMLElement): HTMLButtonElement {
    const tab = document.createElement('button');
    const id = `tab-${(count += 1)}`;
    tab.type = 'button';
    tab.role = 'tab';
    tab.id = id;
    panel.id = `${id}-panel`;
    tab.setAttribute('aria-controls', panel.id);
    tab.textContent = panel.dataset['tab'] ?? '';
    tab.addEventListener('click', () => choose(tab));
    panel.role = 'tabpanel';
    panel.setAttribute('aria-labelledby', id);
    return tab;
  }

  private move(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = this.tabs.findIndex((tab) => tab === document.activeElement);
    const next = this.tabs[(at + (step ?? 0) + this.tabs.length) % this.tabs.length];
    if (step === undefined || at < 0 || !next) return;
    event.preventDefault();
    next.focus();
    choose(next);
  }
}

/** On every group of the page that has this language; what the reader looks at stays where it is. */
function choose(tab: HTMLElement): void {
  const name = tab.textContent;
  if (name === null) return;
  const before = tab.getBoundingClientRect().top;
  for (const tabs of document.querySelectorAll<Tabs>('florin-tabs')) tabs.show(name);
  scrollBy(0, tab.getBoundingClientRect().top - before);
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // a browser that keeps nothing: the choice holds for this page
  }
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

customElements.define('florin-tabs', Tabs);
