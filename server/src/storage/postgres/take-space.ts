import type { Connections } from "./connections.ts";
import { toStorageError } from "./to-storage-error.ts";

/** A temporary table is a new file, and its transaction leaves nothing of it, so a pooler may hand out another connection next time. */
const TEMPORARY_TABLE = `begin;
create temporary table space_check on commit drop as select repeat(md5(random()::text), 8) as text from generate_series(1, 4000);
rollback`;

/** Makes a file of the database grow by a megabyte, and takes that back. Rejects with the `StorageError` of the database at `place`. */
export async function takeSpace({ script }: Pick<Connections, "script">, place: string): Promise<void> {
  try {
    await script(TEMPORARY_TABLE);
  } catch (error) {
    throw toStorageError(error, place);
  }
}
