// One of everything that the back office asks of the database: for the test of all statements.
import { DEPLOYMENT, verifyChain, writeAudit } from '../../src/backoffice/audit/audit.ts';
import { findRecords, findRecordsOf } from '../../src/backoffice/audit/store.ts';
import {
  decideRefundRequest,
  countOpenRefundRequests,
  findOpenRefundRequest,
  findOpenRefundRequests,
  findRefundDecision,
  insertRefundRequest,
} from '../../src/backoffice/order/refunds/store.ts';
import { deleteNote, findNotes, insertNote } from '../../src/backoffice/order/notes/store.ts';
import { findCustomers } from '../../src/backoffice/customer/store.ts';
import {
  deleteView,
  findInDoubt,
  insertView,
  listViews,
  lookNow,
  updateView,
} from '../../src/backoffice/order/store.ts';
import { changeRights, deleteRole, findRole, insertRole, listRoles } from '../../src/backoffice/people/role-store.ts';
import {
  acceptInvitation,
  deleteMember,
  findLink,
  freeAddress,
  insertInvitation,
  insertMember,
  listInvitations,
  listMembers,
  proveAddress,
  lockMembers,
  updateRole,
  withdrawInvitations,
} from '../../src/backoffice/people/store.ts';
import {
  deleteSession,
  deleteSessions,
  findSession,
  findTicket,
  insertSession,
  listSessions,
  shutSessions,
  switchAccount,
  touchSession,
  tryTicket,
} from '../../src/backoffice/session/store.ts';
import {
  countRecoveryCodes,
  findAccounts,
  findPerson,
  insertPerson,
  offerNextTotp,
  offerTotp,
  putNextTotp,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeTotpStep,
  updatePassword,
} from '../../src/backoffice/session/person-store.ts';
import {
  countPasskey,
  deletePasskey,
  findPasskey,
  insertPasskey,
  keepChallenge,
  listPasskeys,
  takeChallenge,
} from '../../src/backoffice/session/passkeys/store.ts';
import {
  deleteSignOn,
  deleteSignedOn,
  findIdentity,
  findSignOn,
  findSignOnOfDomain,
  insertIdentity,
  insertSignedOn,
  keepAttempt,
  putDomains,
  putSignOn,
  takeAttempt,
  wasMember,
} from '../../src/backoffice/sign-on/store.ts';
import { countFailure, forgetNetworks, noteLogin, unlock } from '../../src/backoffice/session/places/store.ts';
import { findPair, findProved, keepCommandDigest, noteProof } from '../../src/backoffice/people/second/store.ts';
import { type TenantRunner, withTransaction } from '../../src/kit/database.ts';
import { changeCredentials } from '../../src/payment/merchant/credentials/credentials.ts';
import {
  countAccountsWithPeople,
  findHolder,
  freeKey,
  isNamed,
  nameKeys,
  unnameKey,
} from '../../src/payment/merchant/named-keys-store.ts';
import { listContracts, updateContract } from '../../src/payment/merchant/contract-store.ts';
import { endKeyLater, findEndedKeys, touchKey } from '../../src/payment/merchant/store.ts';
import type { World } from '../world.ts';

export async function everyBackofficeStatement(w: World): Promise<void> {
  const { tools } = w.service;
  const account = w.account;
  const db = tools.db.tenant(account);
  const id = tools.chance.id();
  const digest = tools.chance.bytes(32).toString('hex');
  await people(db, { id, digest });
  await team(db, { id, digest });
  await withTransaction(tools.db, DEPLOYMENT, (tx) =>
    writeAudit(tx, { actor: 'a test', source: 'here' }, { action: 'test call', object: id }),
  );
  await verifyChain(tools.db, DEPLOYMENT);
  await findRecords(db, { filters: { action: null, actor: null, object: null }, before: null, room: 1 });
  await findRecordsOf(db, [id]);
  await findCustomers(db, { search: 'c', after: '', room: 1 });
  await findInDoubt(db, 1);
  await lookNow(db, { order_id: id, id });
  const view = { id, person_id: id, name: 'all', filters: '{}', shared: true };
  await insertView(db, view);
  await updateView(db, view);
  await listViews(db, id);
  await deleteView(db, { ...view, any_shared: true });
  await findOpenRefundRequests(db, { order_id: id, room: 1 });
  await findOpenRefundRequest(db, id);
  await countOpenRefundRequests(db);
  await findRefundDecision(db, id);
  await decideRefundRequest(db, { id, state: 'declined', decided_by: id, decided_email: 'x', operation_id: null });
  await countAccountsWithPeople(tools.db);
  await isNamed(db, digest);
  await nameKeys(db, []);
  await findHolder(tools.db, digest);
  await freeKey(db, id);
  await unnameKey(db, digest);
  await endKeyLater(db, id, 1);
  await findEndedKeys(tools.db, 1);
  await touchKey(db, digest, true);
  const [contract] = await listContracts(db);
  if (!contract) throw new Error('an account of a sandbox has contracts');
  await updateContract(db, contract.id, contract);
  const { id: contract_id, provider } = contract;
  await withTransaction(tools.db, account, (tx) =>
    changeCredentials(tools, tx, { contract_id, provider, values: { api_key: 'any' } }),
  );
}

