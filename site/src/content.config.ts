import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';

/** Guides are written here; what is made of docs/ and of the tables lies in .made (site/make/build.ts). */
const FOLDERS = /^(?:src\/content\/docs|\.made)\//;

export const collections = {
  docs: defineCollection({
    loader: glob({
      base: '.',
      pattern: ['src/content/docs/**/*.{md,mdx}', '.made/**/*.{md,mdx}'],
      generateId: ({ entry }) => entry.replace(FOLDERS, '').replace(/(?:(?:^|\/)index)?\.mdx?$/, '') || 'index',
    }),
    schema: docsSchema(),
  }),
};
