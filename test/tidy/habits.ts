// Where clock, chance, network and environment may be taken, and what code may not do at all. A pattern
// such as TO[D]O fits the word and is not it: whoever searches the project for the word does not find this file.
import { type File, type Rule, at, brackets, codeIn, inCode, inText, lexed, split } from './rule.ts';

const CLOCK_OR_CHANCE =
  /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|(?=[;,)\]}]))|(?<![.\w$])Date\s*\(\s*\)|\bperformance\s*\.\s*now\b|\bhrtime\b|\bMath\s*\.\s*random\b|\b(?:randomUUID(?:v7)?|randomBytes|randomInt|randomFill(?:Sync)?|getRandomValues)\b/g;

const MOVED_BUFFER = /\ballocUnsafeSlow\b|\bUint8Array\s*\.\s*from\b/g;

const IMPURE =
  /(?<![.\w$])(?:process|console|crypto|globalThis)\s*\.|(?<![.\w$])(?:setTimeout|setInterval|setImmediate)\s*\(/g;

const ENVIRONMENT = /\bprocess\s*\.\s*env\b|\bprocess\s*\[|\bimport\.meta\.env\b/g;
const ENVIRONMENT_BY_IMPORT = /\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"](?:node:)?process['"]/g;

const SILENCED = /@ts-(?:ign[o]re|expect-err[o]r|noch[e]ck)|(?:oxlint|eslint)-dis[a]ble/;
const LEFT = /\b(?:TO[D]O|FIX[M]E|HA[C]K)\b|\b(?:[Nn]ot[ ]implemented|[Cc]oming[ ]soon)\b/g;
const FOCUSED = /\b(?:it|test|describe|suite|bench)\s*\.\s*(?:[\w.]+\.)?(?:only|skip|todo)\b/g;

const SAYS_WHEN = /\b(?:skipped|needs|without|only)\b/;

/** A test that is skipped on a condition says so in its title. */
function unexplainedSkipsIn(file: File): string[] {
  const { code, texts } = lexed(file);
  const closes = brackets(code);
  return [...code.matchAll(/\.\s*(?:skipIf|runIf)\s*\(/g)].flatMap((match) => {
    const close = closes.get(match.index + match[0].length - 1) ?? code.length;
    const title = texts.find((text) => text.start > close && code.slice(close + 1, text.start).trim() === '(');
    return title && SAYS_WHEN.test(title.value)
      ? []
      : [at(file, match.index, 'skips without saying when in its title')];
  });
}

function silencedIn(file: File): string[] {
  const comments = lexed(file).comments.filter((comment) => SILENCED.test(comment.value));
  return [
    ...comments.map((comment) => at(file, comment.start, 'silences a check')),
    ...inCode(file, /\bas\s+unknown\s+as\b/g, 'silences the compiler'),
    ...inCode(
      file,
      /\bObject\s*\.\s*create\s*\(\s*null\b|\{\s*\}\s*as\s+(?!const\b)/g,
      'gives nothing the name of something',
    ),
    ...inCode(file, /(?::|<|\||&|,|=>|=|\bas|\bextends|\bis|\bkeyof)\s*any\b(?!\s*(?:[(:.?]|=>))/g, 'says any'),
  ];
}

/** An empty block is allowed where a comment in it says why, in three words or more. */
function swallowedIn(file: File): string[] {
  const { code, comments } = lexed(file);
  const blocks = [
    ...code.matchAll(/\bcatch\s*(?:\([^)]*\)\s*)?\{(\s*)\}|\.\s*catch\s*\(\s*\(\s*\w*\s*\)\s*=>\s*\{(\s*)\}\s*\)/g),
  ];
  const unexplained = blocks.filter((match) => {
    const end = match.index + match[0].length;
    const said = comments.filter((comment) => comment.start > match.index && comment.start < end);
    return !said.some((comment) => (comment.value.match(/[A-Za-z]{2,}/g)?.length ?? 0) >= 3);
  });
  return [
    ...unexplained.map((match) => at(file, match.index, 'swallows an error')),
    ...inCode(file, /\.\s*catch\s*\(\s*\(\s*\w*\s*\)\s*=>\s*(?:undefined|null|void 0)\s*\)/g, 'swallows an error'),
  ];
}

/** The arguments of each call of one of these functions. */
function callsIn(file: File, names: RegExp): { at: number; given: string[] }[] {
  const { code } = lexed(file);
  const closes = brackets(code);
  return [...code.matchAll(names)].map((match) => {
    const open = match.index + match[0].length - 1;
    return { at: match.index, given: split(code.slice(open + 1, closes.get(open))) };
  });
}

/** Numbers, and products and sums of them. */
function lasts(argument: string): number {
  if (!/^[\d_\s*+]+$/.test(argument)) return 0;
  const sums = argument.replaceAll('_', '').split('+');
  return sums.reduce((sum, part) => sum + part.split('*').reduce((product, factor) => product * Number(factor), 1), 0);
}

const RESOLVES = /^(?:[A-Za-z_$][\w$]*|\(\s*\)\s*=>\s*\{?\s*(?:resolve|done|ok|next|r)\s*\(.*)$/s;

/** A timer that gives up (aborts, rejects) is no wait; a helper named until, which asks again and again, may wait. */
function sleepsIn(file: File): string[] {
  const { code } = lexed(file);
  const closes = brackets(code);
  const helpers = [...code.matchAll(/\bfunction\s+until\b|\bconst\s+until\s*=/g)].map((match) => {
    const list = code.indexOf('(', match.index);
    const body = code.indexOf('{', closes.get(list) ?? list);
    return [match.index, closes.get(body) ?? code.length] as const;
  });
  const waits = callsIn(file, /(?<![\w$])(?:setTimeout|sleep|delay|wait|pause)\s*\(/g).filter(({ given }) => {
    const [first = '', second = ''] = given;
    return lasts(first) >= 100 || (RESOLVES.test(first) && lasts(second) >= 100);
  });
  return waits
    .filter((wait) => !helpers.some(([from, to]) => wait.at > from && wait.at < to))
    .map((wait) => at(file, wait.at, 'waits for time to pass, not for the thing'));
}

/** An amount becomes the number of an answer in core/money.ts, by its decimal text, and nowhere else. */
function floatsIn(file: File): string[] {
  const numbers = callsIn(file, /(?<![\w$.])(?:Number|Math\s*\.\s*round)\s*\(/g);
  return [
    ...inCode(file, /\bparseFloat\s*\(|\.\s*toFixed\s*\(/g, 'counts money in floating point'),
    ...numbers
      .filter(({ given }) => file.path !== 'src/core/money.ts' && /amount|minor/i.test(given.join(' ')))
      .map((call) => at(file, call.at, 'makes a floating point number of an amount')),
  ];
}

const everyCode = (files: readonly File[]) => codeIn(files, 'src/', 'web/', 'test/', 'bench/', 'bin/');

export const HABIT_RULES: readonly Rule[] = [
  {
    name: 'clock and chance come through tools, from kit alone',
    find: (files) =>
      codeIn(files, 'src/')
        .filter((file) => !file.path.startsWith('src/kit/'))
        .flatMap((file) => inCode(file, CLOCK_OR_CHANCE, 'takes clock or chance itself')),
    breach: {
      'src/payment/a.ts': [
        'const a = Date¦.now();\nconst b = new Date¦();\nconst c = new Date;\nconst d = performance.now();',
        "import { randomUUID¦ } from 'node:crypto';\nconst f = Math¦.random();\nconst g = randomBytes(8);",
        'const h = `${Date¦.now()}`;',
      ].join('\n'),
    },
    finds: [1, 2, 3, 4, 5, 6, 7, 8].map((line) => `src/payment/a.ts:${line}`),
    clean: {
      'src/kit/clock.ts': 'const a = Date¦.now();',
      'src/payment/a.ts':
        "const a = new Date(row.created_at); // Date¦.now()\nconst b = 'new Date¦()';\nconst c = tools.clock.now();",
      'test/a.ts': 'const a = new Date¦();',
    },
  },
  {
    name: 'the vault takes buffers that V8 does not move: privateBytes, not allocUnsafeSlow',
    find: (files) =>
      codeIn(files, 'src/vault/').flatMap((file) => inCode(file, MOVED_BUFFER, 'may leave copies behind')),
    breach: {
      'src/vault/a.ts': 'const a = Buffer.allocUnsafeSlow¦(20);\nconst b = Buffer.from(Uint8Array.from¦(digits));',
    },
    finds: ['src/vault/a.ts:1', 'src/vault/a.ts:2'],
    clean: {
      'src/vault/a.ts': 'const a = privateBytes(20);\nconst b = privateCopy(number);',
      'src/kit/crypto.ts': 'const a = Buffer.allocUnsafeSlow¦(20);',
    },
  },
  {
    name: 'core and provider are pure: no process, no timer, no console',
    find: (files) => codeIn(files, 'src/core/', 'src/provider/').flatMap((file) => inCode(file, IMPURE, 'is not pure')),
    breach: { 'src/core/a.ts': 'console.log(1);\nprocess.exit();', 'src/provider/a.ts': 'setTimeout(f, 1);' },
    finds: ['src/core/a.ts:1', 'src/core/a.ts:2', 'src/provider/a.ts:1'],
    clean: { 'src/core/a.ts': '// process.exit\nconst a = order.process.at;', 'src/kit/a.ts': 'console.log(1);' },
  },
  {
    name: 'the network is reached through kit',
    find: (files) =>
      codeIn(files, 'src/')
        .filter((file) => !/^src\/(?:kit\/|commands\/demo\.ts$)/.test(file.path))
        .flatMap((file) => inCode(file, /(?<![.\w$])(?:fetch\s*\(|new\s+WebSocket\b)/g, 'calls out past kit')),
    breach: { 'src/payment/a.ts': "await fetch('https://x');" },
    finds: ['src/payment/a.ts:1'],
    clean: {
      'src/commands/demo.ts': "await fetch('https://x');",
      'src/vault/a.ts': "queue.fetch(); // fetch()\nconst a = 'fetch(';",
    },
  },
  {
    name: 'only config.ts reads the environment',
    find: (files) =>
      codeIn(files, 'src/', 'web/')
        .filter((file) => file.path !== 'src/settings/config.ts')
        .flatMap((file) => [
          ...inCode(file, ENVIRONMENT, 'reads the environment'),
          ...inText(file, ENVIRONMENT_BY_IMPORT, 'reads the environment'),
        ]),
    breach: {
      'src/main.ts': 'const a = process.env.PORT;\nconst { b } = process . env;\nconst c = `${process.env.D}`;',
      'src/kit/a.ts': "import { env } from 'node:process';\nconst e = process['env'];",
    },
    finds: ['src/main.ts:1', 'src/main.ts:2', 'src/main.ts:3', 'src/kit/a.ts:1', 'src/kit/a.ts:2'],
    clean: {
      'src/settings/config.ts': 'const a = process.env.PORT;',
      'src/main.ts': "// process.env\nconst a = 'process.env'; process.exit(1);",
      'bench/a.ts': 'const a = process.env.N;',
    },
  },
  {
    name: 'no check is silenced: no any, no double assertion, no empty object in place of a full one, no switched-off line',
    find: (files) => everyCode(files).flatMap(silencedIn),
    breach: {
      'src/a.ts': [
        'const a: any¦ = 1;\nconst b = x as a¦ny;\nfunction f(c: Map<string, any¦[]>) {}',
        'const d = x as unk¦nown as Y;\n// @ts-ign¦ore\n/* oxlint-dis¦able */\ntype E = string | any¦;',
        'const f: Tools = Object.create¦(null);\nconst g = { a: {} ¦as Settings };\nconst h = {\n} ¦as Settings;',
      ].join('\n'),
      'test/a.ts': '// @ts-expect-¦error: why',
    },
    finds: [...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((line) => `src/a.ts:${line}`), 'test/a.ts:1'],
    clean: {
      'src/a.ts':
        "// in any¦ case: any¦\nconst a = 'as a¦ny'; await Promise.any¦([]); const b = { any¦: 1 }; const c = x as unknown; const d = {} ¦as const; const e: Set = {};",
    },
  },
  {
    name: 'nothing is left to do',
    find: (files) =>
      [...everyCode(files), ...files.filter((file) => file.path === 'README.md')].flatMap((file) =>
        inText(file, LEFT, 'is not finished'),
      ),
    breach: {
      'src/a.ts': "// TO¦DO later\nthrow new Error('not impl¦emented');",
      'web/a.ts': '/* FIX¦ME */',
      'README.md': '\nRefunds: com¦ing soon',
    },
    finds: ['src/a.ts:1', 'src/a.ts:2', 'web/a.ts:1', 'README.md:2'],
    clean: { 'src/a.ts': "const TO¦DOS = 1; const todo = 'later';", 'docs/a.md': 'TO¦DO' },
  },
  {
    name: 'a test is neither alone nor left out without a word',
    find: (files) =>
      codeIn(files, 'test/').flatMap((file) => [
        ...inCode(file, FOCUSED, 'runs alone, or is left out without saying why: use context.skip(reason)'),
        ...inCode(file, /\bskip\s*\(\s*\)/g, 'skips without a reason'),
        ...unexplainedSkipsIn(file),
      ]),
    breach: {
      'test/a.test.ts':
        "test.¦only('a', f);\ndescribe.¦skip('b', f);\ntest.¦todo('c');\ntest('d', (c) => c.skip());\nit.¦skipIf(x)('e', f);\ntest.¦concurrent.only('f', g);",
    },
    finds: [1, 2, 3, 4, 5, 6].map((line) => `test/a.test.ts:${line}`),
    clean: {
      'test/a.test.ts':
        "test('a', (c) => c.skip('the shared folder is not here'));\n// test.¦only\nconst a = 'it.¦skip(';\ndescribe.skipIf(a(1))('b (skipped without the specification)', f);",
      'src/a.ts': 'rows.skip();',
    },
  },
  {
    name: 'a test waits for a thing, not for time to pass',
    find: (files) => codeIn(files, 'test/').flatMap(sleepsIn),
    breach: {
      'test/a.test.ts': [
        'await new Promise((resolve) => setTimeout¦(resolve, 100));\nawait sleep¦(2_000);\nawait wait(5 * 1000);',
        'await new Promise((ok) => setTimeout(() => ok(1), 250));\nsetTimeout(500).then(f);',
      ].join('\n'),
    },
    finds: [1, 2, 3, 4, 5].map((line) => `test/a.test.ts:${line}`),
    clean: {
      'test/a.test.ts': [
        'await sleep(20); // sleep¦(2000)\nconst timer = setTimeout(() => controller.abort(), 5000);',
        'async function until(check: () => boolean) {\n  while (!check()) await sleep¦(250);\n}',
      ].join('\n'),
    },
  },
  {
    name: 'no error is swallowed',
    find: (files) => codeIn(files, 'src/', 'web/').flatMap(swallowedIn),
    breach: {
      'src/a.ts':
        'try { f(); } catch {}\ntry { f(); } catch (e) {\n}\np.catch(() => {});\np.catch(() => undefined);\ntry { f(); } catch { /* no */ }',
    },
    finds: [1, 2, 4, 5, 6].map((line) => `src/a.ts:${line}`),
    clean: {
      'src/a.ts':
        "try { f(); } catch { /* the server is gone already */ }\ntry { f(); } catch (e) { log(e); }\n// catch {}\nconst s = 'catch {}';",
    },
  },
  {
    name: 'money is never a floating point number',
    find: (files) => codeIn(files, 'src/').flatMap(floatsIn),
    breach: {
      'src/a.ts':
        'parseFloat(x);\nn.toFixed(2);\nNumber(order.amount_minor);\nMath.round(x(1) * amount);\nconst s = `${Number(amount)}`;',
    },
    finds: [1, 2, 3, 4, 5].map((line) => `src/a.ts:${line}`),
    clean: {
      'src/a.ts': "Number(port); // Number(amount)\nBigInt(amount); Math.round(x);\nconst a = 'toFixed(2)';",
      'web/a.ts': 'x.toFixed(1);',
    },
  },
];
