// What a person says of a provider, for tests that must not be led elsewhere by what its calls came to.
import type { World } from './world.ts';

/** Everything is sent to it as the shop asks, however late a slow machine makes its answers. */
export async function keepClosed({ sql }: Pick<World, 'sql'>, provider = 'simulator'): Promise<void> {
  await sql(
    `INSERT INTO payment.providers (name, held) VALUES ($1, 'closed')
     ON CONFLICT (name) DO UPDATE SET held = excluded.held`,
    [provider],
  );
}
