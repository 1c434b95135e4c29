// The notifications that are sent, as `webhooks` of openapi.json: an entry an event, with the headers that sign it.
import type { JsonSchema } from '../../../core/shape.ts';
import { media } from '../schema.ts';
import { TEXT } from './headers.ts';

/** Events whose bodies have the same members. */
export type Told = {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly events: readonly string[];
  readonly body: JsonSchema;
};

export function webhooksOf(
  told: readonly Told[],
  { brand, schemas }: { readonly brand: string; readonly schemas: Record<string, JsonSchema> },
): JsonSchema {
  const parameters = signatureHeaders(brand).map((header) => ({ ...header, in: 'header', required: true }));
  return Object.fromEntries(
    told.flatMap((group) =>
      group.events.map((event) => [
        event,
        {
          post: {
            operationId: `told_${event.replace('.', '_')}`,
            summary: `${group.title}: ${event}`,
            description: group.summary,
            tags: ['Notification'],
            // nothing of ours is shown to you: the signature proves who sends
            security: [],
            parameters,
            requestBody: { required: true, content: { 'application/json': ofEvent(group, event, schemas) } },
            responses: RECEIVED,
          },
        },
      ]),
    ),
  );
}

/** The example of a group is one of its events: another one would say what cannot be. */
function ofEvent(group: Told, event: string, schemas: Record<string, JsonSchema>): JsonSchema {
  const { schema, example } = media(group.body, schemas);
  return { schema, ...(JSON.stringify(example).includes(`"event":"${event}"`) && { example }) };
}

const RECEIVED = {
  '2XX': { description: 'Stored: it is not sent again' },
  410: { description: 'No more are wanted: the endpoint is switched off' },
  default: { description: 'Anything else, and silence for 15 s: it is sent again, ten times in 75.6 hours' },
};

/** Names, meanings and examples of what signs a notification (contract 13.1). */
export function signatureHeaders(brand: string) {
  return [
    {
      name: 'webhook-id',
      description: 'The notification: the same for all tries and replays. Keep it, and drop what comes twice',
      example: '66bf18d55d1c9a0e47b2f322',
    },
    {
      name: 'webhook-timestamp',
      description: 'Unix seconds of this try; refuse it when it is more than 300 s off',
      example: '1723799766',
    },
    {
      name: 'webhook-signature',
      description:
        'v1, and base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the base64-decoded part of the secret after whsec_ (Standard Webhooks); while a secret is being changed two values, with a space between them',
      example: 'v1,DGQX/he/KL7fusvx71ZcYZgD7+1pp9FSKG42qV+rt1I=',
    },
    {
      name: `${brand}-timestamp`,
      description: 'The same moment, for the other signature',
      example: '1723799766',
    },
    {
      name: `${brand}-signature`,
      description:
        'Lower-case hex of the HMAC-SHA256 of the body followed by the timestamp, under the text of the secret: for receivers that know no Standard Webhooks',
      example: '37ff70f7a1e4400dfa61dba4956690fd73d759a781c05072f14da2ed983ecd69',
    },
  ].map((header) => ({ ...header, schema: TEXT }));
}
