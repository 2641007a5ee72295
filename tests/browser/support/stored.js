/** In a page or a service worker: the texts that the outbox of its site holds. @returns {Promise<string[]>} */
export async function stored() {
  const name = (await indexedDB.databases()).find((database) => database.name?.startsWith('shardline '))?.name;
  if (!name) return [];
  /** @param {IDBRequest<any>} request */
  const result = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await result(indexedDB.open(name));
  if (!database.objectStoreNames.contains('outbox')) return [];
  const texts = await result(database.transaction('outbox').objectStore('outbox').getAll());
  database.close();
  return texts;
}
