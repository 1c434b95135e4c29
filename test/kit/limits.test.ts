// No answer takes longer than 28 s (contract 2.8), whatever its work does.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIMITS, within } from '../../src/kit/http/limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = () => new Error('late');

test('work that is done in time is answered, and leaves no timer behind', async () => {
  await expect(within(Promise.resolve(1), late)).resolves.toBe(1);
  await expect(within(Promise.reject(new Error('its own')), late)).rejects.toThrow('its own');
  expect(vi.getTimerCount()).toBe(0);
});

test('work that hangs is given up after 28 s and not before', async () => {
  const ended = vi.fn<(error: Error) => void>();
  const waiting = within(new Promise<never>(() => undefined), late).catch(ended);
  await vi.advanceTimersByTimeAsync(LIMITS.answer_ms - 1);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(ended.mock.calls.map(([error]) => error.message)).toEqual(['late']);
  expect(LIMITS.answer_ms).toBe(28_000);
});
