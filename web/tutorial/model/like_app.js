// The app of chapter 11, file by file and command by command, by who may count in it, the `access` of counterRules(), and by where it runs:
// in the reader's own project, or on Google's emulators, which need no account.

import { currentLanguage, text } from '../text.js';

/** @typedef {'project' | 'emulator'} Where */

/** The emulators take a project whose name begins with `demo-` for one that exists nowhere else. */
export const DEMO_PROJECT = 'demo-like';
/** The Java version that firebase-tools needs from 15 on: https://github.com/firebase/firebase-tools/pull/9451 */
export const JAVA_MINIMUM = 21;
const PORTS = { firestore: 8080, auth: 9099 };
const FIRESTORE = `http://127.0.0.1:${PORTS.firestore}`;

/** Placeholders: the reader replaces them with the project's own values. */
const PROJECT = "projectId: 'my-project', apiKey: 'my-web-api-key'";
/** The parts of the code that depend on the place: without Firebase's SDK, beside it, for its sign-in, and with connect(app). */
const PLACES = {
  project: { alone: PROJECT, app: PROJECT, imports: '', auth: '', options: '' },
  emulator: {
    alone: `projectId: '${DEMO_PROJECT}', host: '${FIRESTORE}'`,
    app: `projectId: '${DEMO_PROJECT}', apiKey: 'any'`,
    imports: 'connectAuthEmulator, ',
    auth: `\nconnectAuthEmulator(auth, 'http://127.0.0.1:${PORTS.auth}');`,
    options: `, { host: '${FIRESTORE}' }`,
  },
};
/** The version of Firebase's SDK that the tests use. */
const FIREBASE_MAJOR = 12;
/** The place of the package, unless the environment gives another one: scripts/demo does. */
const PACKAGE = 'PATH-OF-SHARDLINE/web';

/**
 * The shards of the code, for a load that needs so many on average: with twice as many, hardly any press waits for another one.
 * @param {number} needed
 */
export const shardsOfCode = (needed) => 2 * needed;

/** The path of the counter in all files. */
export const PATH = 'posts/p1';

/** @param {string} access Whether the rules ask who is there. */
export const needsUser = (access) => access !== 'public';

/** Whether each user counts once, like a member of a set. @param {string} access */
export const isSet = (access) => access === 'one-like' || access === 'one-vote';

/**
 * The options that the rules of that access require: `maxDelta` is the most that one commit may add.
 * @param {string} access
 * @param {number} shards
 * @returns {import('../../library/counter_arguments.js').CounterOptions}
 */
export const counterOptions = (access, shards) => (isSet(access) ? { shards } : { shards, maxDelta: 1 });

// Commands end with `&&`, so that a shell has read all of them before the first one asks for something or fails.

/** @param {string} access */
export const installCode = (access) => `npm create --yes vite@latest like-button -- --template vanilla --no-interactive &&
cd like-button &&
npm install --install-links "${import.meta.env.VITE_PACKAGE || PACKAGE}"${needsUser(access) ? ` firebase@${FIREBASE_MAJOR}` : ''}
`;

/** @param {Where} where */
export const configuration = (where) => `{
  "firestore": { "rules": "firestore.rules", "indexes": "firestore.indexes.json" }${where === 'emulator' ? `,
  "emulators": { "firestore": { "port": ${PORTS.firestore} }, "auth": { "port": ${PORTS.auth} }, "ui": { "enabled": false } }` : ''}
}
`;

/** @param {string} access */
export const emulatorsCode = (access) => (
  `npx --yes firebase-tools emulators:start --only firestore${needsUser(access) ? ',auth' : ''} --project ${DEMO_PROJECT}\n`);

export const deployCode = () => `npx --yes firebase-tools login &&
npx firebase-tools deploy --only firestore:rules,firestore:indexes --project my-project
`;

/** @param {number} shards */
export const createCode = (shards) => `gcloud auth login &&
export GOOGLE_OAUTH_ACCESS_TOKEN=$(gcloud auth print-access-token) &&
npx shardline counter create ${PATH} --shards ${shards} --project my-project
`;

