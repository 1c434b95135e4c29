// Forwards that a payment host would ask for if it wanted a card, or wanted one to go elsewhere: 100 kinds and more,
// each with a name. Written against the table in tables/bank.
import { FORM_BODY, JSON_BODY } from './provider.ts';

export type Body = readonly (string | { readonly slot: string })[];
export type Hostile = Readonly<Record<string, unknown>> & { readonly body?: Body };

const N = { slot: 'card.number' };
const C = { slot: 'card.cvc?' };
const M = { slot: 'card.expiry_month' };
const Y = { slot: 'card.expiry_year' };
const H = { slot: 'card.holder?' };

/** The rest that makes a JSON message whole, so that nothing but what is hostile is wrong with it. */
const DATES = [',"expiry_month":', M, ',"expiry_year":', Y];
const card = (...members: Body): Body => ['{"account":"ours","card":{', ...members, ...DATES, '}}'];
const beside = (...members: Body): Body => ['{"account":"ours","card":{"number":', N, ...DATES, '},', ...members, '}'];
const form = (...pairs: Body): Body => [
  'account=ours+%26+nobody+else&',
  ...pairs,
  '&card[exp_month]=',
  M,
  '&card[exp_year]=',
  Y,
];

const DESTINATIONS: readonly string[] = [
  '',
  'nobody',
  'BANK',
  'bank ',
  ' bank',
  'bank\u0000',
  'bank/',
  'bank.',
  'https://evil.example',
  '//evil.example',
  'http://127.0.0.1:1',
  'bank@evil.example',
  '../bank',
  '__proto__',
  'constructor',
  'toString',
  'size',
  'file:///etc/passwd',
];
const STEPS: readonly string[] = [
  '',
  'capture',
  'AUTHORIZE',
  'authorize/',
  'authorize ',
  '/v1/payments',
  '../authorize',
  'authorize?to=evil',
  '*',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'https://evil.example/v1/payments',
];
const KEYS: readonly string[] = [
  '',
  'a b',
  'a\r\nx-evil: 1',
  'a\nb',
  'a\u0000b',
  'ä',
  'a'.repeat(65),
  'a:b',
  '../a',
  'a;b',
  'a,b',
  '{card.number}',
];

const JSON_BODIES: Readonly<Record<string, Body>> = {
  'the number in a description too': beside('"description":', N),
  'the number in a description instead': [
    '{"card":{',
    ...DATES.slice(1).toSpliced(0, 0, '"expiry_month":'),
    '},"description":',
    N,
    '}',
  ],
  'the number inside a text': card('"number":"x', N, '"'),
  'the number behind digits': card('"number":1', N),
  'the number before digits': card('"number":', N, '1'),
  'the number twice in a row': card('"number":', N, N),
  'the number as a name': card('"number":1,', N, ':2'),
  'the number as a name in its place': card(N, ':1'),
  'the number in a list in its place': card('"number":[', N, ']'),
  'the number in an object in its place': card('"number":{"number":', N, '}'),
  'the number one level deeper': ['{"x":', ...card('"number":', N), '}'],
  'the number one level higher': ['{"number":', N, ...DATES, '}'],
  'the number in another object': ['{"cards":{"number":', N, ...DATES, '}}'],
  'a name with a slash that looks like the place': ['{"card/number":', N, ',"card":{"a":1', ...DATES, '}}'],
  'a name that is another by its case': card('"Number":', N),
  'a name with a blank': card('"number ":', N),
  'a name with a character nobody sees': card('"number\u200b":', N),
  'the member twice, the slot first': card('"number":', N, ',"number":"4"'),
  'the member twice, the slot last': card('"number":"4","number":', N),
  'the member twice, once escaped': card('"number":', N, ',"n\\u0075mber":"4"'),
  'the object twice': ['{"card":{"number":"4"},"card":{"number":', N, ...DATES, '}}'],
  'the number behind the end': [...card('"number":', N), N],
  'the number before the beginning': [N, ...card('"number":', N)],
  'a second document': [...card('"number":', N), '{"number":', N, '}'],
  'the number in a comment': card('"number":', N, '/*', N, '*/'),
  'the number in a line comment': [...card('"number":', N), '//', N],
  'a message in quotes of another kind': ["{'card':{'number':", N, '}}'],
  'a message that never ends': ['{"card":{"number":', N],
  'a list instead of an object': ['[', N, ']'],
  'the number alone': [N],
  'a text that stands for the slot': card('"number":"\ue000slot 0","x":', N),
  'a text that stands for the slot, escaped': card('"number":"\\ue000slot 0","x":', N),
  'a text that stands for a slot there is not': card('"number":', N, ',"x":"\ue000slot 9"'),
  'a text that stands for a slot by another number': card('"number":', N, ',"x":"\ue000slot 00"'),
  'the cvc at the number': card('"number":', C),
  'the number at the cvc': card('"number":', N, ',"cvc":', N),
  'the number and the cvc changed': card('"number":', C, ',"cvc":', N),
  'the number at the holder': card('"number":', N, ',"holder":', N),
  'the number at the month': ['{"card":{"number":', N, ',"expiry_month":', N, ',"expiry_year":', Y, '}}'],
  'the cvc in a description': beside('"description":', C),
  'the cvc twice': card('"number":', N, ',"cvc":', C, ',"cvc2":', C),
  'the holder as a name': card('"number":', N, ',', H, ':1'),
  'the month in a description': beside('"description":', M),
  'the account twice': ['{"account":"ours","account":"mine","card":{"number":', N, ...DATES, '}}'],
  'the account twice, to a reader that takes any case': beside('"Account":"mine"'),
  'a name twice, with signs that some take for a letter': beside('"key":1,"\u212aEY":2'),
  'the object twice, to a reader that takes any case': beside('"CARD":{"number":"4"}'),
  'the number twice, to a reader that takes any case': card('"number":', N, ',"Number":"4"'),
  'the holder as the account': ['{"account":', H, ',"card":{"number":', N, ...DATES, '}}'],
  'a slot that is none': card('"number":', { slot: 'card.pan' }),
  'a slot of another form': card('"number":', { slot: 'card.number?' }),
  'a slot with a place': card('"number":', { slot: 'card.number at number' }),
  'a secret of the operator': beside('"x":', { slot: 'secret.api_key' }),
  'a slot of the prototype': card('"number":', { slot: '__proto__' }),
  'no number at all': card('"number":"4242"'),
  'no slot at all': ['{"card":{}}'],
  'nothing at all': [],
  'an empty text': [''],
  'a member of the prototype around it': ['{"__proto__":{"number":', N, '},"card":{"a":1', ...DATES, '}}'],
  'more than is pinned': card(`"x":"${'x'.repeat(9000)}","number":`, N),
  'more than is pinned, in signs of many bytes': card(`"x":"${'€'.repeat(3000)}","number":`, N),
  'more depth than anybody reads': ['['.repeat(2000), N, ']'.repeat(2000)],
  'a sign that ends texts': card('"a":"\u0000","number":', N),
  'a line in a text': card('"a":"\n","number":', N),
  'a mark of the order of bytes': ['\ufeff', ...card('"number":', N)],
  'a form where JSON is pinned': FORM_BODY,
};

