// Changes of the back office that read something for their answer: rules, events, disputes, customers, the sandbox, and
// the ways in.
import { totpCode, totpStep } from '../../../src/kit/person/totp.ts';
import { Authenticator } from '../../backoffice/authenticator.ts';
import { PASSWORD, Person, invited } from '../../backoffice/person.ts';
import { fromBase32 } from '../../base32.ts';
import { type Ask, type At, type Change, fresh, reason } from './desk.ts';

export function restOfOffice(at: At): readonly Change[] {
  return [...risk(at), ...routing(at), ...events(at), ...disputes(at), ...customers(at), ...sandbox(at), ...doors(at)];
}

function risk(at: At): readonly Change[] {
  const rules = [{ name: 'large', kind: 'amount', above: '500000.00', currency: 'EUR' }];
  const version = async () => Number((await at().owner.get('/api/risk')).say('version'));
  const publish = async () => {
    const base_version = await version();
    return () => at().post('/api/risk/publish', { base_version, rules, reason });
  };
  const entry = () => ({ list: 'block', subject: 'email', value: `${fresh('eve')}@mail.example`, reason });
  return [
    ['risk rules', publish],
    [
      'risk rules of before',
      async () => {
        await (
          await publish()
        )();
        const now = await version();
        return () => at().post('/api/risk/roll-back', { version: now, reason });
      },
    ],
    ['an entry of a list', async () => () => at().post('/api/risk/lists', entry())],
    [
      'the end of an entry of a list',
      async () => {
        await at().post('/api/risk/lists', entry());
        const id = await at().last('risk_entries');
        return () => at().drop(`/api/risk/lists/${id}`, { reason });
      },
    ],
  ];
}

function routing(at: At): readonly Change[] {
  const version = async () => Number((await at().owner.get('/api/routing')).say('version'));
  const publish = async () => {
    const base_version = await version();
    return () => at().post('/api/routing/publish', { base_version, document: { rules: [] }, reason });
  };
  /** Two versions, and nothing that compares them. */
  const two = async () => {
    await (
      await publish()
    )();
    await (
      await publish()
    )();
    return (await version()) - 1;
  };
  const begin = async () => {
    const how = { share: 1000, subject: 'order', method: 'fixed', days: 1 };
    const older = await two();
    return () => at().post('/api/experiments', { ...how, version: older, reason });
  };
  const end = async () => {
    // where one runs, it is refused
    await (
      await begin()
    )();
    const [row] = await at().w.sql<{ number: number }>('SELECT max(number) AS number FROM payment.experiments');
    return () => at().post(`/api/experiments/${row?.number}/end`, { reason });
  };
  return [
    ['routing rules', publish],
    [
      'routing rules of before',
      async () => {
        const older = await two();
        return () => at().post('/api/routing/roll-back', { version: older, reason });
      },
    ],
    ['an experiment', begin],
    ['the end of an experiment', end],
  ];
}

function events(at: At): readonly Change[] {
  const url = { url: 'http://127.0.0.1:9/x' };
  const of = (what: string, ask: (path: string) => ReturnType<Ask>): Change => [
    what,
    async () => {
      await at().post('/api/notifications/endpoints', url);
      const id = await at().last('endpoints');
      await at().w.sql(`UPDATE payment.endpoints SET state = 'off' WHERE id = decode($1, 'hex') AND $2`, [
        id,
        what.includes('switched on'),
      ]);
      return () => ask(`/api/notifications/endpoints/${id}`);
    },
  ];
  return [
    ['an endpoint', async () => () => at().post('/api/notifications/endpoints', url)],
    of('an endpoint switched on', (path) => at().post(`${path}/activate`)),
    of('another secret of an endpoint', (path) => at().post(`${path}/secret`, { overlap_hours: 1 })),
    of('a test of an endpoint', (path) => at().post(`${path}/test`)),
    of('the end of an endpoint', (path) => at().drop(path)),
  ];
}

