// An order that has read its account and its reference, and goes no further for now.
import type { World } from './world.ts';

/** The next look of an order at its card waits until it is let go. */
export function slowCard(w: World): { readonly asked: Promise<void>; letGo(): void } {
  const { tools } = w.service;
  const { vault } = tools;
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const card: typeof vault.card = async (question) => {
    Object.assign(tools, { vault });
    const found = await vault.card(question);
    asked.resolve();
    await gate.promise;
    return found;
  };
  Object.assign(tools, { vault: { ...vault, card } });
  return { asked: asked.promise, letGo: () => gate.resolve() };
}
