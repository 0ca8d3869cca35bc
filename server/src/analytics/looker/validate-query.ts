import { create } from "@bufbuild/protobuf";
import { type LookerQuery, LookerQuery_FilterSchema, LookerQuerySchema } from "@frontdesk/protos/gda/context";
import type { Explore } from "#warehouse";

/** Maximum rows of a Looker query (CA-15). */
const MAX_ROWS = 5000;

/** The explore that a query names; undefined when it is not among those of the context. */
export function findExplore({ model, explore }: LookerQuery, explores: readonly Explore[]): Explore | undefined {
  return explores.find((one) => one.model === model && one.name === explore);
}

/** All errors of a query as one text for its repair; undefined where it is valid. */
export function validateQuery(query: LookerQuery, explores: readonly Explore[]): string | undefined {
  const explore = findExplore(query, explores);
  if (!explore) {
    const known = explores.map(({ model, name }) => `${model}::${name}`).join(", ");
    return `there is no explore ${query.model}::${query.explore}; there are: ${known}`;
  }
  const known = new Set(explore.fields.map(({ name }) => name));
  const unknown = [...query.fields, ...query.filters.map(({ field }) => field)].filter((field) => !known.has(field));
  const faults = [
    ...(query.fields.length === 0 ? ["the query has no fields"] : []),
    ...unknown.map((field) => `${query.explore} has no field ${field}`),
    ...query.sorts.flatMap((sort) => validateSort(sort, query.fields)),
    ...(isLimit(query.limit) ? [] : [`the limit is a whole number from 1 to ${MAX_ROWS}`]),
  ];
  return faults.length > 0 ? faults.join("; ") : undefined;
}

function validateSort(sort: string, fields: readonly string[]): readonly string[] {
  const [field = "", direction = "asc", ...rest] = sort.trim().split(/\s+/);
  if (rest.length > 0 || !/^(asc|desc)$/i.test(direction)) return [`'${sort}' is no sort; write "view.field desc"`];
  return fields.includes(field) ? [] : [`the rows are sorted by ${field}, which is not among the fields`];
}

function isLimit(limit: string | undefined): boolean {
  return limit === undefined || (/^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MAX_ROWS);
}

/** The query with the always-filters of its explore, for fields that it does not filter. */
export function withAlwaysFilters(query: LookerQuery, { alwaysFilters }: Explore): LookerQuery {
  const missing = alwaysFilters.filter(({ field }) => !query.filters.some((filter) => filter.field === field));
  const filters = [...query.filters, ...missing.map((filter) => create(LookerQuery_FilterSchema, filter))];
  return create(LookerQuerySchema, { ...query, filters });
}
