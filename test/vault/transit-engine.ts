// A stand-in for OpenBao's transit engine, as a process of its own behind a real socket. It speaks the engine's HTTP
// API (openbao.org/api-docs/secret/transit) with real cryptography; run by test/vault/transit.test.ts with the token as
// its argument. POST /stand-in/sealed and /stand-in/unsealed seal and unseal it, as an operator would.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { listeningPort } from '../../src/kit/listening-port.ts';

type Key = {
  readonly type: string;
  readonly versions: Map<number, Buffer>;
  min_decryption_version: number;
  min_encryption_version: number;
};
type Body = Readonly<Record<string, unknown>>;
type Reply = { readonly status: number; readonly body?: object };

const [token = ''] = process.argv.slice(2);
const keys = new Map<string, Key>();
let sealed = false;

const refusal = (status: number, error: string): Reply => ({ status, body: { errors: [error] } });
const latest = (key: Key) => Math.max(...key.versions.keys());
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const bytes = (value: unknown) => Buffer.from(textOf(value), 'base64');

function encrypt(key: Key, body: Body): Reply {
  const version = Number(body['key_version'] ?? 0) || latest(key);
  const material = key.versions.get(version);
  if (!material || version < key.min_encryption_version)
    return refusal(400, 'requested version for encryption is not available');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', material, nonce).setAAD(bytes(body['associated_data']));
  const sealed_bytes = Buffer.concat([
    nonce,
    cipher.update(bytes(body['plaintext'])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return {
    status: 200,
    body: { data: { ciphertext: `vault:v${version}:${sealed_bytes.toString('base64')}`, key_version: version } },
  };
}

function decrypt(key: Key, body: Body): Reply {
  const match = /^vault:v(\d+):([A-Za-z0-9+/=]+)$/.exec(textOf(body['ciphertext']));
  if (!match) return refusal(400, 'invalid ciphertext: no prefix');
  const version = Number(match[1]);
  const material = key.versions.get(version);
  if (!material || version < key.min_decryption_version)
    return refusal(400, 'ciphertext or signature version is disallowed by policy (too old)');
  const raw = bytes(match[2]);
  const decipher = createDecipheriv('aes-256-gcm', material, raw.subarray(0, 12)).setAAD(
    bytes(body['associated_data']),
  );
  decipher.setAuthTag(raw.subarray(-16));
  try {
    const plain = Buffer.concat([decipher.update(raw.subarray(12, -16)), decipher.final()]);
    return { status: 200, body: { data: { plaintext: plain.toString('base64') } } };
  } catch {
    return refusal(400, 'cipher: message authentication failed');
  }
}

function read(name: string, key: Key): Reply {
  const { type, min_decryption_version, min_encryption_version } = key;
  const versions = Object.fromEntries([...key.versions.keys()].map((version) => [version, 1_442_851_412]));
  const flags = { deletion_allowed: false, derived: false, exportable: false, allow_plaintext_backup: false };
  return {
    status: 200,
    body: {
      data: {
        name,
        type,
        ...flags,
        keys: versions,
        latest_version: latest(key),
        min_decryption_version,
        min_encryption_version,
      },
    },
  };
}

function config(key: Key, body: Body): Reply {
  const decryption = Number(body['min_decryption_version'] ?? key.min_decryption_version);
  const encryption = Number(body['min_encryption_version'] ?? key.min_encryption_version);
  if (decryption > latest(key))
    return refusal(400, 'cannot set min decryption version of greater than the latest version');
  if (encryption !== 0 && encryption < decryption)
    return refusal(400, 'min encryption version should be greater than or equal to min decryption version');
  key.min_decryption_version = decryption;
  key.min_encryption_version = encryption;
  return { status: 204 };
}

function trim(key: Key, body: Body): Reply {
  const oldest = Number(body['min_available_version']);
  if (oldest > key.min_decryption_version || oldest > key.min_encryption_version)
    return refusal(400, 'minimum available version cannot be higher than minimum encryption or decryption version');
  for (const version of [...key.versions.keys()]) if (version < oldest) key.versions.delete(version);
  return { status: 204 };
}

function answer(method: string, path: string, body: Body): Reply {
  if (path.startsWith('/stand-in/')) {
    sealed = path.endsWith('/sealed');
    return { status: 204 };
  }
  if (sealed) return refusal(503, 'Vault is sealed');
  const [verb = '', name = '', action] = path.replace('/v1/transit/', '').split('/');
  if (verb === 'keys' && method === 'POST' && action === undefined) {
    const type = textOf(body['type']) || 'aes256-gcm96';
    keys.set(name, {
      type,
      versions: new Map([[1, randomBytes(32)]]),
      min_decryption_version: 1,
      min_encryption_version: 0,
    });
    return { status: 204 };
  }
  const key = keys.get(name);
  if (!key) return refusal(verb === 'keys' && method === 'GET' ? 404 : 400, 'encryption key not found');
  if (verb === 'encrypt') return encrypt(key, body);
  if (verb === 'decrypt') return decrypt(key, body);
  if (verb !== 'keys') return refusal(404, `no handler for route "transit/${verb}"`);
  if (method === 'GET') return read(name, key);
  if (action === 'rotate') {
    key.versions.set(latest(key) + 1, randomBytes(32));
    return { status: 204 };
  }
  return action === 'config'
    ? config(key, body)
    : action === 'trim'
      ? trim(key, body)
      : refusal(404, 'unsupported path');
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const body: Body = text === '' ? {} : JSON.parse(text);
  return body;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const { method = 'GET', url = '' } = request;
  const denied = request.headers['x-vault-token'] !== token && !url.startsWith('/stand-in/');
  const reply = denied ? refusal(403, 'permission denied') : answer(method, url, body);
  response.writeHead(reply.status, { 'content-type': 'application/json' });
  response.end(reply.body ? JSON.stringify({ request_id: 'r', lease_id: '', renewable: false, ...reply.body }) : '');
}

const server = createServer((request, response) => void serve(request, response));
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${listeningPort(server)}`);
});
process.on('disconnect', () => process.exit(0));
