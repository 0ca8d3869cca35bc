import { etagOf, parentOf } from "#aip";
import { createPauses, mapWithPauses } from "#base";
import type { ResourceStore, ResourceWrite } from "#storage";
import type { AppState, Entry } from "../app-state.ts";
import { toLargeRow } from "../resource.ts";
import { logWrites } from "./change-log.ts";
import type { Plan } from "./plan.ts";

/** When changes are made, and by whom. */
export interface ChangeFacts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** "" when unknown. */
  readonly author: string;
}

/**
 * The transaction from a state to the next: rows with changes and new derived fields, deletions, deleted trees, and the log. Each row is
 * written on the condition that it is unchanged since the state was read.
 */
export async function toWrites(
  state: AppState,
  next: AppState,
  { changes, deletedTrees = [] }: Plan,
  { now, author }: ChangeFacts,
  store: ResourceStore,
): Promise<readonly ResourceWrite[]> {
  const changed = new Set(changes.map(({ name }) => name));
  const pause = createPauses();
  const puts: ResourceWrite[] = [];
  for (const entry of next.entries.values()) {
    if (!isDue(entry, state, changed)) continue;
    puts.push(await toPut(entry, changed.has(entry.resource.name), now));
    await pause();
  }
  const deletions = changes.flatMap(({ name, before, after }): readonly ResourceWrite[] =>
    before && !after ? [{ kind: "delete", name, type: before.row.type, ifEtag: before.row.etag }] : [],
  );
  const trees = deletedTrees.map((prefix): ResourceWrite => ({ kind: "delete-tree", prefix }));
  if (!next.app) return [...deletions, ...trees];
  const final = changes.map((change) => ({
    ...change,
    after: change.after && (next.entries.get(change.name)?.resource ?? change.after),
  }));
  return [...puts, ...deletions, ...trees, ...(await logWrites(final, { store, app: state.name, now, author }))];
}

/** The rows of entries whose output-only fields were set. */
export function toAnnotationWrites(state: AppState, next: AppState, now: number): Promise<readonly ResourceWrite[]> {
  const due = [...next.entries.values()].filter((entry) => isDue(entry, state, new Set()));
  return mapWithPauses(due, (entry) => toPut(entry, false, now));
}

/** Entries with changes or new derived fields are written, and the app's own row always: its condition fails when the app was deleted. */
function isDue({ resource }: Entry, state: AppState, changed: ReadonlySet<string>): boolean {
  return (
    changed.has(resource.name) ||
    resource.name === state.name ||
    state.entries.get(resource.name)?.resource !== resource
  );
}

async function toPut({ definition, resource, row }: Entry, isChanged: boolean, now: number): Promise<ResourceWrite> {
  const { desc, type } = definition;
  const facts = {
    type: type.type,
    parent: parentOf(type.patterns[0], resource.name),
    createTime: row?.createTime ?? now,
    updateTime: isChanged ? now : (row?.updateTime ?? now),
    etag: isChanged ? etagOf(desc, resource) : (row?.etag ?? ""),
  };
  return { kind: "put", row: await toLargeRow(desc, resource, facts), ifEtag: row?.etag ?? "" };
}
