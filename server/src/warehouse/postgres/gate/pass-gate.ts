import { isDeepStrictEqual } from "node:util";
import type { QueryCheck, TablePath } from "../../contract.ts";
import type { NamedTable } from "../../gate/inspect-statement.ts";
import { isNode, type Node } from "../../gate/syntax-tree.ts";
import { writeNames } from "../../gate/write-names.ts";
import { quoteName } from "../quote.ts";
import { inspectPostgres, type KnownNames } from "./inspect.ts";
import type { StatementParser } from "./parse.ts";

/** A table of the context: its name outside, and its schema and name in the database. */
export interface ScopedTable {
  readonly path: TablePath;
  readonly origin: readonly [schema: string, table: string];
}

/** A statement that may run, its tables written out; or what is wrong with it. */
export type PostgresGated =
  | { readonly kind: "passed"; readonly sql: string; readonly tables: readonly TablePath[] }
  | Exclude<QueryCheck, { kind: "accepted" }>;

/**
 * The gate before PostgreSQL: one SELECT whose every node, function, type and operator is on a list, over tables in scope, each
 * written as "schema"."table". The written text is read again: it must be the same tree but for those names.
 */
export function passPostgresGate(
  parser: StatementParser,
  sql: string,
  scope: readonly ScopedTable[],
  known: KnownNames,
): PostgresGated {
  const parsed = parser.parse(sql);
  if (parsed.kind === "invalid") return parsed;
  if (parsed.kind === "several") return refused(`${parsed.count} statements`, "a question is exactly one SELECT");
  const inspection = inspectPostgres(parsed.node, known);
  if (inspection.kind === "refused") return inspection;
  const found = inspection.tables.map((named) => ({ named, candidates: scope.filter((one) => isNamed(one, named)) }));
  const unknown = found.find(({ candidates }) => candidates.length !== 1);
  if (unknown) return unresolved(unknown.named, unknown.candidates, scope);
  const tables = found.flatMap(({ named, candidates }) => candidates.map((table) => ({ named, table })));
  const written = writeNames(
    sql,
    tables.map(({ named, table }) => ({
      at: named.at,
      parts: named.parts.length,
      text: table.origin.map(quoteName).join("."),
    })),
  );
  return saysTheSame(parser, parsed.node, written, tables, known)
    ? { kind: "passed", sql: written, tables: [...new Set(tables.map(({ table }) => table.path))] }
    : refused("this statement", "its tables could not be told apart from the rest of the text");
}

/** By the end of the name outside, or as the database itself says it. Case counts: the engine folded it already. */
function isNamed({ path, origin }: ScopedTable, { parts }: NamedTable): boolean {
  const ends = (whole: readonly string[]) =>
    parts.length <= whole.length && parts.every((part, at) => part === whole[whole.length - parts.length + at]);
  return ends(path) || ends(origin);
}

function unresolved(
  { parts }: NamedTable,
  candidates: readonly ScopedTable[],
  scope: readonly ScopedTable[],
): PostgresGated {
  const name = parts.join(".");
  const listed = (tables: readonly ScopedTable[]) =>
    tables
      .slice(0, 20)
      .map(({ origin }) => origin.map(quoteName).join("."))
      .join(", ");
  return candidates.length > 1
    ? { kind: "invalid", error: `Table '${name}' is ambiguous; write one of ${listed(candidates)}.` }
    : refused(name, `it is not among the tables of this context: ${listed(scope)}`);
}

function saysTheSame(
  parser: StatementParser,
  before: Node,
  written: string,
  tables: readonly { readonly table: ScopedTable }[],
  known: KnownNames,
): boolean {
  const again = parser.parse(written);
  if (again.kind !== "statement") return false;
  const inspection = inspectPostgres(again.node, known);
  if (inspection.kind !== "reads") return false;
  const named = inspection.tables.map(({ parts }) => parts);
  const meant = tables.map(({ table }) => table.origin);
  return isDeepStrictEqual(named, meant) && isDeepStrictEqual(withoutNames(before), withoutNames(again.node));
}

/** A tree without places in the text, and without the names of tables: what may differ after names were written out. */
function withoutNames(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNames(item));
  if (!isNode(value)) return value;
  const left = Object.entries(value).filter(
    ([name]) => !PLACES.has(name) && !(key === "RangeVar" && NAME_FIELDS.has(name)),
  );
  return Object.fromEntries(left.map(([name, child]) => [name, withoutNames(child, name)]));
}

const PLACES = new Set(["location", "list_start", "list_end", "stmt_location", "stmt_len"]);
const NAME_FIELDS = new Set(["catalogname", "schemaname", "relname"]);

function refused(construct: string, reason: string): PostgresGated {
  return { kind: "refused", construct, reason };
}
