import { hash } from "node:crypto";
import { StorageError } from "../errors.ts";
import type { Bucket } from "../s3/bucket.ts";
import { MOVED_TABLES, type MovedTable, type Side } from "./contract.ts";
import type { MoveReport } from "./move.ts";
import { tellProgress } from "./tell-progress.ts";

const BLOBS = MOVED_TABLES.find(({ name }) => name === "blobs") as MovedTable;
/** Names of a bucket in one request. */
const NAMES = 1_000;
/** Only objects with such names are blobs. */
const BLOB_NAME = /^[0-9a-f]{64}$/;

/** Copies blobs into a bucket, except those that it has: they are newer. Each is read back and compared. Given again, it goes on. */
export async function blobsIntoBucket(
  side: Side,
  bucket: Bucket,
  progress: (line: string) => void,
): Promise<MoveReport> {
  const tell = tellProgress(BLOBS.name, "looked at", progress);
  const present = new Set(await blobNames(bucket));
  const moved = new Report();
  for (let after: readonly [string] | undefined; ; ) {
    const [row] = await side.read(BLOBS, after, 1);
    if (!row) return moved.report();
    const [name, bytes] = row as readonly [string, Uint8Array];
    after = [name];
    tell(1);
    if (present.has(name)) continue;
    await bucket.put(name, bytes);
    moved.add(name, bytes, await bucket.get(name), bucket.place);
  }
}

/** Copies the blobs of a bucket to where they were before there was one, and replaces those that are there. */
export async function blobsOutOfBucket(
  bucket: Bucket,
  side: Side,
  progress: (line: string) => void,
): Promise<MoveReport> {
  const tell = tellProgress(BLOBS.name, "copied", progress);
  const moved = new Report();
  for (const name of await blobNames(bucket)) {
    const bytes = await bucket.get(name);
    tell(1);
    if (!bytes) continue;
    await side.write(BLOBS, [[name, bytes]]);
    // The first one behind all but its last digit, since no two sums differ in that alone.
    const [row] = await side.read(BLOBS, [name.slice(0, -1)], 1);
    moved.add(name, bytes, row?.[1] as Uint8Array | undefined, side.place);
  }
  return moved.report();
}

async function blobNames(bucket: Bucket): Promise<readonly string[]> {
  const all: string[] = [];
  for (let after = ""; ; ) {
    const names = await bucket.names(after, NAMES);
    all.push(...names.filter((name) => BLOB_NAME.test(name)));
    const last = names.at(-1);
    if (last === undefined) return all;
    after = last;
  }
}

/** Names and content of what was copied. */
class Report {
  #rows = 0;
  #sums = "";

  add(name: string, bytes: Uint8Array, copy: Uint8Array | undefined, place: string): void {
    const sum = hash("sha256", bytes);
    if (!copy || hash("sha256", copy) !== sum)
      throw new StorageError("FAILED", `The blob ${name} is not in '${place}' as it was written: move again.`);
    this.#rows += 1;
    this.#sums = hash("sha256", this.#sums + name + sum);
  }

  report(): MoveReport {
    return { tables: [{ name: "blobs", rows: this.#rows, sha256: this.#sums || hash("sha256", "") }] };
  }
}
