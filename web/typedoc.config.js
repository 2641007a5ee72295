// The reference: what the package exports, from its types, and the guides beside it. `scripts/build reference` makes it.

import { readdirSync } from 'node:fs';
import { Converter } from 'typedoc';

/** In the order in which a newcomer may want them; others follow by name. */
const FIRST = ['like_button', 'ratings', 'view_counter', 'post_list', 'sort_by_likes', 'feed_by_time', 'setup', 'counters', 'collections', 'live_collections', 'stock', 'ids'];
const others = readdirSync(new URL('guides', import.meta.url)).filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3))
  .filter((name) => !FIRST.includes(name));

/**
 * A guide gets the name in its first line, a module the name that programs import.
 * @param {import('typedoc').Application} app
 */
function nameThings(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const [first] = document.content;
    const [, title] = /^# (.*)\n/.exec(first?.text ?? '') ?? [];
    if (!title) throw new Error(`The guide ${document.name} has no title.`);
    document.name = title;
    first.text = first.text.slice(title.length + 3);
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) module.name = module.name === 'index' ? 'shardline' : `shardline/${module.name}`;
  });
}

/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  name: 'Shardline',
  entryPoints: ['types/index.d.ts', 'types/element.d.ts', 'types/elements.d.ts', 'types/firebase.d.ts', 'types/workbench.d.ts'],
  tsconfig: 'tsconfig.reference.json',
  readme: 'README.md',
  projectDocuments: [...FIRST, ...others].map((name) => `guides/${name}.md`),
  highlightLanguages: ['bash', 'html', 'javascript', 'json', 'jsx', 'svelte', 'typescript', 'vue'],
  plugin: ['typedoc-plugin-missing-exports', nameThings],
  placeInternalsInOwningModule: true,
  excludeExternals: true,
  disableSources: true,
  githubPages: false,
  treatWarningsAsErrors: true,
  out: '../build/reference',
};
