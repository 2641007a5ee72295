/** An emulator of a test's own, which the test may crash. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Emulator } from '../support/emulator.js';
import { RestClient, userToken } from '../support/rest.js';

const RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /own/{uid} { allow read, write: if request.auth.uid == uid; }
  }
}`;

const emulator = new Emulator({ rules: RULES });
after(() => emulator.stop());

test('it starts again after a crash on the same port, with the same rules and no documents', async () => {
  const fields = { x: { integerValue: '1' } };
  await emulator.start();
  const { url } = emulator;
  const ada = new RestClient({ url, token: userToken('ada') });
  await ada.set('own/ada', fields);
  await emulator.crash();
  await assert.rejects(ada.get('own/ada'), TypeError);
  await emulator.start();
  assert.equal(emulator.url, url);
  assert.equal(await ada.get('own/ada'), null);
  await assert.rejects(ada.set('own/bob', fields), { code: 'PERMISSION_DENIED' });
});
