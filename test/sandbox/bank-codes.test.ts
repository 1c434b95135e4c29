// Every result code that a bank can answer with, walked from the customer's own table: the number or the armed fault
// that makes the simulated provider answer so, over its socket. Codes that are decided elsewhere are named with the
// reason.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf, common, numberOf, payment } from '../providers/client.ts';
import { type SimulatorProcess, startProcess } from '../providers/wire.ts';
import { controlOf } from './control.ts';

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await startProcess();
});
afterAll(() => simulator.stop());
const { authorize, follow, post } = clientOf(() => simulator.url);
const { arm } = controlOf(() => simulator.url);

const FILE = new URL('../../../shared/spec/result-codes.csv', import.meta.url);
type Code = { readonly code: string; readonly name: string; readonly phase: string; readonly kind: string };
const codes: readonly Code[] = (existsSync(FILE) ? readFileSync(FILE, 'utf8').trim().split('\n').slice(1) : []).map(
  (line) => {
    const [code = '', name = '', phase = '', kind = ''] = line.split(',');
    return { code, name, phase, kind };
  },
);

/** Who else decides; undefined: the bank does. */
function elsewhere({ name, phase, kind, code }: Code): string | undefined {
  if (['capture', 'refund', 'cancel'].includes(phase) && kind === 'technical') return 'our own rule, before any call';
  if (phase === 'authentication') return 'the access control server';
  if (kind === 'risk' && name !== 'risk_refused') return 'our risk rules';
  if (kind === 'routing') return undefined;
  if (phase === 'order' && name !== 'risk_refused') return 'the payment API';
  if (phase === 'none' || phase === 'checkout' || name === 'risk_accepted') return 'the payment API';
  const ours = ['900000', '911111', '922222', '988888', '999999', '9111111', '9555555'];
  return ours.includes(code) ? 'the payment API or the vault' : undefined;
}

const SUCCESSES: Readonly<Record<string, string>> = {
  authorization_successful: 'authorize',
  capture_successful: 'capture',
  refund_successful: 'refund',
  cancel_successful: 'cancel',
};

/** The first operation of this kind on a payment with this card; what it is answered. */
async function answered(kind: string, number: string): Promise<string> {
  if (kind === 'authorize') return (await authorize(number)).code;
  const sale = kind === 'refund';
  const paid = await authorize(number, { capture: sale ? 'now' : 'later' });
  if (paid.status !== 'approved') return `not approved: ${paid.code}`;
  const path = { capture: 'payments/*/captures', refund: 'captures/*/refunds', cancel: 'payments/*/cancel' }[kind];
  return (await follow(`/${path?.replace('*', paid.id)}`, { amount: 400 })).code;
}

async function reached({ code, name, phase, kind }: Code): Promise<string> {
  const success = SUCCESSES[name];
  if (success !== undefined) return answered(success, '4242424242424242');
  if (name === 'risk_refused') return answered('authorize', '4100000000000019');
  const operation = ['capture', 'refund', 'cancel'].includes(phase) ? phase : 'authorize';
  if (!name.endsWith('_pending') || kind !== 'processing') return answered(operation, numberOf(code));
  await arm({ operation, fault: 'pending' });
  return answered(operation, '4242424242424242');
}

test('every code of a bank is answered by the simulated provider', async (context) => {
  context.skip(codes.length === 0, 'the folder ../shared with the specification is not here');
  const banks = codes.filter((code) => elsewhere(code) === undefined);
  const wrong: string[] = [];
  for (const code of banks) {
    const answer = await reached(code);
    if (answer !== code.code) wrong.push(`${code.code} ${code.name}: ${answer}`);
  }
  expect(wrong).toEqual([]);
  console.log(`${banks.length - wrong.length} of ${banks.length} codes of a bank reached, of ${codes.length} in all`);
  expect(banks.length).toBeGreaterThan(80);
});

test('a direct capture on a number of a capture code is held, and its capture refused with that code', async (context) => {
  context.skip(codes.length === 0, 'the folder ../shared with the specification is not here');
  const captures = codes.filter((code) => code.phase === 'capture' && elsewhere(code) === undefined);
  for (const { code, name } of captures.filter((one) => !one.name.endsWith('_pending'))) {
    const { said } = await post('/simulator/payments', payment(numberOf(code), { capture: 'now' }));
    expect(said, name).toMatchObject({ status: 'approved', captured: false, capture: { status: 'declined', code } });
    const again = await post(`/simulator/payments/${said.id}/captures`, common());
    expect(again.said).toMatchObject({ status: 'approved', code: '955555' });
  }
});
