// Changes of single sign-on, and coming in by it.
import { type Company, signInAtCompany } from '../../backoffice/company.ts';
import { PASSWORD, Person } from '../../backoffice/person.ts';
import { type At, type Change, fresh, reason } from './desk.ts';

export function signOn(at: At, company: () => Company): readonly Change[] {
  const set = () => {
    const { issuer, client } = company();
    return at().put('/api/sign-on', {
      ...client,
      issuer,
      domains: ['company.example'],
      passwords: true,
      new_role: 'reader',
      reason,
    });
  };
  const prove = () => at().post('/api/me/prove', { password: PASSWORD });
  const come = async () => {
    await prove();
    await set();
    const sub = fresh('employee');
    const email = `${sub}@company.example`;
    company().people.set(sub, { sub, email, email_verified: true, name: sub });
    const person = new Person(at().w);
    const url = (await person.post('/api/session/sign-on', { email })).say('url');
    const query = new URL(await signInAtCompany(url, sub)).search.slice(1);
    const account_id = at().w.account;
    return () => person.post('/api/session/sign-on/finish', { account_id, query });
  };
  return [
    [
      'single sign-on',
      async () => {
        await prove();
        return set;
      },
    ],
    ['a session by single sign-on', come],
    ['a sign-in that is used up by single sign-on', come, 'take_sign_on_attempt'],
    [
      'the end of single sign-on',
      async () => {
        await prove();
        await set();
        return () => at().post('/api/sign-on/remove', { reason });
      },
    ],
  ];
}
