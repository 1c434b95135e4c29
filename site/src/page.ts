// What every page does: copies its code, shows code in the language and the page in the look that the reader chose.
import './tabs.ts';
import './theme.ts';

/** A button beside each piece of code. Without scripts there is none. */
for (const pre of document.querySelectorAll('.code > pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => void copy(pre.textContent ?? '', button));
  pre.after(button);
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not copied';
  }
  setTimeout(() => (button.textContent = 'Copy'), 2000);
}
