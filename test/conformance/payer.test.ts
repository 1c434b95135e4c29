// The payer is elsewhere: sent to the provider's page and back, by a browser without a script. What comes back is never
// believed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticates, open, redirectOf } from '../authentication/payer.ts';
import { textAt, until } from '../client.ts';
import { isAble, lacks } from './outcomes.ts';
import { PROVIDERS } from './providers.ts';
import { type Bench, type Stand, openStand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

const ACCEPT = 'https://shop.example/accept';
const DECLINE = 'https://shop.example/decline';

const ASKING = PROVIDERS.flatMap((at) => (at.payer && at.cards.challenge ? [{ ...at, payer: at.payer }] : []));

describe.each(ASKING)('$name', (at) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = stand.bench(at);
    await bench.quiet(true);
  });

  /** An order whose payer has to act at the provider. */
  async function asked(fields: object = {}) {
    const reply = await bench.pay(
      { authentication_indicator: 'ask_3ds', accept_url: ACCEPT, decline_url: DECLINE, ...fields },
      at.cards.challenge,
    );
    expect([reply.code, reply.at('status')]).toEqual(['421080', 'authentication_requested']);
    return { order_id: textAt(reply, 'order_id'), redirect_url: redirectOf(reply) };
  }
  const toProvider = (redirect_url: string) => open(redirect_url);
  const { acts, finishes } = at.payer;
  const decided = (order_id: string) =>
    until(async () => {
      const read = await stand.w.shop.read(order_id);
      const status = textAt(read, 'status');
      return status.endsWith('requested') ? undefined : [status, read.code, read.at('is_authenticated')];
    });
  const agrees = async (order_id: string) => {
    await stand.heal(order_id);
    expect(await stand.differences(order_id)).toEqual([]);
  };

  test.each(['authorize', 'direct_capture'])(
    '27, 29 a payer is sent there, says yes, and is paid with (%s)',
    async (operation_type) => {
      const { order_id, redirect_url } = await asked({ operation_type });
      const back = await acts(await toProvider(redirect_url), 'complete');
      expect(back).toContain('/return?');
      const end = await open(back);
      const [status, code, authenticated] = await decided(order_id);
      expect([status, code]).toEqual(
        operation_type === 'authorize' ? ['authorization_successful', '944444'] : ['capture_successful', '955555'],
      );
      expect(authenticated).toBe(true);
      expect(end.location ?? end.html).toContain(ACCEPT);
      await agrees(order_id);
    },
  );

  test('28 where the bank asks for nobody, nobody is sent there', async () => {
    const reply = await bench.pay({ authentication_indicator: 'ask_3ds' }, at.cards.unasked ?? at.cards.good);
    expect(reply.code).toBe('944444');
    await agrees(textAt(reply, 'order_id'));
  });

  test('30 a payer who fails there has not paid', async () => {
    const { order_id, redirect_url } = await asked();
    await open(await acts(await toProvider(redirect_url), 'fail'));
    expect((await decided(order_id))[0]).toMatch(/declined$/);
    await agrees(order_id);
  });

  const unable = at.cards.unable ? [at.cards.unable] : [];
  for (const operation_type of ['authorize', 'direct_capture'])
    test.each(unable)(
      `30 a card that cannot be authenticated there is not paid with under force_3ds, and what was approved is undone (${operation_type})`,
      async (card) => {
        // a message does not say whether anybody was authenticated: the answer comes first
        await bench.drive.hold(true);
        const reply = await bench.pay({ authentication_indicator: 'force_3ds', operation_type }, card);
        await bench.drive.hold(false);
        await bench.drive.tellWaiting();
        await bench.quiet(true);
        const order_id = textAt(reply, 'order_id');
        expect(await decided(order_id)).toEqual(['authentication_declined', '320120', false]);
        const told = await stand.w.sql<{ type: string }>(
          `SELECT type FROM payment.events WHERE subject_id = decode($1, 'hex') AND NOT silent ORDER BY seq`,
          [order_id],
        );
        // by moves that the order's table has
        expect(told.map(({ type }) => type)).toEqual([
          'authorization_requested',
          'authentication_requested',
          'authentication_declined',
        ]);
        await agrees(order_id);
        const [booked] = await bench.drive.books(order_id);
        expect([booked?.held, (booked?.captured ?? 0n) - (booked?.refunded ?? 0n)]).toEqual([0n, 0n]);
        const asked_only = await bench.pay({ authentication_indicator: 'ask_3ds', operation_type }, card);
        expect(asked_only.code, asked_only.text).toMatch(/^9[45]{5}$/);
        await agrees(textAt(asked_only, 'order_id'));
      },
    );

  const toldOf = (number: number) => (at.untold.some(({ numbers }) => numbers.includes(number)) ? [] : [at]);
  const leaving = toldOf(31);
  test.each(leaving)('31 a payer who never comes back has not paid, and what is open there is undone', async () => {
    const { order_id, redirect_url } = await asked();
    await toProvider(redirect_url);
    await agrees(order_id);
    expect((await decided(order_id))[0]).toMatch(/declined$/);
  });

  test.each(leaving)(
    '31 a payer who said yes there and never came back has paid where it goes on without us',
    async () => {
      const { order_id, redirect_url } = await asked();
      await acts(await toProvider(redirect_url), 'complete');
      await agrees(order_id);
      const wanted =
        finishes === 'there' ? ['authorization_successful', '944444'] : ['authentication_declined', '320001'];
      expect((await decided(order_id)).slice(0, 2)).toEqual(wanted);
    },
  );

  test('32 a payer who comes back twice, and at once, has paid once', async () => {
    const { order_id, redirect_url } = await asked();
    const back = await acts(await toProvider(redirect_url), 'complete');
    await Promise.all([open(back), open(back)]);
    await open(back);
    expect((await decided(order_id))[0]).toBe('authorization_successful');
    await agrees(order_id);
  });

  test('33 a return that nobody was sent on changes nothing, and one that was made up proves nothing', async () => {
    const [mine, other] = [await asked(), await asked()];
    const good = await acts(await toProvider(other.redirect_url), 'complete');
    const forged = `${mine.redirect_url}/return${new URL(good).search}`;
    await open(forged);
    expect((await stand.w.shop.read(mine.order_id)).at('status')).not.toBe('authorization_successful');
    await open(good);
    await acts(await toProvider(mine.redirect_url), 'fail');
    await agrees(mine.order_id);
    await agrees(other.order_id);
    expect((await decided(mine.order_id))[0]).toMatch(/declined$/);
    expect((await decided(other.order_id))[0]).toBe('authorization_successful');
  });

  test.each(toldOf(34))('34 the message comes before the payer does', async () => {
    const { order_id, redirect_url } = await asked();
    const back = await acts(await toProvider(redirect_url), 'complete');
    await bench.drive.retell();
    await open(back);
    expect((await decided(order_id))[0]).toBe('authorization_successful');
    await agrees(order_id);
  });

  test('the answer is lost when the payer is back: it is asked for again', async () => {
    const { order_id, redirect_url } = await asked();
    const back = await acts(await toProvider(redirect_url), 'complete');
    await bench.drive.arm('closed_before', at.payer.resumes);
    await open(back);
    await agrees(order_id);
    expect((await decided(order_id))[0]).toBe('authorization_successful');
  });

  // elsewhere nothing was paid before the payer is back
  test.each(finishes === 'there' ? [at] : [])(
    'the answer is lost when the payer is back, and no one looks until nothing can come any more: it is paid',
    async () => {
      const { order_id, redirect_url } = await asked();
      const back = await acts(await toProvider(redirect_url), 'complete');
      await bench.drive.arm('closed_before', at.payer.resumes);
      await open(back);
      await stand.leave(order_id);
      await stand.w.sql(
        `UPDATE payment.operations
         SET created_at = created_at - interval '1 hour', sent_at = sent_at - interval '1 hour'
         WHERE order_id = decode($1, 'hex')`,
        [order_id],
      );
      await agrees(order_id);
      expect((await decided(order_id))[0]).toBe('authorization_successful');
    },
  );

  test('the order is cancelled while its payer is there: what the payer says later takes no money', async () => {
    const { order_id, redirect_url } = await asked();
    const page = await toProvider(redirect_url);
    await bench.maintain('cancel', order_id);
    await acts(page, 'complete');
    await agrees(order_id);
    await bench.drive.retell();
    await agrees(order_id);
    expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_cancelled');
  });

  test.each(['call_answered', 't2_committed'] as const)(
    'the process dies at %s when the payer is back',
    async (point) => {
      const { order_id, redirect_url } = await asked();
      const back = await acts(await toProvider(redirect_url), 'complete');
      const cutting = stand.cut(point);
      await open(back);
      cutting.restore();
      expect(cutting.hit).toBe(true);
      await agrees(order_id);
      expect((await decided(order_id))[0]).toBe('authorization_successful');
    },
  );
});

describe.each(PROVIDERS.filter(({ name }) => !isAble(name, 'redirect')))('$name', (at) => {
  test('27, 28, 29, 30, 31, 32, 33, 34 its payer is asked by us, and the provider is told nothing before', async ({
    task,
  }) => {
    lacks(task, 'redirect');
    const bench = stand.bench(at);
    const fields = { authentication_indicator: 'force_3ds', accept_url: ACCEPT, decline_url: DECLINE };
    const reply = await bench.pay(fields, '4000002760003184');
    const order_id = textAt(reply, 'order_id');
    expect(reply.at('status')).toBe('authentication_requested');
    expect(new URL(redirectOf(reply)).origin).toBe(stand.w.service.addresses.vault_url);
    expect(await bench.drive.books(order_id)).toEqual([]);
    await authenticates(reply);
    await stand.heal(order_id);
    expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_successful');
    expect(await stand.differences(order_id)).toEqual([]);
  });
});
