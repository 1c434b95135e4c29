// Light or dark: each select of the page says and takes it. What is shown before scripts run is in public/theme.js.

const KEPT = 'florin-theme';
const system = matchMedia('(prefers-color-scheme: light)');
const selects = document.querySelectorAll<HTMLSelectElement>('.theme > select');
let chosen = kept();

show();
system.addEventListener('change', show);
for (const select of selects)
  select.addEventListener('change', () => {
    chosen = select.value;
    keep();
    show();
  });

function show(): void {
  const theme = chosen === '' ? (system.matches ? 'light' : 'dark') : chosen;
  document.documentElement.dataset['theme'] = theme;
  for (const select of selects) select.value = chosen;
}

function kept(): string {
  try {
    return localStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}

function keep(): void {
  try {
    localStorage.setItem(KEPT, chosen);
  } catch {
    // a browser that keeps nothing: the choice holds for this page
  }
}
