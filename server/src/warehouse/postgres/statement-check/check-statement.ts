import { isDeepStrictEqual } from "node:util";
import type { TablePath, TableView } from "../../contract.ts";
import { quoteName } from "../../sql-quoting.ts";
import { isNode, type Node } from "../../statement-check/parse-tree.ts";
import { replaceNames } from "../../statement-check/replace-names.ts";
import {
  type CheckedStatement,
  type NamedTable,
  notReplaceable,
  rejected,
} from "../../statement-check/statement-check.ts";
import { findViews, isReplaced, type ViewedTable, withViews } from "../../statement-check/table-views.ts";
import { inspectStatement, type KnownNames } from "./inspect-statement.ts";
import type { StatementParser } from "./parse-statement.ts";

/** A table of the context: the name that clients use, and its schema and name in the database. */
export interface ScopedTable {
  readonly path: TablePath;
  readonly origin: readonly [schema: string, table: string];
}

/**
 * Checks a statement on PostgreSQL's own grammar: one SELECT whose every node, function, type and operator is on a list, over tables
 * in scope, each replaced by "schema"."table". The result is parsed again: it must be the same tree except for those names. `views`: tables of which the caller
 * sees a part.
 */
export function checkStatement(
  parser: StatementParser,
  written: string,
  scope: readonly ScopedTable[],
  known: KnownNames,
  views: readonly TableView[] = [],
): CheckedStatement {
  const { isDenied, selectOf } = findViews(views);
  const visible = scope.filter(({ path }) => !isDenied(path));
  const first = inspect(parser, written, known);
  if (!("tables" in first)) return first;
  const viewed = first.tables.map((named): ViewedTable => {
    const [table, other] = visible.filter((one) => isNamed(one, named));
    const select = table && !other && selectOf(table.path);
    return select ? { named, view: { select, reads: table.origin } } : { named };
  });
  const replaced = withViews(written, viewed, quoteName);
  if (replaced === undefined) return withWholeNames(parser, written, first, visible, known);
  const again = inspect(parser, replaced, known);
  if (!("tables" in again) || !isReplaced(viewed, again.tables)) return notReplaceable();
  return withWholeNames(parser, replaced, again, visible, known);
}

interface Inspected {
  readonly node: Node;
  readonly tables: readonly NamedTable[];
}

/** The tables that a statement names, or what is wrong with it. */
function inspect(
  parser: StatementParser,
  sql: string,
  known: KnownNames,
): Inspected | Exclude<CheckedStatement, { kind: "valid" }> {
  const parsed = parser.parse(sql);
  if (parsed.kind === "invalid") return parsed;
  if (parsed.kind === "several") return rejected(`${parsed.count} statements`, "a question is exactly one SELECT");
  const inspection = inspectStatement(parsed.node, known);
  return inspection.kind === "rejected" ? inspection : { node: parsed.node, tables: inspection.tables };
}

function withWholeNames(
  parser: StatementParser,
  sql: string,
  inspection: Inspected,
  scope: readonly ScopedTable[],
  known: KnownNames,
): CheckedStatement {
  const found = inspection.tables.map((named) => ({ named, candidates: scope.filter((one) => isNamed(one, named)) }));
  const unknown = found.find(({ candidates }) => candidates.length !== 1);
  if (unknown) return unresolved(unknown.named, unknown.candidates, scope);
  const tables = found.flatMap(({ named, candidates }) => candidates.map((table) => ({ named, table })));
  const written = replaceNames(
    sql,
    tables.map(({ named, table }) => ({
      at: named.at,
      parts: named.parts.length,
      text: table.origin.map(quoteName).join("."),
    })),
  );
  return isConfirmed(parser, inspection.node, written, tables, known)
    ? { kind: "valid", sql: written, tables: [...new Set(tables.map(({ table }) => table.path))] }
    : notReplaceable();
}

/** Matches the end of the client's name, or of the name in the database. Case counts: the parser has folded it already. */
function isNamed({ path, origin }: ScopedTable, { parts }: NamedTable): boolean {
  const ends = (whole: readonly string[]) =>
    parts.length <= whole.length && parts.every((part, at) => part === whole[whole.length - parts.length + at]);
  return ends(path) || ends(origin);
}

function unresolved(
  { parts }: NamedTable,
  candidates: readonly ScopedTable[],
  scope: readonly ScopedTable[],
): CheckedStatement {
  const name = parts.join(".");
  const listed = (tables: readonly ScopedTable[]) =>
    tables
      .slice(0, 20)
      .map(({ origin }) => origin.map(quoteName).join("."))
      .join(", ");
  return candidates.length > 1
    ? { kind: "invalid", error: `Table '${name}' is ambiguous; write one of ${listed(candidates)}.` }
    : rejected(name, `it is not among the tables of this context: ${listed(scope)}`);
}

function isConfirmed(
  parser: StatementParser,
  before: Node,
  written: string,
  tables: readonly { readonly table: ScopedTable }[],
  known: KnownNames,
): boolean {
  const again = parser.parse(written);
  if (again.kind !== "statement") return false;
  const inspection = inspectStatement(again.node, known);
  if (inspection.kind !== "reads") return false;
  const named = inspection.tables.map(({ parts }) => parts);
  const expected = tables.map(({ table }) => table.origin);
  return isDeepStrictEqual(named, expected) && isDeepStrictEqual(withoutNames(before), withoutNames(again.node));
}

/** A tree without positions and table names, which may differ after names were replaced. */
function withoutNames(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNames(item));
  if (!isNode(value)) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !POSITION_FIELDS.has(name) && !(key === "RangeVar" && NAME_FIELDS.has(name)),
  );
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutNames(child, name)]));
}

const POSITION_FIELDS = new Set(["location", "list_start", "list_end", "stmt_location", "stmt_len"]);
const NAME_FIELDS = new Set(["catalogname", "schemaname", "relname"]);
