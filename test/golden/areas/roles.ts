// Every route of the back office as every role, signed out, and without the token of the session: who is let in, and
// what an empty request is told.
import { backofficeRoutes } from '../../../src/backoffice/host.ts';
import { ROLES } from '../../../src/backoffice/rights.ts';
import { Person, firstOwner, invited } from '../../backoffice/person.ts';
import type { Area } from '../stage.ts';
import { textAt, send } from '../../client.ts';

/** Ends the session that it is asked with: asked last. */
const ENDS = 'DELETE /api/session';

export const roles: Area = {
  name: 'roles',
  play: async ({ w, title, scene, paid }) => {
    const people = new Map<string, Person>();
    await scene.aside(async () => {
      const owner = await firstOwner(w);
      people.set('owner', owner);
      for (const role of ROLES.slice(1)) people.set(role, await invited(w, owner, role));
      const answer = await w.shop.api('/payment/order');
      if (answer.status !== 200) throw new Error(textAt(answer, 'detail'));
    });
    for (const [role, person] of people) scene.stable.name(person.cookie, role);
    await paid('seen-by-all');
    const out = new Person(w);
    const desk = {
      tools: w.service.tools,
      brand: 'florin',
      two_people: { above: () => 0n, member_hours: 24 },
      secure: false,
    };
    for (const { method, path, right } of backofficeRoutes(desk)) {
      const name = `${method} ${path}`;
      title(`${name}: ${right}`);
      const filled = path.replaceAll(/:\w+/g, 'f'.repeat(24));
      const body = method === 'GET' ? undefined : {};
      await out.ask(method, filled, body);
      if (name === ENDS) continue;
      for (const person of people.values()) await person.ask(method, filled, body);
      if (method !== 'GET' && right !== 'open')
        await people.get('owner')?.ask(method, filled, body, { 'x-csrf-token': 'x' });
    }
    title('A page of another site');
    const owner = people.get('owner');
    await owner?.ask('POST', '/api/me/prove', {}, { origin: 'https://elsewhere.example' });
    await owner?.ask('POST', '/api/me/prove', {}, { 'sec-fetch-site': 'cross-site' });
    await send(`${w.service.addresses.backoffice_url}/api/orders`, { headers: { cookie: 'florin_session=nonsense' } });

    title('Signed out');
    for (const person of people.values()) await person.ask('DELETE', '/api/session');
  },
};
