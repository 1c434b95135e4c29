// Changes of the back office that read something for their answer: money, the account, its keys and its people.
import { PASSWORD, type Person, invited } from '../../backoffice/person.ts';
import { until } from '../../client.ts';
import { type Ask, type At, type Change, fresh, reason } from './desk.ts';

const AUTHORIZED = { operation_type: 'authorize' };

export function changesOfOffice(at: At): readonly Change[] {
  return [...orders(at), ...refunds(at), ...account(at), ...keys(at), ...people(at)];
}

function orders(at: At): readonly Change[] {
  const act = (kind: string, fields: object, body: object): Change => [
    `a ${kind}`,
    async () => {
      const id = await at().paid(fields);
      return () => at().post(`/api/orders/${id}/${kind}`, { ...body, reason });
    },
  ];
  const note = { text: 'the payer called' };
  /** A capture of which nobody but a person will say anything for a year. */
  const inDoubt = async () => {
    const id = at().w.service.tools.chance.id();
    await at().w.sql(
      `INSERT INTO payment.operations (id, order_id, merchant_account_id, transaction_id, provider, kind, amount_minor, currency, created_at, state, due_at)
       SELECT decode($2, 'hex'), order_id, merchant_account_id, transaction_id, provider, 'capture', 500, currency, created_at, 'in_doubt', due_at + interval '1 year'
         FROM payment.operations WHERE order_id = decode($1, 'hex')`,
      [await at().paid(AUTHORIZED), id],
    );
    return id;
  };
  return [
    act('capture', AUTHORIZED, { amount: '5.00' }),
    act('refund', {}, { amount: '5.00' }),
    act('cancel', AUTHORIZED, {}),
    [
      'the end of later tries',
      async () => {
        const id = await at().declined();
        return () => at().post(`/api/orders/${id}/stop-retries`, { reason });
      },
    ],
    [
      'a note',
      async () => {
        const id = await at().paid();
        return () => at().post(`/api/orders/${id}/notes`, note);
      },
    ],
    [
      'the end of a note',
      async () => {
        const id = await at().paid();
        const made = await at().post(`/api/orders/${id}/notes`, note);
        return () => at().drop(`/api/orders/${id}/notes/${made.say('notes.0.id')}`);
      },
    ],
    ['a payment link', async () => () => at().post('/api/links', link())],
    [
      'a pause of a payment link',
      async () => {
        const made = await at().post('/api/links', link());
        return () => at().post(`/api/links/${made.say('id')}`, { status: 'paused' });
      },
    ],
    ['a saved view', async () => () => at().put('/api/views', view), 'insert_view'],
    [
      'another name of a saved view',
      async () => {
        await at().put('/api/views', view);
        const id = await at().last('saved_views');
        return () => at().put('/api/views', { ...view, id, name: 'else' });
      },
      'update_view',
    ],
    [
      'the end of a saved view',
      async () => {
        await at().put('/api/views', view);
        const id = await at().last('saved_views');
        return () => at().drop(`/api/views/${id}`);
      },
      'delete_view',
    ],
    [
      'a ruling on what is in doubt',
      async () => {
        const id = await inDoubt();
        return () => at().post(`/api/in-doubt/${id}/rule`, { as: 'done', reason, provider_ref: 'seen-there' });
      },
    ],
    [
      'a message set aside',
      async () => {
        const [event_ref, contract_id] = [fresh('event'), await at().idOf('contracts LIMIT 1')];
        await at().w.sql(
          `INSERT INTO payment.provider_events (provider, contract_id, event_ref, merchant_account_id, body, state, reason)
           SELECT provider, id, $1, merchant_account_id, '', 'parked', 'not understood' FROM payment.contracts
            WHERE id = decode($2, 'hex')`,
          [event_ref, contract_id],
        );
        return () => at().post(`/api/parked-messages/${contract_id}/set-aside`, { event_ref, reason });
      },
    ],
  ];
}

const link = () => ({ usage: 'many', amount: '5', currency: 'EUR', order_merchant_id: fresh('link') });
const view = { name: 'mine', filters: {}, shared: false };

function refunds(at: At): readonly Change[] {
  const prove = (person: Person) => person.post('/api/me/prove', { password: PASSWORD });
  const waiting = async () => {
    const id = await at().paid({ amount: '60.00' });
    await prove(at().owner);
    return id;
  };
  const decide = (how: string): Change => [
    `a large refund: ${how}`,
    async () => {
      await at().post(`/api/orders/${await waiting()}/refund`, { reason });
      const id = await at().last('refund_requests');
      const { second } = at();
      await prove(second);
      return () => second.post(`/api/refund-requests/${id}/${how}`, { reason });
    },
  ];
  return [
    [
      'a refund that waits for a second person',
      async () => {
        const id = await waiting();
        return () => at().post(`/api/orders/${id}/refund`, { reason });
      },
    ],
    decide('approve'),
    decide('decline'),
  ];
}

