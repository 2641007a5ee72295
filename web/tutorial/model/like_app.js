// The app of chapter 9, file by file and command by command, by who may count in it: the `access` of counterRules().

/** What the reader puts the project's own in place of. */
const PROJECT = "projectId: 'my-project', apiKey: 'my-web-api-key'";
/** Where the package is, if nobody has said so: scripts/demo does. */
const PACKAGE = 'PATH-OF-SHARDLINE/web';

/** What is named by its path in all of it. */
export const PATH = 'posts/p1';

/** @param {string} access Whether the rules ask who is there. */
export const needsUser = (access) => access !== 'public';

/**
 * The options that the rules of that access ask for: `voter` and `clientId` say who counts, and `maxDelta` is what one commit may add.
 * @param {string} access
 * @param {number} shards
 * @param {string} user
 * @returns {import('../../library/counter.js').CounterOptions}
 */
export function counterOptions(access, shards, user) {
  if (access === 'public') return { shards, maxDelta: 1 };
  if (access === 'signed-in') return { shards, clientId: user, maxDelta: 1 };
  return access === 'one-vote' ? { shards, voter: user } : { shards };
}

// Commands end with `&&`, so that a shell has read all of them before the first one asks for something or fails.

/** @param {string} access */
export const installCode = (access) => `npm create --yes vite@latest like-button -- --template vanilla --no-interactive &&
cd like-button &&
npm install --install-links "${import.meta.env.VITE_PACKAGE || PACKAGE}"${needsUser(access) ? ' firebase' : ''}
`;

export const CONFIGURATION = `{
  "firestore": { "rules": "firestore.rules", "indexes": "firestore.indexes.json" }
}
`;

export const deployCode = () => `npx --yes firebase-tools login &&
npx firebase-tools deploy --only firestore:rules,firestore:indexes --project my-project
`;

/** @param {number} shards */
export const createCode = (shards) => `gcloud auth login &&
export GOOGLE_OAUTH_ACCESS_TOKEN=$(gcloud auth print-access-token) &&
npx shardline counter create ${PATH} --shards ${shards} --project my-project
`;

export const START = 'npx vite\n';

/**
 * @param {string} access
 * @param {number} shards
 */
export const htmlCode = (access, shards) => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Like button</title></head>
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
 */
export function pageCode(access, shards) {
  if (access === 'one-like') return ELEMENT_PAGE;
  const options = Object.entries(counterOptions(access, shards, 'uid')).map(([name, value]) => `${name}: ${value}`);
  return `${access === 'public' ? PLAIN_IMPORTS : FIREBASE_IMPORTS}
const like = document.querySelector('#like');
${SAY}
async function start() {
${access === 'public' ? PLAIN_CONNECTION : FIREBASE_CONNECTION}
  const likes = db.counter('${PATH}', { ${options.join(', ')} });
  like.onclick = () => likes.increment().catch(say);
  like.disabled = false;
  likes.watch(({ value, error }) => {
    document.querySelector('#likes').textContent = value ?? '…';
    if (error) say(error);
  });
}

start().catch(say);
`;
}

const SAY = `const say = (error) => {
  document.querySelector('#problem').textContent = error.message;
};
`;

const PLAIN_IMPORTS = `import { connect } from 'shardline/counters';
`;

const PLAIN_CONNECTION = `  const db = await connect({ ${PROJECT} });`;

const FIREBASE_IMPORTS = `import { initializeApp } from 'firebase/app';
import { getAuth, signInAnonymously } from 'firebase/auth';
import { connect } from 'shardline/firebase';
`;

const FIREBASE_CONNECTION = `  const app = initializeApp({ ${PROJECT} });
  const auth = getAuth(app);
  await auth.authStateReady();
  const { uid } = auth.currentUser ?? (await signInAnonymously(auth)).user;
  const db = await connect(app);`;

const ELEMENT_PAGE = `import { initializeApp } from 'firebase/app';
import { getAuth, onAuthStateChanged, signInAnonymously } from 'firebase/auth';
import { useDatabase } from 'shardline/element';
import { connect } from 'shardline/firebase';

const app = initializeApp({ ${PROJECT} });
const auth = getAuth(app);
${SAY}
useDatabase(() => connect(app));
onAuthStateChanged(auth, (user) => {
  document.querySelector('shard-counter').user = user?.uid ?? null;
  if (!user) signInAnonymously(auth).catch(say);
});
document.addEventListener('shardline-error', ({ detail }) => {
  if (auth.currentUser) say(detail);
});
`;
