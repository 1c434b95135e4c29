// Where SQL, result codes, card data and secrets may stand.
import { RESULTS } from '../../src/core/results.ts';
import { functionsOf } from './functions.ts';
import { type File, type Rule, at, brackets, codeIn, inCode, lexed } from './rule.ts';
import type { Text } from './lex.ts';

const LOWER_OR_UPPER = [
  String.raw`SELECT\s[\s\S]*?\sFROM\b`,
  String.raw`INSERT\s+INTO\b`,
  String.raw`UPDATE\s+[\s\S]*?\sSET\b`,
  String.raw`DELETE\s+FROM\b`,
  String.raw`WITH\s+(?:RECURSIVE\s+)?[\w"]+\s*(?:\([^)]*\)\s*)?AS\s+(?:(?:NOT\s+)?MATERIALIZED\s*)?\(\s*(?:SELECT|INSERT|UPDATE|DELETE|VALUES|WITH|TABLE|--|\$)`,
];
const UPPER = [
  String.raw`SELECT\s`,
  String.raw`MERGE\s+INTO\b`,
  String.raw`(?:CREATE|ALTER|DROP)\s+[A-Z]`,
  String.raw`(?:TRUNCATE|NOTIFY|LISTEN|CALL|COPY|GRANT|REVOKE)\s+\w`,
  String.raw`LOCK\s+TABLE\b`,
  String.raw`SET\s+(?:LOCAL|ROLE|SESSION)\b`,
  String.raw`(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT\s+\w+)$`,
];
const STATEMENT = new RegExp(
  `^(?:${[...UPPER, ...LOWER_OR_UPPER, ...LOWER_OR_UPPER.map((pattern) => pattern.replace(/[A-Z]{2,}/g, (word) => word.toLowerCase()))].join('|')})`,
);

