// The Disputes API from outside: Adyen's own library drives the simulator, and what is read in each answer, before and
// after what counts was sent.
import AdyenLibrary from '@adyen/api-library';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disputing } from '../../src/provider/adyen/disputing.ts';
import type { DisputeAsk } from '../../src/provider/disputing.ts';
import { forward } from './library.ts';
import { ACCOUNT, type World, openWorld } from './wire.ts';

const { Client, DisputesAPI, EnvironmentEnum } = AdyenLibrary;
const PDF = Buffer.from('%PDF-1.4 winning_evidence %%EOF');

const ask = (given: Partial<DisputeAsk> = {}): DisputeAsk => ({
  kind: 'submit',
  merchant_account_id: 'a'.repeat(24),
  reference: 'DZ4DPSHB4WD2WN82',
  texts: {},
  files: [{ field: 'uncategorized_file', name: 'case.pdf', type: 'application/pdf', content: PDF }],
  ...given,
});
const answer = (said: unknown, status = 200) => ({ status, body: Buffer.from(JSON.stringify(said)) });
const result = (success: boolean, more: object = {}) => ({ disputeServiceResult: { success, ...more } });
const reason = (defenseReasonCode: string, ...required: readonly string[]) => ({
  defenseReasonCode,
  satisfied: false,
  defenseDocumentTypes: required.map((code) => ({
    available: false,
    defenseDocumentTypeCode: code,
    requirementLevel: 'Required',
  })),
});

describe('Adyen’s library drives the simulator', () => {
  let world: World;
  let api: InstanceType<typeof DisputesAPI>['DisputesApi'];
  beforeAll(async () => {
    world = await openWorld();
    const client = new Client({ apiKey: ACCOUNT.api_key, environment: EnvironmentEnum.TEST });
    client.httpClient = { request: forward(world) };
    api = new DisputesAPI(client).DisputesApi;
  });
  afterAll(() => world.close());

  const merchantAccountCode = ACCOUNT.merchant_account;

  async function disputed(reference: string): Promise<string> {
    const client = new Client({ apiKey: ACCOUNT.api_key, environment: EnvironmentEnum.TEST });
    client.httpClient = { request: forward(world) };
    const paid = await new AdyenLibrary.CheckoutAPI(client).PaymentsApi.payments({
      merchantAccount: ACCOUNT.merchant_account,
      amount: { currency: 'EUR', value: 1000 },
      reference,
      returnUrl: 'https://shop.example/',
      paymentMethod: {
        type: 'scheme',
        number: '4111111111111111',
        expiryMonth: '03',
        expiryYear: '2030',
        cvc: '737',
      } as never,
    });
    const { psp } = (await world.control('dispute', { psp: paid.pspReference, event: 'CHARGEBACK' })) as {
      readonly psp: string;
    };
    return psp;
  }

  test('reasons, documents, one defence: a second is refused', async () => {
    const of = { merchantAccountCode, disputePspReference: await disputed('library-dispute') };
    const { defenseReasons } = await api.retrieveApplicableDefenseReasons(of);
    expect(defenseReasons?.map((one) => one.defenseReasonCode)).toContain('SupplyDefenseMaterial');
    const early = await api.defendDispute({ ...of, defenseReasonCode: 'SupplyDefenseMaterial' });
    expect(early.disputeServiceResult).toMatchObject({ success: false });
    const document = {
      content: PDF.toString('base64'),
      contentType: 'application/pdf',
      defenseDocumentTypeCode: 'DefenseMaterial',
    };
    const supplied = await api.supplyDefenseDocument({ ...of, defenseDocuments: [document] });
    expect(supplied.disputeServiceResult).toMatchObject({ success: true });
    const again = await api.retrieveApplicableDefenseReasons(of);
    const ours = again.defenseReasons?.find((one) => one.defenseReasonCode === 'SupplyDefenseMaterial');
    expect(ours?.satisfied).toBe(true);
    const defend = () => api.defendDispute({ ...of, defenseReasonCode: 'SupplyDefenseMaterial' });
    expect((await defend()).disputeServiceResult.success).toBe(true);
    expect((await defend()).disputeServiceResult.success).toBe(false);
    await world.control('deliver');
    expect(world.notices.map(({ news }) => news).filter(({ kind }) => kind === 'dispute')).toMatchObject([
      { state: 'opened' },
      { state: 'opened', opens_none: true, evidence: 'given' },
      { state: 'won', evidence: 'given' },
    ]);
  });

  test('what is accepted is lost, and another account sees nothing of it', async () => {
    const of = { merchantAccountCode, disputePspReference: await disputed('library-accepted') };
    expect((await api.acceptDispute(of)).disputeServiceResult.success).toBe(true);
    const unknown = await api.acceptDispute({ ...of, disputePspReference: 'NOSUCHDISPUTE000' });
    expect(unknown.disputeServiceResult).toMatchObject({ success: false, errorMessage: 'Dispute not found.' });
    await expect(api.acceptDispute({ ...of, merchantAccountCode: 'Other' })).rejects.toThrow('901');
  });
});

