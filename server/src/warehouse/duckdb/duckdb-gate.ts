import type { DuckDBConnection } from "@duckdb/node-api";
import type { QueryCheck, TablePath } from "../contract.ts";
import type { AllowedFunctions } from "../gate/functions.ts";
import { inspectStatement } from "../gate/inspect-statement.ts";
import { qualifyTables } from "../gate/qualify-tables.ts";
import { isNode, type Node } from "../gate/syntax-tree.ts";
import { quoteName } from "./engine.ts";

/** A statement that may run, its tables written out; or what is wrong with it. */
export type Gated =
  | { readonly kind: "passed"; readonly sql: string; readonly tables: readonly TablePath[] }
  | Exclude<QueryCheck, { kind: "accepted" }>;

/** A table of the context: its name outside, and the one that the engine keeps it under. */
export interface PlacedTable {
  readonly path: TablePath;
  readonly place: TablePath;
}

/** The gate: one SELECT, over tables in scope, with functions that only compute. Decided on the engine's own syntax tree. */
export async function passGate(
  connection: DuckDBConnection,
  sql: string,
  scope: readonly PlacedTable[],
  functions: AllowedFunctions,
): Promise<Gated> {
  const statement = await readStatement(connection, sql);
  if (!isStatement(statement)) return statement;
  const inspection = inspectStatement(statement.node, functions);
  if (inspection.kind === "refused") return inspection;
  const placeOf = (path: TablePath) => scope.find((one) => one.path === path)?.place ?? path;
  const paths = scope.map(({ path }) => path);
  const resolution = qualifyTables(sql, inspection.tables, paths, (path) => placeOf(path).map(quoteName).join("."));
  switch (resolution.kind) {
    case "unknown":
      return refused(resolution.name, `it is not among the tables of this context: ${listed(resolution.known)}`);
    case "ambiguous":
      return {
        kind: "invalid",
        error: `Table '${resolution.name}' is ambiguous; write one of ${listed(resolution.candidates)}.`,
      };
    case "found":
      return (await isUnchanged(connection, resolution.sql, resolution.tables.map(placeOf), functions))
        ? { kind: "passed", sql: resolution.sql, tables: resolution.tables }
        : refused("this statement", "its tables could not be told apart from the rest of the text");
  }
}

interface Statement {
  readonly node: Node;
}

function isStatement(value: Statement | Gated): value is Statement {
  return "node" in value;
}

/** Parses the text: it has to be exactly one statement, and a SELECT. */
async function readStatement(connection: DuckDBConnection, sql: string): Promise<Statement | Gated> {
  try {
    const statements = await connection.extractStatements(sql);
    if (statements.count !== 1) {
      return statements.count === 0
        ? { kind: "invalid", error: "There is no statement." }
        : refused(`${statements.count} statements`, "a question is exactly one SELECT");
    }
  } catch (error) {
    return { kind: "invalid", error: error instanceof Error ? error.message : String(error) };
  }
  const tree = await serialize(connection, sql);
  const [node] = Array.isArray(tree.statements) ? tree.statements : [];
  if (tree.error === false && isNode(node)) return { node };
  return refused(firstWord(sql), "a question is a SELECT; nothing may be written, attached, loaded, set or explained");
}

async function serialize(connection: DuckDBConnection, sql: string): Promise<Node> {
  const reader = await connection.runAndReadAll("SELECT json_serialize_sql($sql::VARCHAR)", { sql });
  const tree: unknown = JSON.parse(String(reader.getRows()[0]?.[0]));
  return isNode(tree) ? tree : {};
}

/** Reads the rewritten text once more: it must be one SELECT that names whole tables in scope and nothing else. */
async function isUnchanged(
  connection: DuckDBConnection,
  sql: string,
  places: readonly TablePath[],
  functions: AllowedFunctions,
): Promise<boolean> {
  const again = await readStatement(connection, sql);
  if (!isStatement(again)) return false;
  const inspection = inspectStatement(again.node, functions);
  if (inspection.kind !== "reads") return false;
  const whole = new Set(places.map((path) => path.join("\0")));
  return inspection.tables.every(({ parts }) => whole.has(parts.join("\0")));
}

function refused(construct: string, reason: string): Gated {
  return { kind: "refused", construct, reason };
}

function firstWord(sql: string): string {
  const text = sql.replace(/^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, "");
  return /^[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? "this statement";
}

function listed(names: readonly string[]): string {
  return names.slice(0, 20).join(", ") || "none";
}
