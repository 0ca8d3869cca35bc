import { MOST_SCANNED, type OrderKey } from "#aip";
import { createPauses, definedFields } from "#base";
import type { ResourceQuery, ResourceRow } from "#storage";
import type { ReadContext, ResourceDefinition } from "../define-resource.ts";
import { fromLargeRow, type Resource } from "../resource.ts";
import type { ListFilter } from "./list-filter.ts";

/** The position of a page's last resource: the value of the sort key, then the name. */
type Position = readonly [string | number, string];

/** Which resources below a parent to read, and in what order. */
export interface ScanQuery {
  readonly definition: ResourceDefinition;
  readonly parent: string;
  readonly order: OrderKey;
  readonly filter: ListFilter;
  readonly pageSize: number;
  readonly after?: Position;
  /** Which resources the caller may see, by name. Default all. */
  readonly shown?: (name: string) => boolean | Promise<boolean>;
}

interface ScanPage {
  readonly resources: readonly Resource[];
  /** Position of the last one when there are more. */
  readonly last?: Position;
}

/** Rows of the first read, and at most: each is as large as its resource. */
const [FIRST_BATCH, BATCH] = [8, 200];

/** One page of the resources below a parent that match the filter, in order. */
export async function scan(query: ScanQuery, context: ReadContext): Promise<ScanPage> {
  const isColumn = COLUMNS.some((column) => column === query.order.path);
  return isColumn && !query.filter.withVirtual ? scanStore(query, context) : scanAll(query, context);
}

const COLUMNS = ["name", "create_time", "update_time"] as const satisfies readonly ResourceQuery["orderBy"][];

/**
 * Stored bytes of a page after which it ends, however few resources it has (WIRE-25): clients of gRPC take messages of 4 MiB unless told
 * otherwise, and a version is as large as its app.
 */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Reads until the page is full and one more resource is found, or until so many rows were read (DB-28), a few rows at first. Other calls run in between. */
async function scanStore(query: ScanQuery, context: ReadContext): Promise<ScanPage> {
  const pause = createPauses();
  const found: Found[] = [];
  let total = 0;
  let scanned = 0;
  let after: Position | undefined = query.after;
  for (let batch = FIRST_BATCH; ; batch = Math.min(batch * 2, BATCH)) {
    const limit = query.filter.test || query.shown ? batch : Math.min(batch, query.pageSize + 1 - found.length);
    const { rows, last } = await context.store.list(storeQuery(query, limit, after));
    for (const row of rows) {
      if (query.shown && !(await query.shown(row.name))) continue;
      const resource = await fromLargeRow(query.definition.desc, row);
      await pause();
      if (!(query.filter.test?.(resource) ?? true)) continue;
      const bytes = row.body.length;
      if (isFull(found.length, total + bytes, query)) return pageOf(found, true);
      found.push({ resource, bytes, position: positionOf(row, query.order) });
      total += bytes;
    }
    if (!last) return pageOf(found, false);
    after = last;
    scanned += rows.length;
    if (scanned >= MOST_SCANNED) return { ...pageOf(found, true), last };
  }
}

/** Reads all resources and sorts them: for sort keys that are not columns, and for resources that are not stored. */
async function scanAll(query: ScanQuery, context: ReadContext): Promise<ScanPage> {
  const stored = await readAll(query, context);
  const virtual = query.filter.withVirtual ? (query.definition.rules.virtual?.(query.parent) ?? []) : [];
  const candidates = [...stored, ...virtual.map((resource) => ({ resource, createTime: 0, updateTime: 0, bytes: 0 }))];
  const matching = candidates.filter(({ resource }) => query.filter.test?.(resource) ?? true);
  const keys = await keysOf(matching, query, context);
  const found = matching.map(
    ({ resource, bytes }, index): Found => ({ resource, bytes, position: [keys[index] ?? 0, resource.name] }),
  );
  const sign = query.order.descending ? -1 : 1;
  found.sort((a, b) => sign * compare(a.position, b.position));
  const { after } = query;
  return cut(after ? found.filter(({ position }) => sign * compare(position, after) > 0) : found, query);
}

interface Found {
  readonly resource: Resource;
  readonly position: Position;
  /** Stored. */
  readonly bytes: number;
}

interface Candidate {
  readonly resource: Resource;
  readonly createTime: number;
  readonly updateTime: number;
  /** Stored. */
  readonly bytes: number;
}

async function readAll(query: ScanQuery, context: ReadContext): Promise<readonly Candidate[]> {
  const all: Candidate[] = [];
  const pause = createPauses();
  let after: Position | undefined;
  do {
    const page = await context.store.list({ ...storeQuery(query, BATCH, after), orderBy: "name", descending: false });
    for (const row of page.rows) {
      if (query.shown && !(await query.shown(row.name))) continue;
      all.push({
        resource: await fromLargeRow(query.definition.desc, row),
        createTime: row.createTime,
        updateTime: row.updateTime,
        bytes: row.body.length,
      });
      await pause();
    }
    after = page.last;
  } while (after);
  return all;
}

async function keysOf(
  candidates: readonly Candidate[],
  { definition, order }: ScanQuery,
  context: ReadContext,
): Promise<readonly (string | number)[]> {
  const special = definition.rules.order?.keys?.[order.path];
  if (special)
    return special(
      candidates.map(({ resource }) => resource),
      context,
    );
  if (order.path === "create_time") return candidates.map(({ createTime }) => createTime);
  if (order.path === "update_time") return candidates.map(({ updateTime }) => updateTime);
  return candidates.map(({ resource }) => resource.name);
}

function storeQuery(
  { definition, parent, order, filter }: ScanQuery,
  limit: number,
  after: Position | undefined,
): ResourceQuery {
  const orderBy = COLUMNS.find((column) => column === order.path) ?? "name";
  const { type } = definition.type;
  return {
    type,
    parent,
    orderBy,
    descending: order.descending,
    limit,
    ...definedFields({ after, among: filter.among }),
  };
}

function positionOf(row: ResourceRow, { path }: OrderKey): Position {
  if (path === "create_time") return [row.createTime, row.name];
  return [path === "update_time" ? row.updateTime : row.name, row.name];
}

/** Whether a page of so many resources ends before the next one, with which it would have so many bytes. */
function isFull(count: number, bytes: number, { pageSize }: ScanQuery): boolean {
  return count === pageSize || (bytes > MAX_PAGE_BYTES && count > 0);
}

function cut(found: readonly Found[], query: ScanQuery): ScanPage {
  let total = 0;
  const end = found.findIndex(({ bytes }, index) => {
    total += bytes;
    return isFull(index, total, query);
  });
  return end < 0 ? pageOf(found, false) : pageOf(found.slice(0, end), true);
}

function pageOf(found: readonly Found[], hasMore: boolean): ScanPage {
  return {
    resources: found.map(({ resource }) => resource),
    last: hasMore ? found.at(-1)?.position : undefined,
  };
}

function compare([a, aName]: Position, [b, bName]: Position): number {
  if (a !== b) return a < b ? -1 : 1;
  return aName < bName ? -1 : Number(aName > bName);
}
