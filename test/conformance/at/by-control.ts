// How simulators are steered; those of Stripe and PayPal alike: src/simulators/stripe/control,
// src/simulators/paypal/control.ts.
import { request } from 'undici';
import type { World } from '../../world.ts';
import type { Away, Driver, Trouble, Twist } from './contract.ts';

export const KINDS: Readonly<Record<Trouble | Twist | Away, string>> = {
  closed_before: 'close_before',
  closed_after: 'close_after',
  silent_before: 'silence_before',
  silent_after: 'silence_after',
  error_before: 'error_before',
  error_after: 'error_after',
  page_before: 'html_before',
  page_after: 'html_after',
  half: 'half',
  too_many: 'too_many',
  other_amount: 'other_amount',
  other_currency: 'other_currency',
  other_reference: 'other_reference',
  credentials: 'credentials',
  rights: 'rights',
};

export const KINDS_OF_TROUBLE = Object.keys(KINDS).slice(0, 10) as Trouble[];

export type Control = (method: string, path: string, body?: object) => Promise<unknown>;

export function controlOf({ service }: World, name: string): Control {
  return async (method, path, body) => {
    const url = service.simulators?.get(name)?.control_url ?? '';
    const said = body === undefined ? null : JSON.stringify(body);
    // it answers when it is done, and to tell all messages of thousands of orders takes minutes
    const patience = { headersTimeout: 0, bodyTimeout: 0 };
    const answer = await request(`${url}/control${path}`, { method, body: said, ...patience });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text) as unknown;
  };
}

export const steering = (control: Control): Pick<Driver, 'listen' | 'cutIdle' | 'clear' | 'hold'> => ({
  listen: async (is_open) => void (await control('POST', '/listening', { open: is_open })),
  cutIdle: async () => {
    await control('POST', '/listening', { open: false });
    await control('POST', '/listening', { open: true });
  },
  clear: async () => void (await control('DELETE', '/faults')),
  hold: async (held) => void (await control('POST', '/messages', { held })),
});
