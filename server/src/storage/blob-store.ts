import { hash } from "node:crypto";
import { resourceExhausted } from "#status";
import type { BlobStore } from "./contract.ts";
import type { Engine } from "./engine.ts";

/** Where the bytes of blobs are: a folder, a table or a bucket. Names are the SHA-256 of keys in hexadecimal, the same everywhere, so that blobs can be moved. */
export interface BlobPlace {
  get(name: string): Promise<Uint8Array | undefined>;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Names that it has not are no error. */
  remove(names: readonly string[]): Promise<void>;
}

/** Bytes that one blob may have: 64 MiB. */
const MAX_BLOB_BYTES = 64 * 1024 * 1024;

/**
 * Blobs of a place, with their end times in a table. The time is stored before the bytes and deleted after them, so a server that is killed between leaves a
 * time without a blob, and never a blob that nobody erases.
 */
export function createBlobStore({ queries, all, commit }: Engine, place: BlobPlace): BlobStore {
  const ends = (names: readonly string[]) => queries.deleteFrom("blob_ends").where("name", "in", names);

  async function put(key: string, bytes: Uint8Array, endTime?: number): Promise<void> {
    requireSize(bytes);
    const name = nameOf(key);
    const insert = queries.insertInto("blob_ends").values({ name, end_time: endTime ?? 0 });
    const upsert = insert.onConflict((conflict) => conflict.column("name").doUpdateSet({ end_time: endTime ?? 0 }));
    await commit([(endTime === undefined ? ends([name]) : upsert).compile()]);
    await place.put(name, bytes);
  }

  async function remove(key: string): Promise<void> {
    const names = [nameOf(key)];
    await place.remove(names);
    await commit([ends(names).compile()]);
  }

  async function removeEnded(now: number, limit: number): Promise<number> {
    const ended = queries.selectFrom("blob_ends").select("name").where("end_time", "<=", now);
    const rows = await all(ended.orderBy("end_time").limit(limit).compile());
    if (rows.length === 0) return 0;
    const names = rows.map(({ name }) => name);
    await place.remove(names);
    // One that was put again meanwhile ends later.
    await commit([ends(names).where("end_time", "<=", now).compile()]);
    return names.length;
  }

  return { get: (key) => place.get(nameOf(key)), put, remove, removeEnded };
}

function requireSize({ byteLength: size }: Uint8Array): void {
  if (size <= MAX_BLOB_BYTES) return;
  throw resourceExhausted(`A stored file has at most ${MAX_BLOB_BYTES} bytes; this one has ${size}.`, {
    reason: "BLOB_TOO_LARGE",
  });
}

/** No key is a path. */
function nameOf(key: string): string {
  return hash("sha256", key);
}
