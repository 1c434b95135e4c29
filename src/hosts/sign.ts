// florin destinations: signs the file that says where calls to providers may go. Done where the operator's key is,
// which is not the vault's host; openssl can do the same: openssl pkeyutl -sign -rawin -inkey KEY -in FILE | base64.
import { type KeyObject, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { keepNames, replaceKept, writeKept } from '../kit/kept-file.ts';
import { StartError, helpIfWanted, whyNot } from '../kit/start-error.ts';
import { readDestinations, signatureFile } from '../provider/send/signed.ts';
import { loadTable } from '../provider/send/tables.ts';

const USAGE = `Usage:
  florin destinations show PROVIDER                     prints the table of a provider's steps, and its hash to be signed
  florin destinations key PRIVATE_FILE PUBLIC_FILE      makes the operator's key pair (Ed25519)
  florin destinations sign FILE PRIVATE_FILE            writes FILE.sig
  florin destinations check FILE PUBLIC_FILE [sandbox]  says what a host would say at its start`;

export async function destinationsCommand(args: readonly string[]): Promise<void> {
  helpIfWanted(args, USAGE);
  const [verb, file = '', key_file = '', environment = 'production'] = args;
  if (verb === 'show' && file !== '') return showTable(file);
  if (file === '' || key_file === '') throw new StartError(USAGE);
  if (verb === 'key') return makeKey(file, key_file);
  if (verb === 'sign') return signFile(file, key_file);
  if (verb !== 'check' || (environment !== 'production' && environment !== 'sandbox')) throw new StartError(USAGE);
  const found = await readDestinations({ file, key_file, environment });
  console.log(`${file} is signed and right: ${found.map(([id]) => id).join(', ')}`);
}

async function showTable(provider: string): Promise<void> {
  const { name, steps, hash } = await loadTable(provider);
  console.log(`${JSON.stringify(steps, undefined, 2)}\n\n${name}: ${hash}`);
}

function makeKey(private_file: string, public_file: string): void {
  const there = [private_file, public_file].filter((file) => existsSync(file));
  if (there.join() === public_file)
    throw new StartError(
      `${public_file} is there, and ${private_file} is not. If you keep that key elsewhere, name other files. If a run was killed before it had written both, remove ${public_file} and make them again.`,
    );
  if (there.length > 0) throw new StartError(`${there.join(' and ')} would be overwritten: name other files.`);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  // the public one first: a private one without it would be in the way of the next try
  writeKept(public_file, publicKey.export({ type: 'spki', format: 'pem' }), 0o444);
  try {
    writeKept(private_file, pem, 0o400);
  } catch (error) {
    rmSync(public_file);
    throw error;
  }
  for (const file of [public_file, private_file]) keepNames(dirname(file));
  console.log(`Keep ${private_file} off the hosts; the hosts' FLORIN_DESTINATIONS_KEY_FILE is ${public_file}.`);
}

function operatorKey(private_file: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(private_file));
    // hosts take no other, and would say so only at their start
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 key');
    return key;
  } catch (error) {
    throw new StartError(`The key in ${private_file} cannot be used: ${whyNot(error)}`);
  }
}

function signFile(file: string, private_file: string): void {
  const key = operatorKey(private_file);
  try {
    const signature = sign(null, readFileSync(file), key);
    replaceKept(signatureFile(file), `${signature.toString('base64')}\n`, 0o644);
    keepNames(dirname(file));
  } catch (error) {
    throw new StartError(`${file} could not be signed: ${whyNot(error)}`);
  }
  console.log(`written: ${signatureFile(file)}`);
}
