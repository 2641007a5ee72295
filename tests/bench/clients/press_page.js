// In the page: presses the button, and measures the time. `client` is one of the modules beside this one.

/** The stores of IndexedDB in which this library and Google's full SDK keep a press. */
const STORES = ['rows', 'mutations'];

/**
 * @param {any} client
 * @param {number} shards
 */
export function presses(client, shards) {
  /** @param {string} job @param {string} path */
  const once = (job, path) => client[job](path, shards, job.startsWith('like') ? crypto.randomUUID() : undefined);

  return {
    /**
     * Lone presses, each `apartMs` after the one before.
     * @param {{job: string, path: string, times: number, apartMs: number}} what
     * @returns {Promise<number[]>} The milliseconds to the acknowledgement of each.
     */
    async lone({ job, path, times, apartMs }) {
      const acknowledged = [];
      for (let i = 0; i < times; i += 1) {
        const began = performance.now();
        await once(job, path);
        acknowledged.push(performance.now() - began);
        await until(began + apartMs);
      }
      return acknowledged;
    },

    /**
     * The same.
     * @param {{job: string, path: string, times: number, apartMs: number}} what
     * @returns {Promise<number[]>} The milliseconds until each is in IndexedDB.
     */
    async stored({ job, path, times, apartMs }) {
      const stored = [];
      const { transaction } = IDBDatabase.prototype;
      for (let i = 0; i < times; i += 1) {
        const began = performance.now();
        const isStored = new Promise((resolve) => {
          IDBDatabase.prototype.transaction = function (names, mode, options) {
            const begun = transaction.call(this, names, mode, options);
            if (mode === 'readwrite' && [names].flat().some((name) => STORES.includes(name))) begun.addEventListener('complete', () => resolve(performance.now()));
            return begun;
          };
        });
        const pressed = once(job, path);
        stored.push(await isStored - began);
        IDBDatabase.prototype.transaction = transaction;
        await pressed;
        await until(began + apartMs);
      }
      return stored;
    },

    /**
     * Many presses, one after the other, however long each takes.
     * @param {{job: string, path: string, times: number, perSecond: number}} what
     */
    async many({ job, path, times, perSecond }) {
      const began = performance.now();
      const asked = [];
      while (asked.length < times) {
        // All that are due, however late the timer is.
        const due = Math.min(times, Math.floor(((performance.now() - began) * perSecond) / 1000) + 1);
        while (asked.length < due) asked.push(once(job, path));
        await until(performance.now() + 1000 / perSecond);
      }
      await Promise.all(asked);
    },

    /**
     * Counts the transactions of the storage and the messages to tabs that one press makes.
     * @param {{job: string, path: string, apartMs: number}} what
     */
    async traffic({ job, path, apartMs }) {
      const { transaction } = IDBDatabase.prototype;
      const { postMessage } = BroadcastChannel.prototype;
      const seen = { transactions: 0, strict: 0, messages: 0 };
      IDBDatabase.prototype.transaction = function (names, mode, options) {
        seen.transactions += 1;
        if (options?.durability === 'strict') seen.strict += 1;
        return transaction.call(this, names, mode, options);
      };
      BroadcastChannel.prototype.postMessage = function (message) {
        seen.messages += 1;
        postMessage.call(this, message);
      };
      const began = performance.now();
      await once(job, path);
      await until(began + apartMs);
      IDBDatabase.prototype.transaction = transaction;
      BroadcastChannel.prototype.postMessage = postMessage;
      return seen;
    },
  };
}

/** @param {number} time By performance.now(). */
function until(time) {
  return new Promise((resolve) => {
    setTimeout(resolve, time - performance.now());
  });
}