/** Keywords all in capitals or all small: a sentence that begins with Select or Update is not SQL. */
function isSql(text: string): boolean {
  return STATEMENT.test(text.replace(/^(?:\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()+/, '').trimEnd());
}

export function sqlIn(file: File): Text[] {
  return lexed(file).texts.filter((text) => isSql(text.value));
}

/** In the body of a function, or right in the brackets of a call: `const f = (db) => db.run('name', sql)`. */
function sqlApartIn(file: File): string[] {
  const { code } = lexed(file);
  const functions = functionsOf(code);
  const pairs = [...brackets(code)];
  const apart = sqlIn(file).filter(({ start }) => {
    const around = pairs.filter(([open, close]) => open < start && close > start).map(([open]) => open);
    const is_argument = around.length > 0 && code[Math.max(...around)] === '(';
    return !is_argument && !functions.some((found) => found.start < start && found.end > start);
  });
  return apart.map(({ start }) => at(file, start, 'is written apart from the function that runs it'));
}

/** A reason of three words or more must follow the marker. */
export const ANY_ACCOUNT = /--\s*any account:\s*(?:\S+[ \t]+){2,}\S+/;

function namesNoAccount(file: File): string[] {
  return sqlIn(file)
    .filter(
      (text) => !/\bmerchant_account_id\b/.test(text.value.replace(/--[^\n]*/g, '')) && !ANY_ACCOUNT.test(text.value),
    )
    .map((text) => at(file, text.start, 'is a statement that names no merchant_account_id'));
}

const CODES = new Set(RESULTS.map((row) => row.code));

function codesIn(file: File): string[] {
  return lexed(file)
    .texts.filter((text) => /^\d{6,7}$/.test(text.value) && CODES.has(text.value))
    .map((text) => at(file, text.start, `writes result code ${text.value} instead of its name`));
}

/** Beginnings of paths where card data have names, and why. */
const CARD_DATA_PLACES: Readonly<Record<string, string>> = {
  'src/vault/': 'the card zone',
  'src/provider/send/wire.ts': 'writes a message around slots: the vault alone gives it a card',
  'src/provider/send/slots.ts': 'the bytes of a slot: the vault alone gives it a card',
  'src/core/card.ts': 'what a number says about its card',
  'src/sandbox/': 'plays the bank, which sees the card',
  'src/simulators/': 'plays a vendor, who sees the card',
  'web/elements/inside': 'the fields in our frame',
  'web/elements/old': "the old generation: card inputs in the merchant's own page (contract 12.3)",
  'web/page': 'the hosted page',
  'src/payment/checkout/methods.ts': 'form_fields of the contract: names of fields, never a value',
  'src/kit/http': 'the names that are dropped before anything is logged',
  'src/commands/demo.ts': 'plays a merchant with a test card',
  'src/commands/sandbox/session.ts': 'plays a merchant with the cards of the sandbox',
  'src/shop/pages.ts': 'plays a merchant with card inputs in its page: names of fields, never a value',
};
const CARD_WORD = /^(?:card_?number|primary_?account_?number|pan|cvc2?|cvv2?)$/i;

/** As a name in code, or as a text that is nothing but the name. Slots ('card.number', 'card.cvc?') are neither. */
function cardWordsIn(file: File): string[] {
  const { code, texts } = lexed(file);
  const names = [...code.matchAll(/[\w$]+/g)].map((match) => ({ start: match.index, value: match[0] }));
  return [...names, ...texts]
    .filter(({ value }) => CARD_WORD.test(value))
    .map(({ start, value }) => at(file, start, `names card data: ${value}`));
}

const REVEALS = ['src/vault/', 'src/kit/', 'src/core/secret.ts'];

function outside(files: readonly File[], places: readonly string[]): File[] {
  return files.filter((file) => !places.some((place) => file.path.startsWith(place)));
}

const isStore = (path: string) => /[/-]store\.ts$/.test(path);

export const DATA_RULES: readonly Rule[] = [
  {
    name: 'SQL stands in store.ts, in kit and in schema folders only',
    find: (files) =>
      outside(codeIn(files, 'src/', 'web/'), ['src/kit/'])
        .filter((file) => !isStore(file.path))
        .flatMap((file) => sqlIn(file).map((text) => at(file, text.start, 'holds SQL'))),
    breach: {
      'src/payment/order/create.ts': [
        'const a = `SELECT id',
        '  FROM payment.orders`;',
        "const b = 'insert into payment.orders values (1)';",
        'const c = "UPDATE payment.orders SET status = 1";',
        'const d = `\n  -- why\n  WITH moved AS (SELECT 1) SELECT 2`;',
        'const e = `delete from ${table} where id = 1`;',
      ].join('\n'),
      'src/main.ts': "await run('SELECT payment.sweep()');\nawait run(`TRUNCATE payment.orders`);\nrun('BEGIN');",
      'src/worker/restore.ts': 'const a = `${`select 1 from b`}`;',
    },
    finds: [
      ...[1, 3, 4, 5, 8].map((line) => `src/payment/order/create.ts:${line}`),
      ...[1, 2, 3].map((line) => `src/main.ts:${line}`),
      'src/worker/restore.ts:1',
    ],
    clean: {
      'src/payment/order/store.ts': 'const a = `SELECT id FROM payment.orders`;',
      'src/payment/order/facts/order-store.ts': 'const a = `SELECT id FROM payment.orders`;',
      'src/kit/migrate.ts': 'const a = `CREATE TABLE migrations (id int)`;',
      'src/payment/schema/migrations/0001-a.sql': 'SELECT 1 FROM b;',
      'src/payment/order/create.ts': [
        '// SELECT id FROM payment.orders',
        "const a = 'Select a card from the list';",
        "const b = 'Update the status and set a reason';",
        "const c = 'with care as (it) should';",
        "const d = 'select';\nconst e = 'update of the order';",
      ].join('\n'),
    },
  },
  {
    name: 'a statement is written inside the function that runs it',
    find: (files) => codeIn(files, 'src/').flatMap((file) => (isStore(file.path) ? sqlApartIn(file) : [])),
    breach: {
      'src/vault/store.ts':
        "const GET = 'SELECT id FROM vault.keys';\nconst ALL = {\n  put: `INSERT INTO vault.keys`,\n};\nexport const f = (db) => db.run(GET);",
    },
    finds: ['src/vault/store.ts:1', 'src/vault/store.ts:3'],
    clean: {
      'src/vault/store.ts':
        "const a = (db) => db.run('a', `SELECT 1 FROM b`);\nfunction c(db) {\n  const text = `SELECT 1 FROM b`;\n  return db.run(text);\n}",
    },
  },
  {
    name: "every statement on a merchant's rows names merchant_account_id",
    find: (files) =>
      codeIn(files, 'src/payment/')
        .filter((file) => isStore(file.path))
        .flatMap(namesNoAccount),
    breach: {
      'src/payment/order/store.ts': [
        'const a = `SELECT id FROM payment.orders WHERE id = ${merchant_account_id}`;',
        "const b = 'DELETE FROM payment.orders';",
        'const c = `SELECT id FROM payment.orders -- merchant_account_id`;',
        'const d = `-- any account: why\n SELECT id FROM payment.orders`;',
      ].join('\n'),
    },
    finds: [1, 2, 3, 4].map((line) => `src/payment/order/store.ts:${line}`),
    clean: {
      'src/payment/order/store.ts': [
        'const a = `SELECT id FROM payment.orders WHERE merchant_account_id = :merchant_account_id`;',
        'const b = `-- any account: the worker looks for work of all\nSELECT id FROM payment.operations`;',
        "const c = 'get_order';",
      ].join('\n'),
      'src/vault/store.ts': 'const a = `SELECT id FROM vault.keys`;',
    },
  },
  {
    name: 'a result is told by its name: no code outside core/results.ts',
    find: (files) => outside(codeIn(files, 'src/'), ['src/core/results.ts']).flatMap(codesIn),
    breach: { 'src/payment/order/view.ts': 'const a = "011111";\nconst b = \'9111111\' + `999999`;' },
    finds: ['src/payment/order/view.ts:1', 'src/payment/order/view.ts:2', 'src/payment/order/view.ts:2'],
    clean: {
      'src/core/results.ts': "const a = '011111';",
      'src/core/card.ts': "range('670344', '01111'); // '011111'\nconst b = 'code 011111';",
      'test/a.test.ts': "expect(code).toBe('011111');",
    },
  },
  {
    name: 'card data have names in the card zone only',
    find: (files) => outside(codeIn(files, 'src/', 'web/'), Object.keys(CARD_DATA_PLACES)).flatMap(cardWordsIn),
    breach: {
      'src/payment/order/create.ts':
        "const { card_number } = body;\nbody.cvc = 1;\nbody['pan'] = 2;\nconst cardNumber = 3;",
      'src/provider/a.ts': 'type A = { readonly pan: string };',
      'web/elements/outside/a.ts': "send({ 'cvc': `${cvc}` });",
    },
    finds: [
      ...[1, 2, 3, 4].map((line) => `src/payment/order/create.ts:${line}`),
      'src/provider/a.ts:1',
      'web/elements/outside/a.ts:1',
      'web/elements/outside/a.ts:1',
    ],
    clean: {
      'src/vault/tokenize.ts': 'const { card_number, cvc } = body;',
      'src/provider/a.ts': "type Slot = 'card.number' | 'card.cvc?'; // the pan\nconst panel = card_number_invalid;",
      'web/page/a.ts': "const a = form['card_number'];",
      'test/a.test.ts': "const a = { card_number: '4' };",
    },
  },
  {
    name: 'a secret is revealed in the vault and in kit only',
    find: (files) =>
      outside(codeIn(files, 'src/', 'web/'), REVEALS)
        .filter((file) => !/^src\/[^/]+$/.test(file.path))
        .flatMap((file) => inCode(file, /\.\s*reveal\s*\(/g, 'reveals a secret')),
    breach: { 'src/payment/order/create.ts': '\nconst a = key.reveal();\nconst b = card?.number.reveal ();' },
    finds: ['src/payment/order/create.ts:2', 'src/payment/order/create.ts:3'],
    clean: {
      'src/vault/forward.ts': 'const a = number.reveal();',
      'src/main.ts': 'open(config.database_url.reveal());',
      'src/payment/order/create.ts': "// key.reveal()\nconst reveal = 'x.reveal()';",
    },
  },
];
