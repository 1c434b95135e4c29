// The container of the form: the merchant's element, which may be added later (contract 12.2, 2).
import { complain, named } from './build.ts';

const PATIENCE_MS = 10_000;

/**
 * Calls `found` at once or as soon as the container is in the page; gives up with a console error. Returns a function
 * that stops the waiting.
 */
export function awaitContainer(found: (container: HTMLElement) => void): () => void {
  const id = named('payment-container');
  const look = () => document.getElementById(id);
  const there = look();
  if (there) {
    found(there);
    return () => undefined;
  }
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  const observer = new MutationObserver(() => {
    const container = look();
    if (!container) return;
    stop();
    found(container);
  });
  const timer = setTimeout(() => {
    stop();
    complain(`there is no element with the id ${id}: the payment form was not shown`);
  }, PATIENCE_MS);
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['id'] });
  return stop;
}
