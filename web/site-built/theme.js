// Before anything is drawn: light or dark, as the reader chose, else as the system is. src/theme.ts takes the choice.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem('florin-theme');
  } catch {
    // a browser that keeps nothing
  }
  const light = kept ? kept === 'light' : matchMedia('(prefers-color-scheme: light)').matches;
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
})();
