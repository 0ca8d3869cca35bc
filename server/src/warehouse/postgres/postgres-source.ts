import { type QueryCheck, QueryError, type QueryParameter, type SqlSource, type TablePath } from "../contract.ts";
import { describeTables } from "./catalog.ts";
import type { KnownNames } from "./gate/inspect.ts";
import type { StatementParser } from "./gate/parse.ts";
import { passPostgresGate, type ScopedTable } from "./gate/pass-gate.ts";
import { numberParameters } from "./named-parameters.ts";
import { quoteName } from "./quote.ts";
import { openCursor, readRows } from "./run-query.ts";
import type { PostgresSessions } from "./session.ts";

export interface PostgresSourceDeps {
  readonly sessions: PostgresSessions;
  readonly parser: StatementParser;
  readonly functions: ReadonlySet<string>;
  /** The tables of the context. */
  readonly scope: readonly ScopedTable[];
  /** Settings that parameterized secure views read. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Milliseconds to read a catalogue or the values of a column. */
const CATALOG_MS = 10_000;
const VALUES_MS = 5_000;

/** The tables of one context, in a PostgreSQL database. */
export function createPostgresSource(deps: PostgresSourceDeps): SqlSource {
  const { sessions, scope, settings } = deps;
  const nameOf = (path: TablePath) => {
    const table = scope.find((one) => one.path.join("\0") === path.join("\0"));
    return (table?.origin ?? path.slice(-2)).map(quoteName).join(".");
  };
  const columns = remembered(() =>
    sessions.transaction({ timeoutMs: CATALOG_MS, signal: AbortSignal.timeout(CATALOG_MS) }, (ask) =>
      describeTables(ask, scope),
    ),
  );

  /** The gate, with its parameters numbered. */
  async function gated(sql: string, parameters: readonly QueryParameter[]) {
    const known: KnownNames = {
      functions: deps.functions,
      columns: new Set((await columns()).flatMap((table) => table.columns.map(({ name }) => name))),
    };
    const numbered = numberParameters(sql, parameters);
    return { values: numbered.values, passed: passPostgresGate(deps.parser, numbered.sql, scope, known) };
  }

  return {
    kind: "sql",
    dialect: "postgresql",
    quoteTable: nameOf,
    quoteName,
    describe: (signal) => sessions.transaction({ timeoutMs: CATALOG_MS, signal }, (ask) => describeTables(ask, scope)),
    async distinctValues(table, column, limit, signal) {
      const [name, from] = [quoteName(column), nameOf(table)];
      const sql = `SELECT ${name}::text, count(*) AS n FROM ${from} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1 LIMIT ${limit + 1}`;
      const { rows } = await sessions.transaction({ timeoutMs: VALUES_MS, signal, settings }, (ask) => ask(sql));
      return rows.length > limit ? undefined : rows.map(([value]) => value ?? "");
    },
    async check(sql, parameters, signal): Promise<QueryCheck> {
      const { passed, values } = await gated(sql, parameters);
      if (passed.kind !== "passed") return passed;
      try {
        const found = await sessions.transaction({ timeoutMs: CATALOG_MS, signal, settings }, (ask) =>
          openCursor(ask, passed.sql, values),
        );
        return { kind: "accepted", columns: found, tables: passed.tables };
      } catch (error) {
        return { kind: "invalid", error: error instanceof Error ? error.message : String(error) };
      }
    },
    async query({ sql, parameters = [], limits, signal }) {
      const { passed, values } = await gated(sql, parameters);
      if (passed.kind === "refused")
        throw new QueryError("refused", `${passed.construct} is refused: ${passed.reason}.`);
      if (passed.kind === "invalid") throw new QueryError("invalid", passed.error);
      const startedAt = performance.now();
      return sessions.transaction({ timeoutMs: limits.timeoutMs, signal, settings }, async (ask) => {
        const found = await openCursor(ask, passed.sql, values);
        const read = await readRows(ask, limits);
        return { columns: found, ...read, durationMs: performance.now() - startedAt };
      });
    },
  };
}

/** Asked once; a failure is asked again. */
function remembered<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= read().catch((error) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
