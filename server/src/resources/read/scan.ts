import type { OrderKey } from "#aip";
import type { JsonValue } from "#base";
import type { ResourceQuery, ResourceRow } from "#storage";
import type { ReadContext, ResourceDefinition } from "../define-resource.ts";
import { fromRow, type Resource } from "../resource.ts";
import type { ListFilter } from "./list-filter.ts";

/** The position of a page's last resource: the value of the sort key, then the name. */
type Position = readonly [string | number, string];

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

/** Rows per read when a filter may exclude many of them. */
const BATCH = 200;

/** Whether JSON from a page token is a position. */
export function isPosition(value: JsonValue | undefined): value is [string | number, string] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[1] === "string" &&
    ["string", "number"].includes(typeof value[0])
  );
}

/** One page of the resources below a parent that match the filter, in order. */
export async function scan(query: ScanQuery, context: ReadContext): Promise<ScanPage> {
  const isColumn = COLUMNS.some((column) => column === query.order.path);
  return isColumn && !query.filter.withVirtual ? scanStore(query, context) : scanAll(query, context);
}

const COLUMNS = ["name", "create_time", "update_time"] as const satisfies readonly ResourceQuery["orderBy"][];

/** Reads until the page is full and one more resource is found. */
async function scanStore(query: ScanQuery, context: ReadContext): Promise<ScanPage> {
  const found: Found[] = [];
  let after: Position | undefined = query.after;
  do {
    const limit = query.filter.test || query.shown ? Math.max(BATCH, query.pageSize + 1) : query.pageSize + 1;
    const { rows, last } = await context.store.list(storeQuery(query, limit, after));
    for (const row of rows) {
      if (query.shown && !(await query.shown(row.name))) continue;
      const resource = fromRow(query.definition.desc, row);
      if (query.filter.test?.(resource) ?? true) found.push({ resource, position: positionOf(row, query.order) });
    }
    after = last;
  } while (after && found.length <= query.pageSize);
  return cut(found, query.pageSize);
}

/** Reads all resources and sorts them: for sort keys that are not columns, and for resources that are not stored. */
async function scanAll(query: ScanQuery, context: ReadContext): Promise<ScanPage> {
  const stored = await readAll(query, context);
  const virtual = query.filter.withVirtual ? (query.definition.rules.virtual?.(query.parent) ?? []) : [];
  const candidates = [...stored, ...virtual.map((resource) => ({ resource, createTime: 0, updateTime: 0 }))];
  const matching = candidates.filter(({ resource }) => query.filter.test?.(resource) ?? true);
  const keys = await keysOf(matching, query, context);
  const found = matching.map(
    ({ resource }, index): Found => ({ resource, position: [keys[index] ?? 0, resource.name] }),
  );
  const sign = query.order.descending ? -1 : 1;
  found.sort((a, b) => sign * compare(a.position, b.position));
  const { after } = query;
  return cut(after ? found.filter(({ position }) => sign * compare(position, after) > 0) : found, query.pageSize);
}

interface Found {
  readonly resource: Resource;
  readonly position: Position;
}

interface Candidate {
  readonly resource: Resource;
  readonly createTime: number;
  readonly updateTime: number;
}

async function readAll(query: ScanQuery, context: ReadContext): Promise<readonly Candidate[]> {
  const all: Candidate[] = [];
  let after: Position | undefined;
  do {
    const page = await context.store.list({ ...storeQuery(query, BATCH, after), orderBy: "name", descending: false });
    for (const row of page.rows) {
      if (query.shown && !(await query.shown(row.name))) continue;
      all.push({
        resource: fromRow(query.definition.desc, row),
        createTime: row.createTime,
        updateTime: row.updateTime,
      });
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
  { definition, parent, order }: ScanQuery,
  limit: number,
  after: Position | undefined,
): ResourceQuery {
  const orderBy = COLUMNS.find((column) => column === order.path) ?? "name";
  return { type: definition.type.type, parent, orderBy, descending: order.descending, limit, after };
}

function positionOf(row: ResourceRow, { path }: OrderKey): Position {
  if (path === "create_time") return [row.createTime, row.name];
  return [path === "update_time" ? row.updateTime : row.name, row.name];
}

function cut(found: readonly Found[], pageSize: number): ScanPage {
  const page = found.slice(0, pageSize);
  const last = page.at(-1);
  return {
    resources: page.map(({ resource }) => resource),
    last: found.length > pageSize ? last?.position : undefined,
  };
}

function compare([a, aName]: Position, [b, bName]: Position): number {
  if (a !== b) return a < b ? -1 : 1;
  return aName < bName ? -1 : Number(aName > bName);
}