/** @param {number} shards */
export const createThereCode = (shards) => `npx shardline counter create ${PATH} --shards ${shards} --project ${DEMO_PROJECT} --host ${FIRESTORE}\n`;

export const START = 'npx vite\n';

/**
 * @param {string} access
 * @param {number} shards
 */
export const htmlCode = (access, shards) => `<!doctype html>
<html lang="${currentLanguage().tag}" dir="${currentLanguage().dir}">
  <head><meta charset="utf-8"><title>${text('like.app.title')}</title></head>
  <body>
    ${access === 'one-like'
    ? `<shard-counter path="${PATH}" shards="${shards}" type="like"></shard-counter>`
    : '<button id="like" disabled>♥</button> <output id="likes">…</output>'}
    <p id="problem" role="alert"></p>
    <script type="module" src="/src/main.js"></script>
  </body>
</html>
`;

/**
 * @param {string} access
 * @param {number} shards
 * @param {Where} where
 */
export function pageCode(access, shards, where) {
  if (access === 'one-like') return elementPage(where);
  const options = Object.entries(counterOptions(access, shards)).map(([name, value]) => `${name}: ${value}`);
  return `${access === 'public' ? '' : firebaseImports('signInAnonymously', where)}import { connect } from 'shardline/${access === 'public' ? 'counters' : 'firebase'}';

const like = document.querySelector('#like');
${sayCode()}
async function start() {
${access === 'public' ? plainConnection(where) : firebaseConnection(where)}
  const likes = db.${isSet(access) ? 'countedSet' : 'counter'}('${PATH}', { ${options.join(', ')} });
  like.onclick = () => likes.${isSet(access) ? 'add(uid)' : 'increment()'}.catch(say);
  like.disabled = false;
  likes.watch(({ value, error }) => {
    document.querySelector('#likes').textContent = value ?? '…';
    if (error) say(error);
  });
}

start().catch(say);
`;
}

/**
 * Rules most often refuse because the counter does not exist yet, and Firestore's own words do not say so. The page that is pasted speaks
 * the reader's language; only an error that is not foreseen adds the library's words, in English.
 */
const sayCode = () => `const say = (error) => {
  document.querySelector('#problem').textContent = error.code === 'permission-denied'
    ? '${text('like.app.refused')}'
    : '${text('error.other')} ' + error.message;
};
`;

/** @param {Where} where */
const plainConnection = (where) => `  const db = await connect({ ${PLACES[where].alone} });`;

/**
 * @param {string} names The names of further imports.
 * @param {Where} where
 */
const firebaseImports = (names, where) => `import { initializeApp } from 'firebase/app';
import { ${PLACES[where].imports}getAuth, ${names} } from 'firebase/auth';
`;

/** @param {Where} where */
const firebaseApp = (where) => `const app = initializeApp({ ${PLACES[where].app} });
const auth = getAuth(app);${PLACES[where].auth}`;

/** @param {Where} where */
const connectApp = (where) => `connect(app${PLACES[where].options})`;

/** @param {Where} where */
const firebaseConnection = (where) => `${firebaseApp(where).replaceAll(/^/gm, '  ')}
  await auth.authStateReady();
  const { uid } = auth.currentUser ?? (await signInAnonymously(auth)).user;
  const db = await ${connectApp(where)};`;

/** @param {Where} where */
const elementPage = (where) => `${firebaseImports('onAuthStateChanged, signInAnonymously', where)}import { useDatabase } from 'shardline/element';
import { connect } from 'shardline/firebase-counters';

${firebaseApp(where)}
${sayCode()}
useDatabase(() => ${connectApp(where)});
onAuthStateChanged(auth, (user) => {
  document.querySelector('shard-counter').user = user?.uid ?? null;
  if (!user) signInAnonymously(auth).catch(say);
});
document.addEventListener('shardline-error', (event) => {
  if (!auth.currentUser) return;
  event.preventDefault(); // ${text('code.note.handled')}
  say(event.detail);
});
`;
