import type { DuckDBConnection } from "@duckdb/node-api";
import { thrownMessage } from "#base";
import type { TablePath, TableView } from "../../contract.ts";
import { quoteName } from "../../sql-quoting.ts";
import { isNode, type Node } from "../../statement-check/parse-tree.ts";
import {
  type CheckedStatement,
  type NamedTable,
  notReplaceable,
  rejected,
} from "../../statement-check/statement-check.ts";
import { findViews, isReplaced, type ViewedTable, withViews } from "../../statement-check/table-views.ts";
import { tableKey } from "../../table-key.ts";
import type { AllowedFunctions } from "./allowed-functions.ts";
import { inspectStatement } from "./inspect-statement.ts";
import { candidatesFor, qualifyTables } from "./qualify-tables.ts";

/** A table of the context: the name that clients use, and the one that it has inside DuckDB. */
export interface ScopedTable {
  readonly path: TablePath;
  readonly internalName: TablePath;
}

/**
 * Checks a statement on DuckDB's own parse tree: one SELECT, over tables in scope, with functions that only compute. Table names are
 * replaced by whole internal names, and the result is parsed and inspected again. `views`: tables of which the caller sees a part.
 */
export async function checkStatement(
  connection: DuckDBConnection,
  written: string,
  context: readonly ScopedTable[],
  functions: AllowedFunctions,
  views: readonly TableView[] = [],
): Promise<CheckedStatement> {
  const { isDenied, selectOf } = findViews(views);
  const scope = context.filter(({ path }) => !isDenied(path));
  const first = await inspect(connection, written, functions);
  if (!("tables" in first)) return first;
  const viewed = first.tables.map((named): ViewedTable => {
    const [path, other] = candidatesFor(
      named.parts,
      scope.map((table) => table.path),
    );
    const select = path && !other && selectOf(path);
    return select ? { named, view: { select, reads: path } } : { named };
  });
  const sql = withViews(written, viewed, quoteName) ?? written;
  const inspection = sql === written ? first : await inspect(connection, sql, functions);
  if (!("tables" in inspection) || (sql !== written && !isReplaced(viewed, inspection.tables))) return notReplaceable();
  const internalNameOf = (path: TablePath) => scope.find((one) => one.path === path)?.internalName ?? path;
  const paths = scope.map(({ path }) => path);
  const quoted = (path: TablePath) => internalNameOf(path).map(quoteName).join(".");
  const resolution = qualifyTables(sql, inspection.tables, paths, quoted);
  switch (resolution.kind) {
    case "unknown":
      return rejected(resolution.name, `it is not among the tables of this context: ${listed(resolution.known)}`);
    case "ambiguous":
      return {
        kind: "invalid",
        error: `Table '${resolution.name}' is ambiguous; write one of ${listed(resolution.candidates)}.`,
      };
    case "found":
      return (await isConfirmed(connection, resolution.sql, resolution.tables.map(internalNameOf), functions))
        ? { kind: "valid", sql: resolution.sql, tables: resolution.tables }
        : notReplaceable();
  }
}

/** The tables that a statement names, or what is wrong with it. */
async function inspect(
  connection: DuckDBConnection,
  sql: string,
  functions: AllowedFunctions,
): Promise<{ readonly tables: readonly NamedTable[] } | Exclude<CheckedStatement, { kind: "valid" }>> {
  const statement = await parseStatement(connection, sql);
  return isParsed(statement) ? inspectStatement(statement.node, functions) : statement;
}

interface ParsedStatement {
  readonly node: Node;
}

function isParsed(value: ParsedStatement | CheckedStatement): value is ParsedStatement {
  return "node" in value;
}

/** Parses the text, which must be exactly one statement, and a SELECT. */
async function parseStatement(
  connection: DuckDBConnection,
  sql: string,
): Promise<ParsedStatement | Exclude<CheckedStatement, { kind: "valid" }>> {
  try {
    const statements = await connection.extractStatements(sql);
    if (statements.count !== 1) {
      return statements.count === 0
        ? { kind: "invalid", error: "There is no statement." }
        : severalStatements(sql, statements.count);
    }
  } catch (error) {
    return { kind: "invalid", error: thrownMessage(error) };
  }
  const tree = await serialize(connection, sql);
  const [node] = Array.isArray(tree.statements) ? tree.statements : [];
  if (tree.error === false && isNode(node)) return { node };
  return rejected(firstWord(sql), "a question is a SELECT; nothing may be written, attached, loaded, set or explained");
}

/** DuckDB makes a second statement of a PIVOT whose values it would have to look up. */
function severalStatements(sql: string, count: number): Exclude<CheckedStatement, { kind: "valid" }> {
  return /\bPIVOT\b/i.test(sql)
    ? rejected("PIVOT without a list", "name its values: FROM t PIVOT (sum(n) FOR year IN (2024, 2025))")
    : rejected(`${count} statements`, "a question is exactly one SELECT");
}

async function serialize(connection: DuckDBConnection, sql: string): Promise<Node> {
  const reader = await connection.runAndReadAll("SELECT json_serialize_sql($sql::VARCHAR)", { sql });
  const tree: unknown = JSON.parse(String(reader.getRows()[0]?.[0]));
  return isNode(tree) ? tree : {};
}

/** Parses the rewritten text again: it must be one SELECT whose tables are whole internal names in scope, and nothing else. */
async function isConfirmed(
  connection: DuckDBConnection,
  sql: string,
  internalNames: readonly TablePath[],
  functions: AllowedFunctions,
): Promise<boolean> {
  const again = await parseStatement(connection, sql);
  if (!isParsed(again)) return false;
  const inspection = inspectStatement(again.node, functions);
  if (inspection.kind !== "reads") return false;
  const whole = new Set(internalNames.map(tableKey));
  return inspection.tables.every(({ parts }) => whole.has(tableKey(parts)));
}

function firstWord(sql: string): string {
  const text = sql.replace(/^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, "");
  return /^[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? "this statement";
}

function listed(names: readonly string[]): string {
  return names.slice(0, 20).join(", ") || "none";
}
