// The pages at /docs. `npm run site` at the project's root builds them: site/make/build.ts says what happens before, site/after
// what happens behind it.
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import { after } from './after/after.mjs';
import { SIDEBAR } from './sidebar.mjs';

/** Astro marks its own modules with a directive that the bundler need not keep. */
function onLog(level, log, report) {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
}

export default defineConfig({
  base: '/docs',
  outDir: process.env['FLORIN_SITE_OUT'] ?? './.out',
  // where people look for them by the names of the documents
  redirects: { '/codes': '/docs/reference/codes/', '/api': '/docs/reference/' },
  trailingSlash: 'always',
  build: { format: 'directory', assets: 'assets', inlineStylesheets: 'never' },
  vite: {
    build: { rolldownOptions: { onLog } },
    resolve: { alias: { '~': new URL('./src', import.meta.url).pathname } },
  },
  integrations: [
    // the pages have no address of their own that a site map could name: Starlight leaves it out where one is there already
    { name: '@astrojs/sitemap', hooks: {} },
    starlight({
      title: 'Florin',
      description: 'Guides and reference of Florin, a card payment API that a merchant runs itself',
      logo: { src: './src/mark.svg', replacesTitle: false },
      favicon: '/mark.svg',
      sidebar: SIDEBAR,
      customCss: ['./src/styles/site.css'],
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      disable404Route: true,
      // the list at the side of each page has them
      markdown: { headingLinks: false },
      components: Object.fromEntries(
        ['Footer', 'Sidebar', 'ThemeProvider', 'ThemeSelect'].map((name) => [name, `./src/components/${name}.astro`]),
      ),
    }),
    after(),
  ],
});