function account(at: At): readonly Change[] {
  const contract = async () =>
    (await at().post('/api/providers', { name: fresh('contract'), provider: 'simulator', reason })).say('id');
  const values = { api_key: 'another-key' };
  const report = { name: 'r', kind: 'orders', format: 'csv', zone: 'UTC', every: 'daily' };
  return [
    ['a setting', async () => () => at().put('/api/settings', { page_name: fresh('shop') })],
    [
      'a contract',
      async () => () => at().post('/api/providers', { name: fresh('contract'), provider: 'simulator', reason }),
    ],
    [
      'a change of a contract',
      async () => {
        const id = await contract();
        return () => at().put(`/api/providers/${id}`, { enabled: false, reason });
      },
    ],
    [
      'credentials of a contract',
      async () => {
        const id = await contract();
        return () => at().post(`/api/providers/${id}/credentials`, { values, reason });
      },
    ],
    [
      'credentials that the vault alone has stored',
      async () => {
        const id = await contract();
        return () => at().post(`/api/providers/${id}/credentials`, { values, reason });
      },
      'put_contract_credentials',
    ],
    [
      'a contract that is held',
      async () => {
        const id = await contract();
        return () => at().post(`/api/providers/${id}/hold`, { held: 'open', reason });
      },
    ],
    [
      'fees of a contract',
      async () => {
        const id = await contract();
        return () => at().post(`/api/providers/${id}/fees`, { fees: [{ percent: '1' }], reason });
      },
    ],
    ['a report', async () => () => at().post('/api/reports', report)],
    [
      'the end of a report',
      async () => {
        await at().post('/api/reports', report);
        const id = await at().last('reports');
        return () => at().drop(`/api/reports/${id}`);
      },
    ],
    [
      "the end of a report's file",
      async () => {
        await at().post('/api/reports', { ...report, every: 'once', from: '2026-01-01', to: '2026-01-02' });
        const id = await until(() => at().find(`report_runs WHERE state = 'done' ORDER BY id DESC LIMIT 1`));
        return () => at().drop(`/api/reports/${id}/file`);
      },
    ],
  ];
}

function keys(at: At): readonly Change[] {
  const key = { kind: 'private', label: 'behind' };
  /** Two of a kind may be there. */
  const room = () => at().w.sql(`UPDATE payment.api_keys SET revoked_at = now() WHERE label = 'behind'`);
  const made = async () => {
    await room();
    return (await at().post('/api/keys', key)).say('id');
  };
  const revoked = async () => {
    const id = await made();
    return () => at().post(`/api/keys/${id}/revoke`, { reason });
  };
  return [
    [
      'an API key',
      async () => {
        await room();
        return () => at().post('/api/keys', key);
      },
    ],
    [
      'an API key in the place of another',
      async () => {
        const id = await made();
        return () => at().post(`/api/keys/${id}/roll`, { overlap_hours: 0, reason });
      },
    ],
    ['an API key that is revoked', revoked],
    ['an API key that the vault alone has revoked', revoked, 'remove_api_key'],
  ];
}

function people(at: At): readonly Change[] {
  const role = (name = fresh('role')) => ({ name, rights: ['read'], reason });
  const member = async () => {
    const email = `${fresh('member')}@shop.example`;
    await invited(at().w, at().owner, 'reader', email);
    return at().idOf(`people WHERE email = '${email}'`);
  };
  const offer = () => ({ email: `${fresh('guest')}@shop.example`, role: 'reader' });
  const of = (what: string, ask: (id: string) => ReturnType<Ask>): Change => [
    what,
    async () => {
      const id = await member();
      return () => ask(id);
    },
  ];
  const ofRole = (what: string, ask: (id: string) => ReturnType<Ask>): Change => [
    what,
    async () => {
      await at().post('/api/team/roles', role());
      const id = await at().last('roles');
      return () => ask(id);
    },
  ];
  return [
    ['an invitation', async () => () => at().post('/api/team/invitations', offer())],
    [
      'an invitation that is withdrawn',
      async () => {
        await at().post('/api/team/invitations', offer());
        const id = await at().last('invitations');
        return () => at().drop(`/api/team/invitations/${id}`);
      },
    ],
    of('another role of a person', (id) => at().put(`/api/team/${id}`, { role: 'developer', reason })),
    of('a person taken out', (id) => at().post(`/api/team/${id}/remove`, { reason })),
    of('a person unlocked', (id) => at().post(`/api/team/${id}/unlock`)),
    of("the end of a person's sessions", (id) => at().drop(`/api/team/${id}/sessions`)),
    ['a role', async () => () => at().post('/api/team/roles', role())],
    ofRole('a change of a role', (id) => at().put(`/api/team/roles/${id}`, role())),
    ofRole('the end of a role', (id) => at().post(`/api/team/roles/${id}/remove`, { reason })),
  ];
}
