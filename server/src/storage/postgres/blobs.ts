import type { BlobPlace } from "../blob-store.ts";
import type { Engine } from "../engine.ts";
import type { KeyStore } from "../shared-contract.ts";

/** Blobs in a table: not compressed, because images and archives are already. */
export function createBlobTable({ all, commit }: Pick<Engine, "all" | "commit">): BlobPlace {
  return {
    get: async (name) => {
      const sql = "select bytes from blobs where key = $1";
      const [row] = await all<{ bytes: Uint8Array }>({ sql, parameters: [name] });
      return row?.bytes;
    },
    put: async (name, bytes) => {
      const sql = "insert into blobs values ($1, $2) on conflict (key) do update set bytes = excluded.bytes";
      await commit([{ sql, parameters: [name, bytes] }]);
    },
    remove: async (names) => {
      await commit([{ sql: "delete from blobs where key = any($1)", parameters: [names] }]);
    },
  };
}

/** Keys in a table, as the caller sealed them. */
export function createKeyStore({ all, commit }: Pick<Engine, "all" | "commit">): KeyStore {
  const read = async (name: string) => {
    const sql = "select sealed from server_keys where name = $1";
    const [row] = await all<{ sealed: Uint8Array }>({ sql, parameters: [name] });
    return row?.sealed;
  };
  return {
    getOrMake: async (name, make) => {
      const found = await read(name);
      if (found) return found;
      const sealed = make();
      await commit([
        { sql: "insert into server_keys values ($1, $2) on conflict do nothing", parameters: [name, sealed] },
      ]);
      return (await read(name)) ?? sealed;
    },
    replace: async (name, sealed) => {
      await commit([{ sql: "update server_keys set sealed = $2 where name = $1", parameters: [name, sealed] }]);
    },
  };
}
