// The page: in which language, and which view the address asks for.

import { parseAddress } from './address.js';
import { CHAPTERS } from './chapters/index.js';
import { h } from './dom.js';
import { Contents } from './elements/contents.js';
import { LoadFailure } from './elements/load_failure.js';
import { PageHeader } from './elements/page_header.js';
import { chooseLanguage } from './languages/languages.js';
import { progress } from './progress.js';
import { openLanguage, text } from './text.js';
import { trustOwnFiles } from './trust.js';
import { nextFrame } from './turns.js';

/**
 * @typedef {import('./text.js').TextId} TextId
 * @typedef {{element: HTMLElement, close: () => void, status?: HTMLElement}} View `status` is for the page's header.
 */

trustOwnFiles();
const language = chooseLanguage([new URLSearchParams(location.search).get('lang'), progress.language, ...navigator.languages]);
try {
  await openLanguage(language).catch(() => openLanguage(chooseLanguage(['en'])));
} catch (error) {
  // Its texts have not come: there is nothing to say it by.
  document.body.append(h('main', {}, h('p', { role: 'alert' }, 'The tutorial could not be loaded. Is the network there? ',
    h('button', { type: 'button', click: () => location.reload() }, 'Try again'))));
  throw error;
}

const header = new PageHeader();
const main = h('main', { id: 'main', tabindex: -1 });
const skip = h('a', { class: 'skip', href: '#main', click: (event) => {
  event.preventDefault();
  const target = main.querySelector('#counter') ?? main;
  if (target instanceof HTMLElement) {
    target.tabIndex = -1;
    target.focus();
  }
} });
document.body.append(skip, header.element, main);

/** @type {View | null} */
let view = null;
/** Which of the views that were asked for is the newest. */
let asked = 0;

addEventListener('hashchange', () => {
  // Other links within the page lead to a place of the view.
  if (/^#?$|^#\//.test(location.hash)) open(true);
});
await open(false);
keepFiles();

/** Makes the page work offline from now on. If the browser does not allow this, the page works online. */
function keepFiles() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register(new URL('service_worker.js', document.baseURI)).catch(() => {});
}

/** @param {boolean} isMove Whether the reader comes from another view. */
async function open(isMove) {
  asked += 1;
  const own = asked;
  const address = parseAddress(location.hash);
  const { load, name } = viewOf(address);
  main.setAttribute('aria-busy', 'true');
  const make = await load().catch((error) => {
    console.error(error);
    return () => new LoadFailure();
  });
  // The header can be seen, and pressed, before the view is made.
  await nextFrame();
  if (own !== asked) return;
  view?.close();
  view = make();
  main.replaceChildren(view.element);
  main.removeAttribute('aria-busy');
  document.body.dataset.view = name;
  header.show(address.chapter, view.status ?? null);
  skip.textContent = text(name === 'playground' ? 'page.skip' : 'page.skip.main');
  const heading = main.querySelector('h1');
  document.title = name === 'contents' ? text('page.title') : text('page.title.view', { view: heading?.textContent ?? '' });
  if (!isMove) return;
  scrollTo(0, 0);
  heading?.focus({ preventScroll: true });
}

/**
 * @param {import('./address.js').Address} address
 * @returns {{name: string, load: () => Promise<() => View>}}
 */
function viewOf(address) {
  if (address.chapter === 'playground') {
    return { name: 'playground', load: async () => {
      const { Playground } = await import('./elements/playground.js');
      return () => new Playground();
    } };
  }
  const entry = CHAPTERS.find(({ id }) => id === address.chapter);
  if (!entry) return { name: 'contents', load: async () => () => new Contents() };
  return { name: 'chapter', load: async () => {
    const [{ loadChapterView }, chapter] = await Promise.all([import('./elements/chapter_view.js'), entry.load()]);
    return loadChapterView(chapter, address);
  } };
}
