// The simulated bank's own clock, which moves apart from ours.
import { expect } from 'vitest';
import type { World } from './world.ts';

/** Moves the bank's clock; what is due by then has happened and was told. */
export async function bankLater({ service }: Pick<World, 'service'>, seconds: number): Promise<void> {
  const control = service.tools.sandbox;
  const now = (await control?.({ method: 'GET', path: '/clock' }))?.body['now'];
  const to = new Date(Date.parse(String(now)) + seconds * 1000).toISOString();
  expect(await control?.({ method: 'POST', path: '/clock', body: { to } })).toMatchObject({ status: 200 });
}
