// A new provider is its folder, one line of the registry and its simulator: no other file knows it by name. Prose may
// take one as an example, and a source may be a provider's page.
import { type File, type Rule, at, codeIn, inCode, inText, lexed } from './rule.ts';

const REGISTRY = 'src/provider/registry.ts';

/**
 * Folders with a table of steps and a provider of their own name; the sandbox's own provider is known to the sandbox.
 */
function providersIn(files: readonly File[]): readonly string[] {
  const paths = new Set(files.map(({ path }) => path));
  const folders = [...paths].flatMap((path) => /^src\/provider\/([^/]+)\/steps\.ts$/.exec(path)?.[1] ?? []);
  return folders.filter((name) => name !== 'simulator' && paths.has(`src/provider/${name}/${name}.ts`));
}

/** Files that use a provider's word for something else, and for what. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'src/provider/contract.ts': 'iso8583: what is spoken on a line, whoever speaks it',
  'src/provider/send/line-message.ts': 'iso8583: the same',
  'src/commands/sandbox/acquirer.ts': 'iso8583: a command that runs its simulator alone',
};

function namesIn(file: File, names: readonly string[]): string[] {
  if (file.path === REGISTRY || file.path in OTHERWISE) return [];
  return names
    .filter(
      (name) => !file.path.startsWith(`src/provider/${name}/`) && !file.path.startsWith(`src/simulators/${name}/`),
    )
    .flatMap((name) => {
      const what = `names the provider ${name}: its folder, the registry and its simulator alone do`;
      if (file.path.endsWith('.sql')) return inText(file, new RegExp(`'${name}'`, 'gi'), what);
      const path = new RegExp(`^\\..*(?:provider|simulators)/${name}/`);
      const texts = lexed(file).texts.filter(({ value }) => value.toLowerCase() === name || path.test(value));
      return [
        ...texts.map(({ start }) => at(file, start, what)),
        // `isStripe`, `stripe_fee`; not `stripes`, and no class of a style sheet
        ...inCode(
          file,
          new RegExp(`(?:\\b|_)${name}(?:\\b|_)|[a-z]${capital(name)}(?![a-z])|\\b${name}(?=[A-Z])`, 'g'),
          what,
        ),
      ];
    });
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const OWN = { 'src/provider/acme/steps.ts': '', 'src/provider/acme/acme.ts': '', 'src/provider/three-ds/steps.ts': '' };

export const PROVIDER_RULES: readonly Rule[] = [
  {
    name: 'a provider is named by its folder, one line of the registry and its simulator, and by nothing else',
    find: (files) => {
      const names = providersIn(files);
      const others = files.filter(({ path }) => path.startsWith('src/') && path.endsWith('.sql'));
      return [...codeIn(files, 'src/', 'web/'), ...others].flatMap((file) => namesIn(file, names));
    },
    breach: {
      ...OWN,
      'src/payment/a.ts': "if (provider === 'acme') f();\nconst isAcme = true;\nconst b = { acme: 1 };\nacmeFee();",
      'src/payment/schema/tables/a.sql': "CHECK (provider IN ('acme'))",
      'src/provider/other.ts': "import { acme } from './acme/acme.ts';",
      'web/a.tsx': "import { world } from '../src/simulators/acme/world.ts';",
      'src/simulators/other/a.ts': 'const label = `acme`;',
    },
    finds: [
      'src/payment/a.ts:1',
      'src/payment/a.ts:2',
      'src/payment/a.ts:3',
      'src/payment/a.ts:4',
      'src/payment/schema/tables/a.sql:1',
      'src/provider/other.ts:1',
      'src/simulators/other/a.ts:1',
      'web/a.tsx:1',
    ],
    clean: {
      ...OWN,
      'src/provider/registry.ts': "import { acme } from './acme/acme.ts';",
      'src/provider/acme/read.ts': "const name = 'acme';",
      'src/simulators/acme/api.ts': "import { STEPS } from '../../provider/acme/steps.ts';",
      'src/payment/a.ts': "// acme\nconst help = 'as acme,other'; const three = 'three-ds'; acmes();",
    },
  },
];
