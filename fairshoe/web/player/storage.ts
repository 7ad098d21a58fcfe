// Where a browser keeps what its player must not lose: IndexedDB, and locks between tabs. In memory for tests.

import { pause } from "./requests.ts";
import type { Storage } from "./types.ts";

const STORE = "kept";
/** Milliseconds for which a tab holds a name without saying so again, where a browser has no locks. */
const LEASE = 15_000;
const SETTLING = 50;

/** @returns nothing survives */
export function memoryStorage(): Storage {
  const kept: Map<string, string> = new Map();
  const held: Set<string> = new Set();
  return {
    get: async (name) => (kept.has(name) ? JSON.parse(kept.get(name) as string) : undefined),
    put: async (name, value) => void kept.set(name, JSON.stringify(value)),
    all: async (prefix) =>
      [...kept.keys()]
        .filter((name) => name.startsWith(prefix))
        .sort()
        .map((name) => [name, JSON.parse(kept.get(name) as string)]),
    hold: async (name) => {
      if (held.has(name)) return null;
      held.add(name);
      return () => void held.delete(name);
    },
  };
}

/** Opens the database `name`; rejects where the browser keeps nothing. */
export async function browserStorage(name: string = "fairshoe"): Promise<Storage> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
  const database: IDBDatabase = await asked(opening);
  const store = (mode: IDBTransactionMode) =>
    database.transaction(STORE, mode, { durability: "strict" }).objectStore(STORE);
  const storage: Storage = {
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
      return keys.map((key: IDBValidKey, i: number) => [String(key), values[i]]);
    },
    hold: (key) => (navigator.locks ? locked(key) : leased(storage, `lease ${key}`)),
  };
  return storage;
}

function into(store: IDBObjectStore, key: string, value: any) {
  store.put(value, key);
  return store;
}

const asked = (request: IDBRequest): Promise<any> =>
  new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });

const locked = (name: string): Promise<(() => void) | null> =>
  new Promise((done, fail) => {
    const holding = (lock: Lock | null) => (lock ? new Promise((free) => done(() => free(undefined))) : done(null));
    navigator.locks.request(name, { ifAvailable: true }, holding).catch(fail);
  });

/** Hold a name where a browser has no locks (a page that came over http). */
export async function leased(storage: Storage, name: string): Promise<(() => void) | null> {
  const own = crypto.getRandomValues(new Uint32Array(2)).join();
  const now = await storage.get(name);
  if (now && now.until > Date.now()) return null;
  const say = (until: number) => storage.put(name, { own, until });
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
