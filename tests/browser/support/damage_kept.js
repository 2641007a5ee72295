/** In a page: damages the data that an embedded Firestore keeps there. @param {string} name Its `persist`. */
export async function damageKept(name) {
  const open = indexedDB.open(`shardline-embedded:${name}`);
  const db = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
  const transaction = db.transaction('entries', 'readwrite');
  transaction.objectStore('entries').add(new TextEncoder().encode('[{"database":'));
  await new Promise((resolve) => { transaction.oncomplete = resolve; });
  db.close();
}
