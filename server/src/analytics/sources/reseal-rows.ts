import { definedFields, SealError } from "#base";
import { type ResourceQuery, type ResourceRow, type ResourceStore, StaleEtagError } from "#storage";

/** Rows whose secrets were sealed anew, and the names of those whose key is not here. */
export interface Resealed {
  readonly resealed: number;
  readonly unreadable: readonly string[];
}

const ROWS_AT_A_TIME = 50;

/** Seals the secrets of all rows of a type with the newest key. `reseal` answers undefined for a row that has none, or has it sealed so. */
export async function resealRows(
  store: Pick<ResourceStore, "list" | "write">,
  query: Pick<ResourceQuery, "type" | "parent">,
  reseal: (row: ResourceRow) => ResourceRow | undefined,
): Promise<Resealed> {
  const unreadable: string[] = [];
  let resealed = 0;
  let after: ResourceQuery["after"];
  do {
    const page = await store.list({
      ...{ ...query, orderBy: "name", descending: false, limit: ROWS_AT_A_TIME },
      ...definedFields({ after }),
    });
    for (const row of page.rows) {
      const outcome = resealedRow(row, reseal);
      if (outcome === "unreadable") unreadable.push(row.name);
      else if (outcome && (await replaced(store, outcome))) resealed += 1;
    }
    after = page.last;
  } while (after);
  return { resealed, unreadable };
}

function resealedRow(
  row: ResourceRow,
  reseal: (row: ResourceRow) => ResourceRow | undefined,
): ResourceRow | "unreadable" | undefined {
  try {
    return reseal(row);
  } catch (error) {
    if (error instanceof SealError) return "unreadable";
    throw error;
  }
}

/** Whether the row was still as it was read. Whoever changed it meanwhile sealed it anew. */
async function replaced(store: Pick<ResourceStore, "write">, row: ResourceRow): Promise<boolean> {
  try {
    await store.write([{ kind: "put", row, ifEtag: row.etag }]);
    return true;
  } catch (error) {
    if (error instanceof StaleEtagError) return false;
    throw error;
  }
}
