/** In a page or a service worker: the rows that the outbox of its site holds, as JSON. @returns {Promise<string[]>} */
export async function stored() {
  const name = (await indexedDB.databases()).find((database) => database.name?.startsWith('shardline '))?.name;
  if (!name) return [];
  /** @param {IDBRequest<any>} request */
  const result = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await result(indexedDB.open(name));
  if (!database.objectStoreNames.contains('rows')) return [];
  const rows = await result(database.transaction('rows').objectStore('rows').getAll());
  database.close();
  return rows.map((/** @type {unknown} */ row) => JSON.stringify(row));
}
