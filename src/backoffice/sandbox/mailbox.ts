// The mails that a sandbox keeps instead of sending them. A person sees the link of an invitation only if they may give
// its role.
import { openLetter } from '../../payment/mail/write.ts';
import { listKeptMails } from '../../payment/mail/store.ts';
import type { BackofficeContext, BackofficeRequest } from '../context.ts';
import { listInvitations } from '../people/store.ts';
import { heldRole, mayGive } from '../rights.ts';
import type { Mailbox } from '../wire/sandbox.ts';

export async function readMailbox({ tools }: BackofficeContext, asked: BackofficeRequest): Promise<Mailbox> {
  const { db, account_id, principal } = asked;
  const [rows, open] = [await listKeptMails(db), await listInvitations(db)];
  const mayOpen = (invitation_id: string) => {
    const invitation = open.find(({ id }) => id === invitation_id);
    return invitation !== undefined && mayGive(principal.account, heldRole(invitation));
  };
  const mails = rows.map(({ id, kind, about_id, address, sealed, created_at }) => {
    const {
      subject,
      paragraphs,
      facts = [],
      link,
      why,
      language = 'en',
    } = openLetter(tools, account_id, { id, sealed });
    const withheld = link !== undefined && kind === 'invitation' && !mayOpen(about_id);
    const shown = link && !withheld ? { link } : {};
    const says = { subject, language, paragraphs, facts, withheld, why };
    return { id, to: address, ...says, created_at: created_at.toISOString(), ...shown };
  });
  return { sent: tools.mail.way === 'sent', mails };
}
