// A person at the back office, as their browser is: it holds a cookie, sends the token of its session, and comes from
// the back office's page.
import { invite } from '../../src/backoffice/people/invite.ts';
import { withTransaction } from '../../src/kit/database.ts';
import type { Json } from '../client.ts';
import type { World } from '../world.ts';

export type Seen = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
  readonly text: string;
  at(path: string): Json | undefined;
  /** The text or number there, as a text; throws when there is none. */
  say(path: string): string;
};

export const PASSWORD = 'correct horse battery staple';

export class Person {
  readonly url: string;
  cookie = '';
  csrf = '';

  constructor(w: { readonly service: Pick<World['service'], 'addresses'> }) {
    this.url = w.service.addresses.backoffice_url;
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Seen> {
    const answer = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(method === 'GET' ? {} : { origin: this.url, 'x-csrf-token': this.csrf }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = answer.headers.get('set-cookie');
    if (set !== null) this.cookie = set.split(';')[0] ?? '';
    const text = await answer.text();
    const json = (answer.headers.get('content-type') ?? '').includes('json');
    const parsed: Json = json && text !== '' && !text.includes('\n{') ? JSON.parse(text) : null;
    const seen = {
      status: answer.status,
      headers: answer.headers,
      body: parsed,
      text,
      at: walker(parsed),
      say: sayer(parsed, text),
    };
    const csrf = seen.at('state.session.csrf') ?? seen.at('session.csrf');
    if (typeof csrf === 'string') this.csrf = csrf;
    return seen;
  }

  get(path: string): Promise<Seen> {
    return this.ask('GET', path);
  }

  post(path: string, body: unknown = {}): Promise<Seen> {
    return this.ask('POST', path, body);
  }

  logIn(email: string, password: string = PASSWORD): Promise<Seen> {
    return this.post('/api/session', { email, password });
  }
}

function sayer(body: Json, whole: string): (path: string) => string {
  const at = walker(body);
  return (path) => {
    const value = at(path);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw new Error(`nothing is said at ${path}: ${whole}`);
  };
}

function walker(body: Json): (path: string) => Json | undefined {
  return (path) => {
    let value: Json | undefined = body;
    for (const step of path.split('.')) {
      if (typeof value !== 'object' || value === null) return undefined;
      value = Object.entries(value).find(([name]) => name === step)?.[1];
    }
    return value;
  };
}

/** The first owner of the demo account, signed in by the link that the start printed. */
export async function firstOwner(w: World, email = 'ada@shop.example'): Promise<Person> {
  const link = w.service.first_link;
  if (link === undefined) throw new Error('the start printed no link');
  const person = new Person(w);
  const token = link.split('/').at(-1) ?? '';
  const answer = await person.post(`/api/welcome/${token}`, { name: 'Ada', email, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`the first owner was refused: ${answer.text}`);
  return person;
}

/** Somebody the owner invites with a role, signed in. */
export async function invited(w: World, owner: Person, role: string, email = `${role}@shop.example`): Promise<Person> {
  const offer = await owner.post('/api/team/invitations', { email, role });
  const token = offer.say('link').split('/').at(-1) ?? '';
  const person = new Person(w);
  const answer = await person.post(`/api/welcome/${token}`, { name: role, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`${role} was refused: ${answer.text}`);
  return person;
}

/** Somebody whom nobody of the team invited, a member for two days. */
export async function colleague(w: World, role: 'owner' | 'operator', email: string): Promise<Person> {
  const { tools } = w.service;
  const by = { actor: 'command line', source: 'this machine' };
  const path = await withTransaction(tools.db, w.account, (tx) => invite(tools, tx, { email, role, by }));
  const person = new Person(w);
  const answer = await person.post(`/api${path}`, { name: role, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`${email} was refused: ${answer.text}`);
  await w.sql(
    `UPDATE payment.members SET since = since - interval '2 days' WHERE person_id = (SELECT id FROM payment.people WHERE email = $1)`,
    [email],
  );
  return person;
}