function disputes(at: At): readonly Change[] {
  const made = async () => {
    const order_id = await at().paid();
    const { w } = at();
    await w.sql(
      `INSERT INTO payment.disputes (id, merchant_account_id, order_id, operation_id, provider, state, amount_minor, currency, reason, reason_code, opened_at)
       SELECT decode($2, 'hex'), merchant_account_id, order_id, id, 'simulator', 'opened', amount_minor, currency, 'fraud', '10.4', now()
         FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'capture'`,
      [order_id, w.service.tools.chance.id()],
    );
    return `/api/disputes/${await at().last('disputes')}`;
  };
  const file = { field: 'receipt', name: 'x.pdf', content: Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64') };
  const of = (what: string, ask: (path: string) => ReturnType<Ask>): Change => [
    what,
    async () => {
      const path = await made();
      return () => ask(path);
    },
  ];
  return [
    of('what is said of a dispute', (path) => at().put(`${path}/evidence`, { texts: { product_description: 'x' } })),
    of('what is shown of a dispute', (path) => at().put(`${path}/files`, file)),
    of('a dispute answered elsewhere', (path) => at().post(`${path}/answered`, { reason })),
    [
      'what is shown no more of a dispute',
      async () => {
        const path = await made();
        await at().put(`${path}/files`, file);
        return () => at().drop(`${path}/files/receipt`);
      },
    ],
  ];
}

function customers(at: At): readonly Change[] {
  const saved = async () => {
    const customer_id = fresh('customer');
    const token = await at().w.shop.token({ token_type: 'recurring' });
    await at().paid({ token, customer_id, token_type: 'recurring', payment_channel: 'e-commerce' });
    return customer_id;
  };
  return [
    [
      'a saved card taken away',
      async () => {
        const customer_id = await saved();
        const id = (await at().owner.get(`/api/customers/one?customer_id=${customer_id}`)).say('cards.0.id');
        return () => at().drop('/api/customers/card', { customer_id, id, reason });
      },
    ],
    [
      'a customer erased',
      async () => {
        const customer_id = await saved();
        await at().post('/api/me/prove', { password: PASSWORD });
        return () => at().post('/api/customers/erase', { customer_id, reason });
      },
    ],
    [
      'a guest erased',
      async () => {
        const customer_email = `${fresh('guest')}@shop.example`;
        await at().paid({ token: await at().w.shop.token(), customer_email });
        await at().post('/api/me/prove', { password: PASSWORD });
        return () => at().post('/api/guests/erase', { customer_email, reason });
      },
    ],
  ];
}

function sandbox(at: At): readonly Change[] {
  const scenario = { operation: 'capture', fault: 'decline', times: 1 };
  return [
    ['a move of the clock', async () => () => at().post('/api/sandbox/clock', { advance_s: 1 }), 'leave_wheel'],
    ['a fault', async () => () => at().post('/api/sandbox/scenarios', scenario)],
    ['the end of all faults', async () => () => at().drop('/api/sandbox/scenarios'), 'drop_notification_faults'],
  ];
}

/** A person with a second factor, whose next code is good. */
async function withCodes(at: At) {
  const { w, owner } = at();
  const email = `${fresh('coded')}@shop.example`;
  const person = await invited(w, owner, 'operator', email);
  const secret = fromBase32((await person.post('/api/me/totp', { password: PASSWORD })).say('secret'));
  const code = async () => {
    const [row] = await w.sql<{ s: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 AS s');
    await w.sql('UPDATE payment.people SET totp_step = 0 WHERE email = $1', [email]);
    return totpCode(secret, totpStep(row?.s ?? 0));
  };
  await person.post('/api/me/totp/confirm', { code: await code() });
  return { person, email, code };
}

function doors(at: At): readonly Change[] {
  const at_door = () => new Person(at().w);
  const passkey = async () => {
    const { person } = await withCodes(at);
    const key = new Authenticator((await person.get('/api/session')).say('passkey_origin'));
    const response = key.register(await person.post('/api/me/passkeys/options'));
    return { person, key, add: () => person.post('/api/me/passkeys', { name: 'mine', response }) };
  };
  const added = async () => {
    const { person, key, add } = await passkey();
    await add();
    return { person, key };
  };
  return [
    [
      'a sign-in',
      async () => {
        const email = `${fresh('comer')}@shop.example`;
        await invited(at().w, at().owner, 'reader', email);
        return () => at_door().logIn(email);
      },
    ],
    [
      'the first step of a sign-in',
      async () => {
        const { email } = await withCodes(at);
        return () => at_door().logIn(email);
      },
      'insert_session',
    ],
    [
      'the second step of a sign-in',
      async () => {
        const { email, code } = await withCodes(at);
        const body = { ticket: (await at_door().logIn(email)).say('ticket'), code: await code() };
        return () => at_door().post('/api/session/totp', body);
      },
      'take_totp_step',
    ],
    [
      'an invitation that is taken up',
      async () => {
        const email = `${fresh('new')}@shop.example`;
        const offer = await at().post('/api/team/invitations', { email, role: 'reader' });
        const path = `/api/welcome/${offer.say('link').split('/').at(-1)}`;
        return () => at_door().post(path, { name: 'New', password: PASSWORD });
      },
    ],
    [
      'a proof with a code',
      async () => {
        const { person, code } = await withCodes(at);
        const body = { password: PASSWORD, code: await code() };
        return () => person.post('/api/me/prove', body);
      },
      'take_totp_step',
    ],
    [
      'another second factor',
      async () => {
        const { person, code } = await withCodes(at);
        const body = { password: PASSWORD, code: await code() };
        return () => person.post('/api/me/totp', body);
      },
      'take_totp_step',
    ],
    ['a passkey', async () => (await passkey()).add],
    ['a new passkey whose question is used up', async () => (await passkey()).add, 'take_passkey_challenge'],
    [
      'a sign-in with a passkey',
      async () => {
        const { key } = await added();
        const response = key.sign(await at_door().post('/api/session/passkey/options'));
        return () => at_door().post('/api/session/passkey', { response });
      },
      'take_passkey_challenge',
    ],
    [
      'a proof with a passkey',
      async () => {
        const { person, key } = await added();
        const response = key.sign(await person.post('/api/me/prove/options'));
        return () => person.post('/api/me/prove/passkey', { response });
      },
      'take_passkey_challenge',
    ],
    [
      'the end of a passkey',
      async () => {
        const { person, add } = await passkey();
        const id = (await add()).say('passkeys.0.id');
        return () => person.ask('DELETE', `/api/me/passkeys/${id}`);
      },
    ],
  ];
}
