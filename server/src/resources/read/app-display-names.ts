import { apps } from "../definitions/app.ts";
import type { ReadContext } from "./read-context.ts";

/** Rows read at a time. */
const BATCH = 500;

/** Display names of all apps of a location. */
export async function appDisplayNames(parent: string, { store }: ReadContext): Promise<readonly string[]> {
  const names: string[] = [];
  let after: readonly [string | number, string] | undefined;
  do {
    const query = { type: apps.type.type, parent, orderBy: "name" as const, descending: false, limit: BATCH };
    const page = await store.list({ ...query, ...(after && { after }) });
    names.push(...page.rows.map(({ displayName }) => displayName));
    after = page.last;
  } while (after);
  return names;
}
