// Every house rule that can be read off the tree. A new one is a row in one of these lists, with its breach beside it.
import { CITATION_RULES } from './citations.ts';
import { DATA_RULES } from './data.ts';
import { HABIT_RULES } from './habits.ts';
import { IMPORT_RULES } from './imports.ts';
import { PAPER_RULES } from './papers.ts';
import { PROJECT_RULES } from './project.ts';
import { PROVIDER_RULES } from './providers.ts';
import type { Rule } from './rule.ts';
import { SHAPE_RULES } from './shape.ts';
import { SQL_RULES } from './sql.ts';

export const RULES: readonly Rule[] = [
  ...IMPORT_RULES,
  ...DATA_RULES,
  ...HABIT_RULES,
  ...SHAPE_RULES,
  ...PROJECT_RULES,
  ...PROVIDER_RULES,
  ...CITATION_RULES,
  ...SQL_RULES,
  ...PAPER_RULES,
];
