// Answers of the API: objects and refusals, as JSON.
import type { Reply } from '../../line.ts';
import type { Refusal } from '../errors.ts';

export const json = (status: number, value: object): Reply => ({
  status,
  body: JSON.stringify(value, null, 2),
  headers: { 'content-type': 'application/json' },
});

export const refused = ({ status, error }: Refusal): Reply => json(status, { error });
