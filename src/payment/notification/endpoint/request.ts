// The requests for endpoints (contract 13.4), and the meanings of their fields.
import { int, text, url, withoutCard } from '../../../core/fields.ts';
import type { JsonValue } from '../../../core/json.ts';
import { MOST_OVERLAP_H, SECRET_LENGTH } from '../../../core/keys/limits.ts';
import { type Field, type Read, type Reading, type Shape, required } from '../../../core/shape.ts';
import type { Notes } from '../../../kit/http/schema.ts';
import { problemOfTarget } from '../../../kit/outside/target.ts';
import type { Tools } from '../../tools.ts';
import { EVENTS } from '../events.ts';
import { isSecret } from '../sign.ts';

const events: Field<readonly string[], false> = {
  schema: { type: ['array', 'null'], items: { enum: EVENTS }, minItems: 1, maxItems: EVENTS.length },
  required: false,
  read: (value, name, reading) => {
    if (!Array.isArray(value) || value.length === 0)
      return reading.refuse(name, 'must be a list of names of events: the reference lists them');
    const named = value.flatMap((one: JsonValue, i) => {
      if (typeof one === 'string' && EVENTS.includes(one)) return [one];
      reading.refuse(`${name}[${i}]`, 'is no event that can be asked for: the reference lists them');
      return [];
    });
    return [...new Set(named)];
  },
};

const plain_secret = text(SECRET_LENGTH.most);
const secret: Field<string, false> = {
  schema: { ...plain_secret.schema, pattern: `^.{${SECRET_LENGTH.least},}$` },
  required: false,
  read: (value, name, reading) => {
    const read = plain_secret.read(value, name, reading);
    if (read === undefined) return undefined;
    const { least, most } = SECRET_LENGTH;
    if ([...read].length < least) return reading.refuse(name, `must be a text of ${least} to ${most} characters`);
    return isSecret(read) ? read : reading.refuse(name, 'must be base64 after whsec_');
  },
};

export const ENDPOINT = {
  url: required(url),
  events,
  description: withoutCard(text(255)),
  secret,
} as const satisfies Shape;
export type EndpointRequest = Read<typeof ENDPOINT>;

export const ROTATION = { overlap_hours: int(0, MOST_OVERLAP_H) } as const satisfies Shape;
export type RotationRequest = Read<typeof ROTATION>;

/** Refuses what can be refused without resolving the address; the rest is checked when something is sent there. */
export function checkEndpoint(
  body: Partial<EndpointRequest>,
  reading: Reading,
  { tools }: { readonly tools: Pick<Tools, 'outside'> },
): void {
  const problem = body.url === undefined ? undefined : problemOfTarget(body.url, tools.outside.rules);
  if (problem !== undefined) reading.refuse('url', problem);
}

export const ENDPOINT_NOTES: Notes = {
  url: 'Where notifications go: https, port 443 or 8443, a public host. A sandbox may be set up to allow more',
  events:
    'Which events it gets. Unless given: all that end in _successful, _declined, _cancelled or _expired, and those with a dot. authorization_successful is the sensible minimum',
  description: 'For people',
  secret:
    'The secret both signatures are made with, to go on with one that a receiver has already; made by us unless given. After whsec_ there must be base64',
};
export const ROTATION_NOTES: Notes = {
  overlap_hours:
    'For so long both secrets are good: webhook-signature carries one signature of each, the brand signature uses the older. 24 unless given',
};
