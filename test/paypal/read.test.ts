// What PayPal's answers are read as when they are those of another operation: as nothing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { about, after, factsOf, run } from '../providers/driver.ts';
import { type Sample, endsOurs, listeningTo, readOfAnother } from '../providers/of-another.ts';
import { type Played, playPaypal } from './played.ts';

let played: Played;
let samples: readonly Sample[];
beforeAll(async () => {
  played = await playPaypal();
  const listening = listeningTo(played.wire().provider);
  samples = listening.samples;
  const wire = (number?: string) => ({ ...played.wire(number), provider: listening.provider });
  const hold = await run(wire(), factsOf('authorize'));
  await run(wire(), about(hold, 'inquiry'));
  await run(wire('4000000000009995'), factsOf('authorize'));
  const waits = await run(wire('4000000000000077'), factsOf('authorize', { with_capture: true }));
  await run(wire(), about(waits, 'inquiry'));
  const capture = await run(wire(), after(hold, 'capture', { amount_minor: 1000n }));
  await run(wire(), about(capture, 'inquiry', { authorization_kept: hold.kept }));
  const of = { capture_reference: capture.reference };
  const refund = await run(wire(), after(hold, 'refund', { ...of, amount_minor: 100n }));
  await run(wire(), about(refund, 'inquiry', { authorization_kept: hold.kept }));
  const waiting = await run(wire(), after(hold, 'refund', { ...of, amount_minor: 77n }));
  await played.ask('POST refunds/status', { refund: waiting.reference, status: 'FAILED' });
  await run(wire(), about(waiting, 'inquiry', { authorization_kept: hold.kept }));
  const cancelled = await run(wire(), factsOf('authorize'));
  const cancel = await run(wire(), after(cancelled, 'cancel'));
  await run(wire(), about(cancel, 'inquiry', { authorization_reference: cancelled.reference }));
  await run(wire(), about(await run(wire(), factsOf('authorize')), 'reversal'));
  await run(wire(), about(await run(wire(), factsOf('authorize', { with_capture: true })), 'reversal'));
});
afterAll(() => played.close());

test('every sort of answer is among the samples', () => {
  const kinds = new Set(samples.map(({ step, said }) => `${step} ${said.kind}`));
  for (const one of [
    'authorize approved',
    'sell pending',
    'capture approved',
    'capture_by_id approved',
    'refund pending',
    'refund_by_id declined',
    'void approved',
    'void reversed',
    'undo reversed',
  ])
    expect(kinds, one).toContain(one);
});

test.each(['PENDING', 'DECLINED', 'FAILED'])('that another capture is %s says nothing of ours', (status) => {
  const facts = factsOf('capture', { authorization_reference: '0AW2184448108334S' });
  const said = (invoice_id: string) =>
    played
      .wire()
      .provider.read(
        'capture',
        { status: 201, body: Buffer.from(JSON.stringify({ id: '7TK53561YB803214S', status, invoice_id })) },
        facts,
        {},
      ).kind;
  expect([said(facts.operation_id), said('f'.repeat(24))]).toEqual([
    expect.toBeOneOf(['pending', 'declined']),
    'unknown',
  ]);
});

test('an answer of another operation ends nothing of ours', () => {
  const ended = samples.flatMap((sample) => {
    const said = readOfAnother(played.wire().provider, sample);
    return said && endsOurs(sample, said) ? [`${sample.facts.kind} ${sample.step} ${said.kind}`] : [];
  });
  expect(ended).toEqual([]);
});
