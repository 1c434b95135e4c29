// Every setting, as a row: name, meaning, default, form. docs/settings.md comes from here; config.ts reads them.
import { LOG_LEVELS } from '../kit/log.ts';
import { type Setting, row } from './forms.ts';
import { MAIL_SETTINGS } from './mail.ts';
import { RETENTION_SETTINGS } from './retention.ts';
import { WALLET_SETTINGS } from './wallets.ts';

export type { Setting };

export const SETTINGS = {
  FLORIN_ENVIRONMENT: {
    ...row('choice', 'sandbox', 'a sandbox never opens a connection to a real provider'),
    choices: ['sandbox', 'production'],
  },
  FLORIN_HOST: row('text', '127.0.0.1', 'address the hosts listen at'),
  FLORIN_API_PORT: row('port', '8080', 'port of the payment API; 0 takes a free one'),
  FLORIN_VAULT_PORT: row('port', '8081', 'port of the vault'),
  FLORIN_BACKOFFICE_PORT: row('port', '8082', 'port of the back office'),
  FLORIN_SHOP_PORT: row('port', '8086', 'port of the demo shop (florin shop)'),
  FLORIN_BASE_URL: row('web address', '', 'address of the payment API as callers see it; empty: host and port'),
  FLORIN_VAULT_URL: row('web address', '', 'address of the vault as browsers see it; empty: host and port'),
  FLORIN_BACKOFFICE_URL: row(
    'web address',
    '',
    'address of the back office as people see it: what invitations link to; empty: host and port',
  ),
  FLORIN_HOST_NAMES: row(
    'names',
    '',
    'more names the hosts answer to, separated by commas; without it their own addresses and URLs, in a sandbox loopback too',
  ),
  FLORIN_DATA_DIR: row(
    'text',
    'data',
    'folder of the embedded database, the key files and the sandbox; all payment and worker hosts need the same keys/payment-key.json in theirs',
  ),
  FLORIN_DATABASE_URL: {
    ...row(
      'postgres address',
      '',
      'PostgreSQL 15 or newer for the money zone, or several servers of which one is the primary: postgres://user@one:5432,two:5432/florin; empty: the embedded one',
    ),
    secret: true,
  },
  FLORIN_VAULT_DATABASE_URL: {
    ...row(
      'postgres address',
      '',
      'PostgreSQL 15 or newer for the card zone; empty: the same server as the money zone',
    ),
    secret: true,
  },
  FLORIN_DATABASE_CONNECTIONS: row('count', '8', 'connections of each zone to its database'),
  FLORIN_BRAND: row('text', 'florin', 'gives the names of contract 1.2: two to twenty lower-case letters and digits'),
  FLORIN_KEY_LETTERS: row('text', 'FL', 'begin every key: two to six upper-case letters'),
  FLORIN_DEMO_PRIVATE_KEY: {
    ...row('key', '', 'private key of the demo account (sandbox on loopback only); empty: made at the first start'),
    secret: true,
  },
  FLORIN_DEMO_PUBLIC_KEY: {
    ...row('key', '', 'public key of the demo account (sandbox on loopback only); empty: made at the first start'),
    secret: true,
  },
  FLORIN_MCP_KEY: {
    ...row('key', '', "private key that florin mcp reads with: scope read is enough; empty: the demo account's"),
    secret: true,
  },
  FLORIN_KEY_PROVIDER: {
    ...row(
      'choice',
      'file',
      'where the key of the vault lives: two component files, a transit engine, a PKCS#11 token',
    ),
    choices: ['file', 'transit', 'pkcs11'],
  },
  FLORIN_TRANSIT_URL: row(
    'web address',
    '',
    'OpenBao or HashiCorp Vault with the transit engine, for the provider transit',
  ),
  FLORIN_TRANSIT_MOUNT: row('text', 'transit', 'path at which the transit engine is mounted'),
  FLORIN_TRANSIT_KEY: row('text', 'florin-sandbox', 'name of the transit key; it ends with the environment'),
  FLORIN_TRANSIT_TOKEN_FILE: row('file', '', 'file with the token for the transit engine; read again for each call'),
  FLORIN_PKCS11_MODULE: row('file', '', "the device maker's library, for the provider pkcs11"),
  FLORIN_PKCS11_TOKEN: row('text', 'florin', 'label of the token'),
  FLORIN_PKCS11_PIN_FILE: row('file', '', 'file with the PIN of the token'),
  FLORIN_PKCS11_BINDING: row(
    'text',
    'pkcs11js',
    'npm package that speaks PKCS#11, by name or folder; it does not come along',
  ),
  FLORIN_CVC_STORE: {
    ...row(
      'choice',
      'memory',
      'where a cvc waits: memory for one vault process, database (sealed, unlogged) for several',
    ),
    choices: ['memory', 'database'],
  },
  FLORIN_TLS_CERT_FILE: row('file', '', 'certificate chain (PEM) of the hosts; required in production'),
  FLORIN_TLS_KEY_FILE: row('file', '', 'private key (PEM) of the certificate'),
  FLORIN_TLS_DIR: row(
    'folder',
    '',
    "folder of this host's link certificates (florin certs); required where payment, vault or worker runs alone",
  ),
  FLORIN_LINK_HOST: row('text', '127.0.0.1', 'address the link listeners of the hosts listen at; never a public one'),
  FLORIN_VAULT_LINK_PORT: row('port', '8083', 'port at which a vault alone answers payment and worker hosts'),
  FLORIN_VAULT_LINK_URL: row('web address', '', 'where payment and worker alone find that port: https://host:port'),
  FLORIN_PAYMENT_LINK_PORT: row('port', '8084', 'port at which a payment host alone answers the vault'),
  FLORIN_PAYMENT_LINK_URL: row(
    'web address',
    '',
    'where a vault alone finds that port; empty: there is no hosted page, and only the order checks whether a checkout is open',
  ),
  FLORIN_SIMULATOR_PORT: row('port', '8085', 'port of the simulated providers, run alone'),
  FLORIN_SIMULATOR_PUBLIC_URL: row(
    'web address',
    '',
    "address of the simulated bank as the browsers of payers elsewhere see it, by a proxy to the port of the bank's pages; empty: loopback",
  ),
  FLORIN_SIMULATOR_PAGES_PORT: row(
    'port',
    '8087',
    "port of the simulated bank's pages alone, opened where they have an address for payers",
  ),
  FLORIN_SIMULATOR_URL: row(
    'web address',
    '',
    'where the simulated providers run already (sandbox only); empty: florin start starts them too',
  ),
  FLORIN_WITH: row(
    'list of simulators',
    '',
    'simulated providers that stand behind a sandbox beside its own, as stripe,adyen; with =URL behind the name, one that runs already (sandbox only)',
  ),
  FLORIN_DESTINATIONS_FILE: row(
    'file',
    '',
    'where calls to providers may go (JSON), with its signature beside it (.sig); required in production by every host but the simulator',
  ),
  FLORIN_DESTINATIONS_KEY_FILE: row(
    'file',
    '',
    "operator's public key (PEM, Ed25519) the destinations are signed with",
  ),
  ...WALLET_SETTINGS,
  FLORIN_REQUESTS_PER_SECOND: row(
    'count',
    '100',
    'requests of one key a second, twice as many in a burst; several payment or vault processes each take their part of it, 1 at least',
  ),
  FLORIN_REQUESTS_RUNNING: row(
    'count',
    '40',
    'requests of one key running at once; divided among processes in the same way',
  ),
  FLORIN_TOKENS_PER_MINUTE: row(
    'count',
    '60',
    'tokenizations of one public key from one address a minute, over all vault processes: they tell each other once a second, and a failover forgets that minute',
  ),
  FLORIN_ALIKE_CARDS_PER_DAY: row(
    'count',
    '10',
    'different card numbers with the same first six and last four digits that one account may tokenize in 24 hours at one vault process',
  ),
  FLORIN_FAILED_KEYS_PER_MINUTE: row(
    'count',
    '30',
    'requests with an unknown key from one address a minute, over all processes of a zone as above',
  ),
  FLORIN_DATABASE_DURABLE: {
    ...row(
      'choice',
      'required',
      'refuse a PostgreSQL that may lose a commit. required: of one machine; replicated: every commit waits for a standby; managed: its operator has read that a standby of the provider has every commit; unchecked: for tests in a sandbox only',
    ),
    choices: ['required', 'replicated', 'managed', 'unchecked'],
  },
  FLORIN_SIMULATOR_DEADLINE_S: row(
    'count',
    '10',
    'seconds the simulated providers are waited for; what they have not done after half as long again they never will',
  ),
  FLORIN_REVIEW_TWO_PEOPLE_ABOVE: row(
    'optional text',
    '',
    'an operation above so much is settled by hand by two people only (florin review): major units by currency, such as EUR=1000,JPY=150000; a currency that is not named: 1000, and 100000 where it has no decimals',
  ),
  FLORIN_SECOND_PERSON_HOURS: row(
    'count',
    '24',
    'hours for which both people must have been members of the team where two must agree; in a sandbox by its own clock',
  ),
  FLORIN_CRASH_AT: row(
    'optional text',
    '',
    'ends the process by SIGKILL at this point of src/core/kill-points.ts (tests only, refused in production)',
  ),
  FLORIN_SERVER_IPS: row(
    'list',
    '',
    'addresses of merchant servers, exempt from the limit on tokenizations; separated by commas',
  ),
  FLORIN_TRUSTED_PROXIES: row(
    'optional text',
    '',
    'addresses or networks of the proxies before the hosts: the address that they give in X-Forwarded-For counts as the client, for limits, risk and audit',
  ),
  FLORIN_BEHIND_PROXY: {
    ...row(
      'choice',
      'no',
      'a proxy stands before the hosts: idle connections are kept for 65 s instead of 5. Name it in FLORIN_TRUSTED_PROXIES, too',
    ),
    choices: ['no', 'yes'],
  },
  FLORIN_STOP_PAUSE_MS: row(
    'pause',
    '',
    'how long a host that is stopping goes on answering while /ready says no: two looks of the proxy before it; empty: 2000 in production, 0 in a sandbox',
  ),
  FLORIN_NOTIFICATION_PRIVATE_TARGETS: {
    ...row(
      'choice',
      'auto',
      'a sandbox may send notifications to private hosts, over http and at any port; auto: where it is reached on loopback only',
    ),
    choices: ['auto', 'yes', 'no'],
  },
  FLORIN_SANDBOX_LISTED_CARDS_ONLY: {
    ...row('choice', 'no', 'a sandbox refuses every card number that is not one of its own test cards'),
    choices: ['no', 'yes'],
  },
  FLORIN_ADDRESS_COUNTRIES_FILE: row(
    'file',
    '',
    'MaxMind DB file with the country of addresses (ip_country); empty: not known. Read at start',
  ),
  FLORIN_CARD_RANGES_FILE: row(
    'file',
    '',
    'CSV of card ranges with the columns bin, issuer and isoCode2 (card_issuer, card_country), type and category (credit, debit, prepaid); empty: not known. Read at start',
  ),
  FLORIN_METRICS_PORT: row(
    'optional port',
    '',
    'port at which Prometheus reads this process; empty: none, 0: a free one',
  ),
  FLORIN_METRICS_HOST: row(
    'text',
    '127.0.0.1',
    'address of that port; metrics name no merchant, and only the monitoring needs them',
  ),
  FLORIN_OTEL_ENDPOINT: row(
    'web address',
    '',
    'OpenTelemetry collector that takes traces as JSON over HTTP; empty: no traces are made',
  ),
  ...MAIL_SETTINGS,
  FLORIN_SANDBOX_SEED: row(
    'optional text',
    'florin',
    'same seed, same calls, same clock: the same outcomes in a sandbox (contract 15.4)',
  ),
  ...RETENTION_SETTINGS,
  FLORIN_LOG_LEVEL: { ...row('choice', 'info', 'what is logged to standard error'), choices: LOG_LEVELS },
} as const satisfies Record<string, Setting>;
