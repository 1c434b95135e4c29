// florin scenario: faults for the next calls of this account in a sandbox (contract 15.4).
import { StartError } from '../../kit/start-error.ts';
import { FAULTS } from '../../payment/sandbox/scenario.ts';
import { readWords, type Words } from '../arguments.ts';
import { tableOf } from '../ledger/table.ts';
import { type Json, isJson, listIn, openMerchant, textIn } from './session.ts';

const USAGE = `florin scenario [list]                       what is armed, the oldest first
       florin scenario arm OPERATION FAULT [options]   for the next calls of this account that fit
       florin scenario clear                       remove all
  OPERATION    authorize, direct_capture, capture, refund, cancel, inquiry, authentication, notification
  FAULT        ${wrapped(FAULTS)}
  --times N          how many calls; 1 unless given
  --provider NAME    only at simulator, or simulator_b
  --code CODE        with decline: how it ends
  --advice SOURCE:CODE, --response_code CODE    with decline: what the scheme says: mastercard:25, 51
  --delay_ms N       the answer leaves so much later
  --seconds N        with provider_down, pending, callback_never: for how long
  --order ID, --reference TEXT, --amount N, --last4 DIGITS    only calls of these
  --key KEY          a private key; the demo account's unless given`;

const HOW = ['code', 'response_code', 'delay_ms', 'seconds'];
const TEXTS = ['times', 'provider', 'advice', ...HOW, 'order', 'reference', 'amount', 'last4', 'key'];

export async function scenarioCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: TEXTS });
  const [verb = 'list', operation, fault, ...more] = words.rest;
  const right = verb === 'arm' ? fault !== undefined : ['list', 'clear'].includes(verb) && operation === undefined;
  if (!right || more.length > 0) throw new StartError(`Usage: ${USAGE}`);
  const merchant = openMerchant(words.text('key'));
  if (verb === 'clear') {
    await merchant.get('/sandbox/scenario', { method: 'DELETE' });
    console.log('Nothing is armed.');
    return;
  }
  if (verb === 'arm') await merchant.get('/sandbox/scenario', { body: { operation, fault, ...optionsOf(words) } });
  console.log(scenariosText(listIn(await merchant.get('/sandbox/scenario'), 'scenarios')));
}

function optionsOf(words: Words): object {
  const given = ['times', 'provider', ...HOW].map((name) => [name, words.text(name)] as const);
  const [source, code] = words.text('advice')?.split(':') ?? [];
  const match = {
    order_id: words.text('order'),
    order_merchant_id: words.text('reference'),
    amount: words.text('amount'),
    card_4_digits: words.text('last4'),
  };
  return { ...Object.fromEntries(given), ...(source !== undefined && { advice: { source, code } }), match };
}

const COLUMNS = [
  { title: 'operation' },
  { title: 'fault' },
  { title: 'left', right: true as const },
  { title: 'only' },
  { title: 'how' },
];

function scenariosText(scenarios: readonly Json[]): string {
  if (scenarios.length === 0) return 'Nothing is armed.';
  const rows = scenarios.map((armed) => [
    textIn(armed, 'operation'),
    textIn(armed, 'fault'),
    `${textIn(armed, 'remaining')} of ${textIn(armed, 'times')}`,
    [pairs(armed, ['provider']), pairs(isJson(armed['match']) ? armed['match'] : {}, MATCHES)].flat().join(', '),
    [...pairs(armed, HOW), ...pairs(isJson(armed['advice']) ? armed['advice'] : {}, ['source', 'code'])].join(', '),
  ]);
  return tableOf(COLUMNS, rows);
}

const MATCHES = ['order_id', 'order_merchant_id', 'amount', 'card_4_digits'];

function pairs(of: Json, names: readonly string[]): string[] {
  return names.flatMap((name) => (textIn(of, name) === '' ? [] : [`${name} ${textIn(of, name)}`]));
}

function wrapped(names: readonly string[]): string {
  const half = Math.ceil(names.length / 2);
  return `${names.slice(0, half).join(', ')},\n               ${names.slice(half).join(', ')}`;
}
