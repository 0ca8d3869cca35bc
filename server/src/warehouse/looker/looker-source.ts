import { create } from "@bufbuild/protobuf";
import { type LookerQuery, LookerQuerySchema } from "@frontdesk/protos/gda/context";
import type { LookerExploreReference } from "@frontdesk/protos/gda/datasource";
import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from "#base";
import { type Column, type ExploreField, type LookerSource, QueryError, type QueryLimits } from "../contract.ts";
import type { LookerApi, LookerCall } from "./looker-api.ts";
import { toQueryError, toStatusError } from "./looker-errors.ts";
import { readExplore } from "./read-explore.ts";

/** Maximum rows of a Looker query (CA-15). */
const MAX_ROWS = 5000;
/** Timeout of calls that do not run a query, in milliseconds. */
const METADATA_TIMEOUT_MS = 30_000;

/** The explores of references, through the API of their instance. */
export function createLookerSource(
  api: LookerApi,
  origin: string,
  references: readonly LookerExploreReference[],
): LookerSource {
  async function run(query: LookerQuery, formatted: boolean, timeoutMs: number, signal: AbortSignal) {
    const path = `queries/run/json?apply_formatting=${formatted}`;
    const answer = await call({ method: "POST", path, body: toWire(query), timeoutMs, signal });
    return readRows(answer, query.fields);
  }

  async function call(request: LookerCall): Promise<JsonValue> {
    try {
      return await api.call(request);
    } catch (error) {
      throw toQueryError(error);
    }
  }

  return {
    kind: "looker",
    describe: (signal) =>
      Promise.all(
        references.map(async ({ lookmlModel, explore }) => {
          const path = `lookml_models/${encodeURIComponent(lookmlModel)}/explores/${encodeURIComponent(explore)}`;
          const answer = await api
            .call({ method: "GET", path, timeoutMs: METADATA_TIMEOUT_MS, signal })
            .catch((error: unknown) => {
              throw toStatusError(error, origin, `${lookmlModel}::${explore}`);
            });
          const found = readExplore(answer, origin, lookmlModel, explore);
          if (found) return found;
          throw toStatusError(new Error("the response is not an explore"), origin, `${lookmlModel}::${explore}`);
        }),
      ),
    async save(query, signal) {
      const stored = await call({
        method: "POST",
        path: "queries",
        body: toWire(query),
        timeoutMs: METADATA_TIMEOUT_MS,
        signal,
      });
      const { id, client_id: clientId } = isJsonObject(stored) ? stored : {};
      return create(LookerQuerySchema, {
        ...query,
        ...((typeof id === "string" || typeof id === "number") && { queryId: String(id) }),
        ...(typeof clientId === "string" && { clientId }),
      });
    },
    async query(query, fields, limits, signal) {
      const started = performance.now();
      const all = await run(query, false, limits.timeoutMs, signal);
      const rows = all.slice(0, maxRowsOf(limits));
      const columns = query.fields.map((name) => toColumn(name, fields));
      const hasFormat = fields.some(({ name, valueFormat }) => valueFormat !== "" && query.fields.includes(name));
      const formatted = hasFormat && rows.length > 0 ? await run(query, true, limits.timeoutMs, signal) : [];
      return {
        columns,
        rows,
        truncated: all.length > rows.length || rows.length >= MAX_ROWS,
        durationMs: performance.now() - started,
        ...(formatted.length === all.length && hasFormat && { formatted: formatted.slice(0, rows.length) }),
      };
    },
  };
}

function maxRowsOf({ maxRows }: QueryLimits): number {
  return Math.min(maxRows, MAX_ROWS);
}

/** The body of `queries`: the explore is its `view`, the limit a string. */
function toWire({ model, explore, fields, filters, sorts, limit }: LookerQuery): JsonObject {
  return {
    model,
    view: explore,
    fields: [...fields],
    filters: Object.fromEntries(filters.map(({ field, value }) => [field, value ?? ""])),
    sorts: [...sorts],
    limit: String(Math.min(Number(limit) || MAX_ROWS, MAX_ROWS)),
  };
}

/** Looker returns an error of the database as a row, with HTTP 200. */
function readRows(answer: JsonValue, fields: readonly string[]): readonly (readonly JsonValue[])[] {
  const rows = objectsIn(answer);
  const [first] = rows;
  if (first && typeof first.looker_error === "string") throw new QueryError("failed", `Looker: ${first.looker_error}`);
  if (!Array.isArray(answer)) throw new QueryError("failed", "Looker returned something other than rows.");
  return rows.map((row) => fields.map((field) => toCell(row[field] ?? null)));
}

function toCell(value: JsonValue): JsonValue {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

function toColumn(name: string, fields: readonly ExploreField[]): Column {
  const field = fields.find((one) => one.name === name);
  return { name, type: field?.type ?? "STRING", mode: "NULLABLE" };
}