type Ids = { readonly id: string; readonly digest: string };

async function people(db: TenantRunner, { id, digest }: Ids): Promise<void> {
  await insertPerson(db, { id, email: 'test@shop.example', name: 'Test', password: 'x' });
  await findPerson(db, { id, network: '::1' });
  const at = { person_id: id, network: '::1' };
  await countFailure(db, at, { first: 5, many: 10, longest: 30, forget_h: 24 });
  await noteLogin(db, at);
  await forgetNetworks(db, id, 90);
  await unlock(db, id);
  await updatePassword(db, id, 'y');
  await offerTotp(db, id, Buffer.alloc(1));
  await takeTotpStep(db, id, 1);
  await offerNextTotp(db, id, Buffer.alloc(1));
  await putNextTotp(db, id, { sealed: '00', step: 1 });
  await replaceRecoveryCodes(db, id, [digest]);
  await takeRecoveryCode(db, id, digest);
  await countRecoveryCodes(db, id);
  const session = { digest, id, person_id: id, account_id: null, stage: 'in', source: '::1', browser: '' } as const;
  await insertSession(db, session, { password: 'y', totp_confirmed: true, network: '::1' });
  await findSession(db, digest);
  await tryTicket(db, digest);
  await findTicket(db, digest);
  await touchSession(db, digest);
  await switchAccount(db, digest, id);
  await listSessions(db, id);
  await deleteSession(db, digest);
  await shutSessions(db, id);
  await deleteSessions(db, { person_id: id });
  await findAccounts(db, id);
  const of_order = { order_id: id, form: '{}', amount_minor: 1n, currency: 'EUR', reason: 'a test' };
  await insertRefundRequest(db, { ...of_order, id, requested_by: id, requested_email: 'test@shop.example' });
  const asked = { challenge: digest, holder: null };
  await keepChallenge(db, asked);
  await takeChallenge(db, asked);
  const passkey = { id, person_id: id, credential_id: digest, public_key: digest, counter: 0n, synced: false };
  await insertPasskey(db, { ...passkey, name: 'a test' });
  await findPasskey(db, digest);
  await listPasskeys(db, id);
  await countPasskey(db, { ...passkey, counter: 1n });
  await deletePasskey(db, { id, person_id: id });
  await freeAddress(db, { id, email: 'nobody@shop.example' });
  const note = { id, order_id: id, person_id: id };
  await insertNote(db, { ...note, by_name: 'a test', text: 'a test', created_at: new Date(0) });
  await findNotes(db, id, 1);
  await deleteNote(db, note);
}

async function signOn(db: TenantRunner, { id, digest }: Ids): Promise<void> {
  const issuer = 'https://company.example';
  await putSignOn(db, { issuer, client_id: 'x', secret_sealed: Buffer.alloc(1), passwords: true, new_role: null });
  await putDomains(db, ['shop.example']);
  await findSignOn(db);
  await findSignOnOfDomain(db, 'shop.example');
  await keepAttempt(db, { digest, merchant_account_id: id, issuer });
  await takeAttempt(db, digest);
  await insertIdentity(db, { issuer, subject: 'x', person_id: id });
  await findIdentity(db, { issuer, subject: 'x' });
  await wasMember(db, { issuer, subject: 'x', person_id: id });
  const place = { source: '::1', browser: '', sign_out_url: null };
  await insertSignedOn(db, { digest, id, person_id: id, ...place });
  await deleteSignedOn(db);
  await deleteSignOn(db);
}

async function team(db: TenantRunner, { id, digest }: Ids): Promise<void> {
  await insertMember(db, id, 'reader');
  await signOn(db, { id, digest });
  await listMembers(db);
  const role = { id, name: 'a role', rights: ['read'] };
  await insertRole(db, role);
  await changeRights(db, role);
  await findRole(db, id);
  await listRoles(db);
  await deleteRole(db, id);
  await lockMembers(db);
  await updateRole(db, id, 'operator');
  await findPair(db, { first: id, second: id });
  await findProved(db, { email: 'x@shop.example', digest });
  await keepCommandDigest(db, id, digest);
  await noteProof(db, digest);
  await deleteMember(db, id);
  await insertInvitation(db, {
    id,
    digest,
    email: 'x@shop.example',
    role: 'reader',
    invited_by: 'a test',
    inviter_id: null,
    hours: 1,
    mailed: false,
  });
  await proveAddress(db, id);
  await listInvitations(db);
  await findLink(db, digest);
  await acceptInvitation(db, id, id);
  await withdrawInvitations(db, { ids: [id] });
}
