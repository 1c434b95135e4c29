// POST /authentication/{server}/events: the word of a payer's bank, sent by the deployment's 3-D Secure server. That
// server is no merchant's: it has one secret with the deployment, and each message names the order it is about.
import { Refusal } from '../../core/refusals.ts';
import type { Answer } from '../../kit/http/route.ts';
import { takeAuthenticationMessage } from '../order/accept/conclude.ts';
import type { Tools } from '../tools.ts';
import { isProved } from './proof.ts';

export type BankWordRequest = {
  readonly server: string;
  readonly raw: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

export async function takeBankWord(tools: Tools, { server: name, raw, headers }: BankWordRequest): Promise<Answer> {
  const { authenticator: server, authenticator_secret } = tools;
  if (server?.name !== name || authenticator_secret === undefined)
    throw new Refusal('route_unknown', { detail: 'no 3-D Secure server of this installation sends messages here' });
  const proof = server.proofOf(raw, headers);
  const secrets = { [proof.kind === 'hmac' ? proof.secret : name]: [authenticator_secret] };
  if (!(await isProved(tools, { by: name, proof }, secrets)))
    throw new Refusal('key_invalid', {
      detail: 'the signature of the message does not hold: check the secret that both sides use, and the clock',
    });
  const message = server.readMessage(raw);
  // a message that cannot be kept is sent again by the bank: it is final there, and taking it twice changes nothing
  // here
  if (message) await takeAuthenticationMessage(tools, message);
  else tools.log.error({ server: name }, 'a signed message of the 3-D Secure server is not understood');
  return { body: { received: true } };
}
