// Something that is put together of parts which must be closed.

/** Runs the deferred work when the thing is closed, the last first; or at once, if making the thing fails. */
export async function closable<T>(
  make: (stack: AsyncDisposableStack) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  await using stack = new AsyncDisposableStack();
  const made = await make(stack);
  const kept = stack.move();
  return { ...made, close: () => kept.disposeAsync() };
}
