// A page for each kind of notification: its headers, its events, its body.
import { EVENT_GROUPS } from '../../../src/payment/notification/event-schema.ts';
import { USUAL_EVENTS } from '../../../src/payment/notification/events.ts';
import { signatureHeaders } from '../../../src/kit/http/reference/webhooks.ts';
import { exampleOf } from '../../../src/kit/http/schema.ts';
import { answerFields } from './fields.ts';
import { escaped, fence, pageText, prose, table } from './html.ts';

export function notificationPages(brand: string): readonly (readonly [string, string])[] {
  return EVENT_GROUPS.map((group, i): [string, string] => [
    `reference/notifications/${group.name}.mdx`,
    pageText(
      { title: group.title, description: `Notifications: ${group.summary}`, order: i },
      `${prose(group.summary)} Sent as a POST to [your endpoints](/docs/reference/create-endpoint/); how it is ordered and tried again: [contract 13](/docs/contract/13-notifications/).

## Headers

${table(
  ['Header', 'Meaning', 'Example'],
  signatureHeaders(brand).map(({ name, description, example }) => [
    `<code>${name}</code>`,
    prose(description),
    `<code>${escaped(example)}</code>`,
  ]),
)}

## Events

${table(
  ['Event', 'An endpoint that names none gets it'],
  group.events.map((event) => [`<code>${event}</code>`, USUAL_EVENTS.includes(event) ? 'yes' : '']),
)}

## Body

${answerFields(group.body)}

### Example of a body

${fence('json', JSON.stringify(exampleOf(group.body), undefined, 2))}

## Answer

Any status of 2xx, as soon as you have stored it, within 15 s. 410 switches the endpoint off. Everything else is tried again.`,
    ),
  ]);
}
