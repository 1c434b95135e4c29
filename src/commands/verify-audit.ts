// florin verify-audit: checks the chain of the vault's audit. Keep the number and head that it prints on another host:
// with older ones a person can tell whether records were cut off the end.
import { StartError } from '../kit/start-error.ts';
import { verifyAudit } from '../vault/audit/audit.ts';
import { openVault } from './vault-session.ts';

export async function verifyAuditCommand(): Promise<void> {
  await using vault = await openVault();
  const verdict = await verifyAudit(vault.db);
  if (!verdict.whole) throw new StartError(`The audit is broken at record ${verdict.at}: ${verdict.why}.`);
  console.log(`${verdict.records} records, none changed, missing or moved. Head ${verdict.head}`);
}
