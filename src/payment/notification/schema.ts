// The answers of the management of notifications, for openapi.json and the reference.
import type { JsonSchema } from '../../core/shape.ts';
import {
  flag,
  id,
  integer,
  isoDate,
  isoDateOrNull,
  list,
  object,
  resultOf,
  text,
  textOrNull,
  word,
} from '../../kit/http/schema.ts';
import { USUAL_EVENTS } from './events.ts';

const RESULT = resultOf('request_completed');
const ENDPOINT_ID = '66bf1a105d1c9a0e47b2f360';

const ENDPOINT_MEMBERS = {
  _id: id('Endpoint', ENDPOINT_ID),
  url: text('Where notifications go', 'https://shop.example/florin'),
  events: list('Which it gets', { type: 'string' }, USUAL_EVENTS.slice(0, 3)),
  description: text('For people', ''),
  active: flag('It gets notifications; an answer 410 switches it off, until it is activated', true),
  createdAt: isoDate('When it was made'),
};

export const ENDPOINT_ANSWER: JsonSchema = object(
  {
    result: RESULT,
    endpoint: object(
      {
        ...ENDPOINT_MEMBERS,
        secret: text(
          'What both signatures are made with. Shown here and never again',
          'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
        ),
      },
      { title: 'EndpointWithSecret' },
    ),
  },
  { title: 'EndpointAnswer' },
);

export const ENDPOINT_LIST: JsonSchema = object(
  {
    result: RESULT,
    endpoints: list(
      'The oldest first',
      object(
        {
          ...ENDPOINT_MEMBERS,
          health: object(
            {
              state: word('How it stands', ['ok', 'failing', 'off']),
              failing_since: isoDateOrNull('When its first try without a success since failed', null),
              waiting: integer('Notifications that wait for it', 0),
            },
            { title: 'EndpointHealth' },
          ),
        },
        { title: 'Endpoint' },
      ),
    ),
  },
  { title: 'EndpointList' },
);

export const DONE_ANSWER: JsonSchema = object({ result: RESULT }, { title: 'NotificationDone' });

export const ACTIVATION_ANSWER: JsonSchema = object(
  { result: RESULT, was_off: flag('It was switched off before', true) },
  { title: 'EndpointActivation' },
);

export const TEST_ANSWER: JsonSchema = object(
  {
    result: RESULT,
    delivered: flag('The endpoint answered 2xx', true),
    http_status: { type: ['integer', 'null'], description: 'What it answered; null: nothing', examples: [200] },
    duration_ms: integer('How long that took', 84),
  },
  { title: 'EndpointTest' },
);

export const REPLAY_ANSWER: JsonSchema = object(
  {
    result: RESULT,
    replayed: integer('How many will be sent again, at most 10,000', 12),
    has_more: flag('There may be more of them: ask again, with the cursor'),
    next_cursor: textOrNull('Send it as `cursor` with the same range; null on the last answer', null),
  },
  { title: 'NotificationReplay' },
);

export const NOTIFICATION_LIST: JsonSchema = object(
  {
    result: RESULT,
    notifications: list(
      'Newest first',
      object(
        {
          _id: id('Its webhook-id', '66bf18d55d1c9a0e47b2f322'),
          endpoint_id: id('Endpoint', ENDPOINT_ID),
          event: text('What happened', 'authorization_successful'),
          order_id: text('Order; "" where there is none', '66bf18d25d1c9a0e47b2f317'),
          sequence: integer('Its number among the events of the order', 2),
          state: word('How it stands', ['delivered', 'waiting', 'parked']),
          tries: integer('Tries of the schedule', 1),
          last_http_status: { type: ['integer', 'null'], description: 'Of the last try', examples: [200] },
          last_error: textOrNull('Of the last try', null),
          next_try_date: isoDateOrNull('When it is tried next', null),
          createdAt: isoDate('When it happened'),
          body: {
            type: 'object',
            description: 'What is sent',
            examples: [{ event: 'authorization_successful', sequence: 2 }],
          },
        },
        { title: 'Notification' },
      ),
    ),
    has_more: flag('There are older ones'),
    next_cursor: textOrNull('Send it as `cursor` for the next page; null on the last one', null),
  },
  { title: 'NotificationList' },
);
