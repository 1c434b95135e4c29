// Answers to an authorization beside yes and no, and what we send with it: unlisted codes, a part of the amount, a bank
// that wants to see the payer, a scheme's advice, a proof from elsewhere, an exemption, the payer's choice of a scheme.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticates } from '../authentication/payer.ts';
import { textAt } from '../client.ts';
import { isAble, lacks } from './outcomes.ts';
import { PROVIDERS } from './providers.ts';
import { type Bench, type Stand, openStand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

describe.each(PROVIDERS)('$name', (at) => {
  const { says } = at;
  const able = (ability: Parameters<typeof isAble>[1]) => isAble(at.name, ability);
  let bench: Bench;
  beforeAll(() => {
    bench = stand.bench(at);
  });
  const agrees = async (order_id: string) => {
    await stand.heal(order_id);
    expect(await stand.differences(order_id)).toEqual([]);
  };
  const read = async (order_id: string) => {
    const order = await stand.w.shop.read(order_id);
    return [order.at('status'), order.code];
  };

  test.each(says.unlisted ? [says.unlisted] : [])('20 a word that nobody listed is the plain decline', async (how) => {
    await how.arm?.(stand.w);
    const reply = await bench.pay({}, how.card ?? {});
    await bench.drive.clear();
    expect([reply.code, reply.at('psp_result_code')]).toEqual([how.code ?? '420088', how.word]);
    await agrees(textAt(reply, 'order_id'));
  });

  test('21 an approval of less than was asked is undone', async () => {
    const { partial } = says;
    // who approves all or nothing may still answer with another amount
    if (!partial) await bench.drive.arm('other_amount', at.steps.authorize.at(-1) ?? '');
    const order_id = textAt(await bench.pay(partial?.fields, partial?.card ?? {}), 'order_id');
    await agrees(order_id);
    await bench.drive.clear();
    expect(await read(order_id)).toEqual(['authorization_declined', '420410']);
    expect(await bench.drive.books(order_id)).toMatchObject([{ held: 0n, captured: 0n }]);
  });

  test('22 a bank that wants to see the payer is shown one, once; or the provider does that itself', async ({
    task,
  }) => {
    const fields = {
      authentication_indicator: 'no_3ds',
      accept_url: 'https://shop.example/accept',
      ...says.soft?.fields,
    };
    const reply = await bench.pay(fields, says.soft?.card ?? {});
    const order_id = textAt(reply, 'order_id');
    if (able('our proof')) {
      expect([reply.at('status'), typeof reply.at('redirect_url')]).toEqual(['authentication_requested', 'string']);
      await authenticates(reply);
      await agrees(order_id);
      expect(await read(order_id)).toEqual(['authorization_successful', '944444']);
      return;
    }
    lacks(task, 'our proof');
    // at a page of its own, where nobody comes, or not at all
    await agrees(order_id);
    expect((await read(order_id))[0]).toMatch(/declined$/);
  });

  test('23 where the payer is absent, a bank that wants to see one has declined', async () => {
    const fields = { payment_channel: 'moto', ...says.soft?.fields };
    const reply = await bench.pay(fields, says.soft?.card ?? {});
    expect([reply.code, reply.at('status')]).toEqual(['420150', 'authorization_declined']);
    await agrees(textAt(reply, 'order_id'));
  });

  test.each(says.advice ? [says.advice] : [])(
    '24 a card that the scheme says never to try again is tried nowhere else',
    async ({ card }) => {
      const reply = await bench.pay({}, card);
      expect([reply.at('status'), reply.at('payin_partner')]).toEqual(['authorization_declined', at.name]);
      const order_id = textAt(reply, 'order_id');
      const tries = await stand.w.sql(`SELECT provider FROM payment.transactions WHERE order_id = decode($1, 'hex')`, [
        order_id,
      ]);
      expect(tries).toEqual([{ provider: at.name }]);
      await agrees(order_id);
    },
  );

  const shows = at.shows ? [at] : [];
  const CAVV = 'AAABBEg0VhI0VniQEjRWAAAAAAA=';
  const OUTSIDE = { cavv: CAVV, eci: '05', x_id: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b', version: '2.2.0' };

  test.for(shows)(
    '35 a proof from elsewhere arrives unchanged, or the order goes to somebody who takes it',
    async (_, { task }) => {
      const reply = await bench.pay({ '3ds_data': { ...OUTSIDE, pares_status: 'Y', directory_veres: 'Y' } });
      const order_id = textAt(reply, 'order_id');
      expect(reply.code).toBe('944444');
      if (!able('data')) lacks(task, 'data');
      if (able('data')) expect(await bench.drive.heard?.(order_id)).toMatchObject({ cavv: CAVV, eci: '05' });
      else expect(reply.at('payin_partner')).not.toBe(at.name);
      await agrees(order_id);
    },
  );

  const EXEMPTIONS = ['low_value', 'corporate', 'trusted_beneficiary', 'risk_analysis'] as const;
  const bare = (text = '') => text.toLowerCase().replaceAll(/_|transaction|secure/g, '');
  test.for(at.shows ? EXEMPTIONS : [])(
    '36 the exemption %s arrives, or nothing of it',
    async (sca_exemption_reason, { task }) => {
      if (!able('exemptions')) lacks(task, 'exemptions');
      const reply = await bench.pay({ sca_exemption_reason });
      const order_id = textAt(reply, 'order_id');
      expect(reply.code).toBe('944444');
      const { exemption } = (await bench.drive.heard?.(order_id)) ?? {};
      expect(bare(exemption)).toBe(able('exemptions') ? bare(sca_exemption_reason) : '');
      await agrees(order_id);
    },
  );

  test.each(at.shows ? ['cb', 'visa'] : [])(
    '37 of a card with two schemes the payer chooses %s',
    async (payment_method_name) => {
      const reply = await bench.pay({ payment_method_name }, '4000002500001001');
      const order_id = textAt(reply, 'order_id');
      expect(reply.code).toBe('944444');
      const { scheme = '' } = (await bench.drive.heard?.(order_id)) ?? {};
      expect(scheme.replaceAll('_', '')).toMatch(
        payment_method_name === 'cb' ? /^(?:cb|cartes?bancaires?)$/ : /^visa$/,
      );
      await agrees(order_id);
    },
  );
});
