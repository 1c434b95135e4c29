// Something that is put together of parts which must be closed.

/** What was deferred is done when it is closed, the last first; or at once, where the putting together fails. */
export async function closable<T>(
  make: (stack: AsyncDisposableStack) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  await using stack = new AsyncDisposableStack();
  const made = await make(stack);
  const kept = stack.move();
  return { ...made, close: () => kept.disposeAsync() };
}
