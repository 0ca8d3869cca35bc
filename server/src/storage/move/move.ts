import { createHash, type Hash } from "node:crypto";
import { StorageError } from "../errors.ts";
import { MOVED_TABLES, type MovedTable, type Row, type Side, type Value } from "./contract.ts";
import { tellProgress } from "./tell-progress.ts";

/** What was moved. */
export interface MoveReport {
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly sha256: string }[];
}

/** Rows in one write; of blobs one, since each may have 64 MiB. */
const ROWS = 200;

/**
 * Copies everything from one side to the other (DB-11). Rows go in the order of their keys, so a move that was interrupted goes on behind the last one. At the end the
 * rows of both sides are compared by count and SHA-256; only then a server may open the target. The source is not changed.
 */
export async function move(source: Side, target: Side, progress: (line: string) => void): Promise<MoveReport> {
  await checkTarget(source, target);
  await target.mark(source.place);
  for (const table of MOVED_TABLES) {
    let copied = 0;
    const tell = tellProgress(table.name, "rows copied", progress);
    for (let after = await target.lastKey(table); ; ) {
      const rows = await source.read(table, after, rowsAtOnce(table));
      const last = rows.at(-1);
      if (!last) break;
      await target.write(table, rows);
      copied += rows.length;
      tell(rows.length);
      after = last.slice(0, table.keys);
    }
    progress(`${table.name}: ${copied} rows copied`);
  }
  progress("comparing the rows of both ends");
  const tables = [];
  for (const table of MOVED_TABLES) tables.push(await compare(table, source, target, progress));
  await target.mark(undefined);
  return { tables };
}

async function checkTarget(source: Side, target: Side): Promise<void> {
  if ((await source.unfinished()) !== undefined)
    throw new StorageError("FAILED", `A move into '${source.place}' has not ended, so it cannot be moved from.`);
  const begun = await target.unfinished();
  if (begun === source.place) return;
  if (begun !== undefined)
    throw new StorageError(
      "FAILED",
      `A move from '${begun}' into '${target.place}' has not ended: finish that one first.`,
    );
  for (const table of MOVED_TABLES)
    if ((await target.lastKey(table)) !== undefined)
      throw new StorageError("FAILED", `'${target.place}' has data already (${table.name}): move into an empty one.`);
}

async function compare(table: MovedTable, source: Side, target: Side, progress: (line: string) => void) {
  const tell = tellProgress(table.name, "rows of both ends read", progress);
  const [from, to] = [await checksum(table, source, tell), await checksum(table, target, tell)];
  if (from.rows !== to.rows || from.sha256 !== to.sha256)
    throw new StorageError(
      "FAILED",
      `The rows of '${table.name}' differ: ${from.rows} in '${source.place}' and ${to.rows} in '${target.place}'. Was one of them written to meanwhile? Empty the target and move again.`,
    );
  return { name: table.name, ...from };
}

async function checksum(
  table: MovedTable,
  side: Side,
  tell: (rows: number) => void,
): Promise<{ readonly rows: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  let rows = 0;
  for (let after: Row | undefined; ; ) {
    const page = await side.read(table, after, rowsAtOnce(table));
    const last = page.at(-1);
    if (!last) return { rows, sha256: hash.digest("hex") };
    for (const row of page) for (const value of row) addValue(hash, value);
    rows += page.length;
    tell(page.length);
    after = last.slice(0, table.keys);
  }
}

/** Each value with its kind and length, so that no two rows look alike. Texts of a database have no NUL. */
function addValue(hash: Hash, value: Value): void {
  if (value instanceof Uint8Array) hash.update(`b${value.byteLength}:`).update(value);
  else if (typeof value === "string") hash.update(`s${value.length}:${value.replaceAll("\0", "\uFFFD")}`);
  else hash.update(`${value};`);
}

function rowsAtOnce({ name }: MovedTable): number {
  return name === "blobs" ? 1 : ROWS;
}
