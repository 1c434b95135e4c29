// Result codes, a page a phase and a heading a code; and the problem pages, to which the `type` of every refusal leads.
import { PROBLEM_PAGES, REFUSALS, Refusal, problemBody } from '../../../src/core/refusals.ts';
import { RESULTS, type ResultRow, result } from '../../../src/core/results.ts';
import { codeNumber } from '../../../src/core/sandbox/cards.ts';
import { CODES_LEAD, WHAT_TO_DO } from '../../../src/commands/code-words.ts';
import { type Described, refusalsOf } from '../../../src/kit/http/reference/openapi.ts';
import { PROBLEM_ADVICE } from './advice.ts';
import { escaped, fence, pageText, prose, table } from './html.ts';
import { codeLink, phaseSlug, problemLink } from './links.ts';
import { slugOf } from './routes.ts';

export function codePages(): readonly (readonly [string, string])[] {
  const phases = [...Map.groupBy(RESULTS, (row) => row.phase)];
  const list = phases
    .map(
      ([phase, rows]) =>
        `- [${phaseSlug(phase)}](/docs/reference/codes/${phaseSlug(phase)}/): ${rows.length} codes. ${WHAT_TO_DO[phase] ?? ''}`,
    )
    .join('\n');
  const index = pageText(
    { title: 'Result codes', description: 'Every result code, and what to do about it' },
    `${CODES_LEAD}\n\n${list}\n\n## All codes\n\n${table(
      ['Code', 'Meaning', 'Phase'],
      RESULTS.map(({ code, description, phase }) => [codeLink(code), prose(description), phaseSlug(phase)]),
    )}`,
  );
  return [
    ['reference/codes.mdx', index],
    ...phases.map(([phase, rows], i): [string, string] => [
      `reference/codes/${phaseSlug(phase)}.mdx`,
      pageText(
        {
          title: `Codes of ${phaseSlug(phase)}`,
          description: `Result codes of the phase ${phaseSlug(phase)}, and what to do about them`,
          label: phaseSlug(phase),
          order: i,
          plain: true,
        },
        `${prose(WHAT_TO_DO[phase] ?? '')}\n\n${rows.map(oneCode).join('\n\n')}`,
      ),
    ]),
  ];
}

function oneCode(row: ResultRow): string {
  const { code, name, description, kind, side, fallback_allowed, http } = row;
  const card = codeNumber(row);
  const problems = [
    ...new Set(Object.values(REFUSALS).flatMap((one) => (result(one.result).code === code ? [one.slug] : []))),
  ];
  const facts = [
    `<code>${name}</code>`,
    `kind ${kind}`,
    ...(side === 'none' ? [] : [`decided by ${side}`]),
    fallback_allowed ? 'another provider may be tried' : 'no other provider is tried',
    http.length === 0 ? 'never the result of an answer' : `HTTP ${http.join(', ')}`,
    ...(card === undefined ? [] : [`test card <code>${card}</code>`]),
    ...(problems.length > 0 ? [`problem: ${problems.map(problemLink).join(', ')}`] : []),
  ];
  // the weight: who searches for a code wants this place first
  return `## ${code}\n\n<strong data-pagefind-weight="10">${code}</strong> ${prose(description)}<br /><small>${facts.join(' · ')}</small>`;
}

export function problemsPage(routes: readonly Described[], base_url: string): string {
  const slugs = Object.entries(PROBLEM_PAGES);
  return pageText(
    { title: 'Problems', description: 'What each error means, and what to do' },
    `Every status of 400 and above is \`application/problem+json\` (RFC 9457). Its \`type\` leads to one of the problems here. All problems of the fields are named at once; \`result.code\` is the code of the first. Messages never repeat what you sent.

${fence('json', JSON.stringify(exampleProblem(base_url), undefined, 2))}

${slugs.map(([slug, title]) => problem({ slug, title }, routes)).join('\n\n')}`,
  );
}

function problem(
  { slug, title }: { readonly slug: string; readonly title: string },
  routes: readonly Described[],
): string {
  const codes = [...new Set(refusalsBy(slug).map((refusal) => result(refusal.result).code))];
  const meanings = codes.map((code) => {
    return `<li>${codeLink(code)} ${prose(RESULTS.find((row) => row.code === code)?.description ?? '')}</li>`;
  });
  const where = routes.filter((route) => refusalsOf(route).some((refusal) => refusal.slug === slug));
  const links = where.map((route) => `<a href="/docs/reference/${slugOf(route)}/">${escaped(route.summary)}</a>`);
  const list = where.length === routes.length ? 'every route' : links.join(', ');
  return `## ${slug}

<p><strong>${escaped(title)}</strong>, HTTP ${statusesOf(slug)}. ${prose(PROBLEM_ADVICE[slug] ?? '')}</p>

<ul>${meanings.join('')}</ul>${list === '' ? '' : `\n\n<p data-pagefind-ignore>Answered by ${list}.</p>`}`;
}

function refusalsBy(slug: string) {
  return Object.values(REFUSALS).filter((refusal) => refusal.slug === slug);
}

function statusesOf(slug: string): string {
  return [...new Set(refusalsBy(slug).map(({ status }) => status))].join(', ');
}

function exampleProblem(base_url: string) {
  const problems = [
    { field: 'type', refusal: 'parameter_missing', message: 'is required' },
    { field: 'amount', refusal: 'parameter_invalid', message: 'has more decimals than the currency allows' },
  ] as const;
  return problemBody(new Refusal('parameter_missing', { problems }), base_url, '66bf18a35d1c9a0e47b2f2ff');
}
