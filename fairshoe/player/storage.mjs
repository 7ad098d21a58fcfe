// Where a browser keeps what its player must not lose: IndexedDB, and locks between tabs. In memory for tests.

import { pause } from "./requests.mjs";

/** @typedef {import("./types.mjs").Storage} Storage */

const STORE = "kept";
/** Milliseconds for which a tab holds a name without saying so again, where a browser has no locks. */
const LEASE = 15_000;
const SETTLING = 50;

/** @returns {Storage} nothing survives */
export function memoryStorage() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  /** @type {Set<string>} */
  const held = new Set();
  return {
    get: async (name) => (kept.has(name) ? JSON.parse(/** @type {string} */ (kept.get(name))) : undefined),
    put: async (name, value) => void kept.set(name, JSON.stringify(value)),
    all: async (prefix) => [...kept.keys()].filter((name) => name.startsWith(prefix)).sort().map((name) => [name, JSON.parse(/** @type {string} */ (kept.get(name)))]),
    hold: async (name) => {
      if (held.has(name)) return null;
      held.add(name);
      return () => void held.delete(name);
    },
  };
}

/** @param {string} [name] of the database @returns {Promise<Storage>} rejects where the browser keeps nothing */
export async function browserStorage(name = "fairshoe") {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
  /** @type {IDBDatabase} */
  const database = await asked(opening);
  const store = (/** @type {IDBTransactionMode} */ mode) => database.transaction(STORE, mode, { durability: "strict" }).objectStore(STORE);
  /** @type {Storage} */
  const storage = {
    get: (key) => asked(store("readonly").get(key)),
    put: (key, value) => {
      const { transaction } = into(store("readwrite"), key, value);
      transaction.commit(); // now: a page that is left hears of nothing later
      return new Promise((done, fail) => {
        transaction.oncomplete = () => done();
        transaction.onabort = transaction.onerror = () => fail(transaction.error);
      });
    },
    all: async (prefix) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const kept = store("readonly");
      const [keys, values] = await Promise.all([asked(kept.getAllKeys(range)), asked(kept.getAll(range))]);
      return keys.map((/** @type {IDBValidKey} */ key, /** @type {number} */ i) => [String(key), values[i]]);
    },
    hold: (key) => (navigator.locks ? locked(key) : leased(storage, `lease ${key}`)),
  };
  return storage;
}

/** @param {IDBObjectStore} store @param {string} key @param {any} value */
function into(store, key, value) {
  store.put(value, key);
  return store;
}

/** @param {IDBRequest} request @returns {Promise<any>} */
const asked = (request) => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

/** @param {string} name @returns {Promise<(() => void) | null>} */
const locked = (name) => new Promise((done, fail) => {
  const holding = (/** @type {Lock | null} */ lock) => (lock ? new Promise((free) => done(() => free(undefined))) : done(null));
  navigator.locks.request(name, { ifAvailable: true }, holding).catch(fail);
});

/** Hold a name where a browser has no locks (a page that came over http). @param {Storage} storage @param {string} name @returns {Promise<(() => void) | null>} */
export async function leased(storage, name) {
  const own = crypto.getRandomValues(new Uint32Array(2)).join();
  const now = await storage.get(name);
  if (now && now.until > Date.now()) return null;
  const say = (/** @type {number} */ until) => storage.put(name, { own, until });
  await say(Date.now() + LEASE);
  await pause(SETTLING);
  if ((await storage.get(name)).own !== own) return null; // another tab was as fast
  const renewing = setInterval(() => void say(Date.now() + LEASE), LEASE / 3);
  const free = () => {
    clearInterval(renewing);
    void say(0);
  };
  globalThis.addEventListener?.("pagehide", free, { once: true });
  return free;
}