describe('what an answer says', () => {
  const fresh = { ask: ask(), kept: {}, sent: false };
  const defended = { ask: ask(), kept: { looked: '1', supplied: '1' }, sent: false };

  test('a walk is a look, all documents at once, and the defence', () => {
    expect(disputing.step(ask(), {})).toBe('dispute_reasons');
    expect(disputing.step(ask(), { looked: '1' })).toBe('dispute_documents');
    expect(disputing.step(ask(), { looked: '1', supplied: '1' })).toBe('dispute_defend');
    expect(disputing.step(ask({ kind: 'accept' }), { looked: '1' })).toBe('dispute_accept');
    const written = disputing.write('dispute_documents', ask(), {});
    expect(JSON.stringify(written?.body)).toContain(PDF.toString('base64'));
    expect(
      disputing.write('dispute_documents', ask({ files: [{ ...ask().files[0]!, field: 'refund_policy' }] }), {}),
    ).toBe(undefined);
  });

  test('a reason that claims something is not chosen here, and a document that is missing is named', () => {
    const claiming = answer({ defenseReasons: [reason('GoodsNotReturned', 'GoodsNotReturned')], ...result(true) });
    expect(disputing.read('dispute_reasons', claiming, fresh)).toMatchObject({
      kind: 'refused',
      text: expect.stringContaining('GoodsNotReturned'),
    });
    const general = answer({
      defenseReasons: [reason('SupplyDefenseMaterial', 'DefenseMaterial', 'TIDorInvoice')],
      ...result(true),
    });
    expect(disputing.read('dispute_reasons', general, fresh)).toMatchObject({
      kind: 'refused',
      text: expect.stringContaining('“Receipt”'),
    });
    const accepting = { ...fresh, ask: ask({ kind: 'accept', files: [] }) };
    expect(disputing.read('dispute_reasons', claiming, accepting).kind).toBe('next');
  });

  test.each([
    ['a refusal of the first defence is one', 'dispute_defend', result(false, { errorMessage: 'Too late' }), defended],
    ['so is one of a document', 'dispute_documents', result(false, { errorMessage: 'Too late' }), fresh],
    ['and one of the look', 'dispute_reasons', result(false, { errorMessage: 'Too late' }), fresh],
  ])('%s', (_, step, said, about) => {
    expect(disputing.read(step, answer(said), about)).toEqual({ kind: 'refused', text: 'Too late' });
  });

  test.each([
    ['that it cannot be defended any more, once that was sent', 'dispute_reasons', result(false), 200],
    ['that it may not be asked, once that was sent', 'dispute_reasons', { message: 'Forbidden' }, 403],
  ])('%s says nothing', (_, step, said, status) => {
    expect(disputing.read(step, answer(said, status), { ...defended, sent: true })).toEqual({ kind: 'unknown' });
  });

  test('a refusal of a second defence says nothing of the first', () => {
    const repeated = { ...defended, kept: { ...defended.kept, repeated: '1' } };
    expect(disputing.read('dispute_defend', answer(result(false)), repeated)).toEqual({ kind: 'unknown' });
    expect(disputing.read('dispute_defend', answer(result(true)), repeated)).toEqual({ kind: 'taken' });
    expect(disputing.read('dispute_reasons', answer(result(true)), { ...defended, sent: true })).toEqual({
      kind: 'next',
      keep: { repeated: '1' },
    });
  });

  test.each([
    [500, {}],
    [429, {}],
    [200, { pspReference: 'X' }],
    [200, { disputeServiceResult: { success: 'true' } }],
  ])('%s %o is no answer', (status, said) => {
    for (const step of ['dispute_reasons', 'dispute_documents', 'dispute_defend', 'dispute_accept'])
      expect(disputing.read(step, answer(said, status), fresh)).toEqual({ kind: 'unknown' });
  });
});