const FORM_BODIES: Readonly<Record<string, Body>> = {
  'the number under another key': form('description=', N),
  'the number under another key too': form('card[number]=', N, '&description=', N),
  'the number as a key': form('card[number]=1&', N, '=2'),
  'the number in a key': form('card[number]=', N, '&x', N, '=2'),
  'the number behind a sign': form('card[number]=x', N),
  'the number before a sign': form('card[number]=', N, 'x'),
  'the number in an escape': form('card[number]=%3', N),
  'the number twice in a row': form('card[number]=', N, N),
  'the key twice': form('card[number]=', N, '&card[number]=4'),
  'the key twice, once escaped': form('card[number]=', N, '&card%5Bnumber%5D=4'),
  'the key twice, once with a blank': form('card[number]=', N, '&+card[number]=4', '&+card[number]=5'),
  'no key': form('=', N),
  'a key without a sign': form('card[number]', N),
  'two signs': form('card[number]==', N),
  'the cvc at the number': form('card[number]=', C),
  'the number at the name': form('card[number]=', N, '&card[name]=', N),
  'a line and a header': form('card[number]=', N, '\r\nx-evil: 1'),
  'a separator of another kind': form('a=1;card[number]=', N),
  'a blank': form('a=b c&card[number]=', N),
  'a mark': form('a=1#&card[number]=', N),
  'an escape that is none': form('a=%zz&card[number]=', N),
  'an escape that is no text': form('%ff=1&card[number]=', N),
  'signs that are not of a form': form('ä=1&card[number]=', N),
  'a sign that ends texts': form('a=\u0000&card[number]=', N),
  'another account as a list of the same name': form('account[]=mine&card[number]=', N),
  'another account as a part of the same name': form('account%5Bid%5D=mine&card[number]=', N),
  'another account by its case': form('Account=mine&card[number]=', N),
  'another account behind a blank': form('+account=mine&card[number]=', N),
  'the month by another sign': form('card[exp.month]=1&card[number]=', N),
  'JSON where a form is pinned': JSON_BODY,
};

/** The step has no holes; the one that has them is given no value that could be more than one. */
const VALUES: readonly object[] = [{ payment: 'p1' }, { __proto__: null, host: 'evil.example' }, { path: '/v1/evil' }];
const HOLES: readonly Readonly<Record<string, string>>[] = [
  {},
  { payment: 'p1' },
  { payment: 'p1', customer: 'c1', more: 'x' },
  ...['', '..', '../x', 'a/b', 'a?b=c', 'a#b', 'a%2fb', 'a b', 'a\n', '{customer}', 'x'.repeat(129), 'é'].flatMap(
    (bad) => [
      { payment: bad, customer: 'c1' },
      { payment: 'p1', customer: bad },
    ],
  ),
];

const named = (about: string, field: string, values: readonly unknown[]): [string, Hostile][] =>
  values.map((value) => [`${about} ${JSON.stringify(value)}`, { [field]: value }]);

export const HOSTILE: readonly (readonly [string, Hostile])[] = [
  ...named('destination', 'destination', DESTINATIONS),
  ...named('step', 'step', STEPS),
  ...named('key', 'key', KEYS),
  ...named('values', 'values', VALUES),
  ...HOLES.map((values): [string, Hostile] => [
    `holes ${JSON.stringify(values)}`,
    { step: 'confirm', values, body: ['{"number":', N, '}'] },
  ]),
  ...Object.entries(JSON_BODIES).map(([name, body]): [string, Hostile] => [`JSON: ${name}`, { body }]),
  ...Object.entries(FORM_BODIES).map(([name, body]): [string, Hostile] => [`form: ${name}`, { step: 'form', body }]),
];
