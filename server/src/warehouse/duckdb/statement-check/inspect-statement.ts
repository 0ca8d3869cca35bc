import { childrenOf, isNode, type Node, stringField } from "../../statement-check/parse-tree.ts";
import { type Inspection, type NamedTable, type Rejection, rejected } from "../../statement-check/statement-check.ts";
import { isAttachedDatabase } from "../internal-names.ts";
import type { AllowedFunctions } from "./allowed-functions.ts";

/** Kinds of table references that a SELECT may have. A kind that a DuckDB release adds is rejected until it is listed here. */
const TABLE_REFERENCES = new Set([
  ...["BASE_TABLE", "JOIN", "SUBQUERY", "TABLE_FUNCTION", "EXPRESSION_LIST", "EMPTY"],
  // Those that read a table of the context; others are rejected below.
  ...["PIVOT", "SHOW_REF"],
]);

interface Walk {
  readonly functions: AllowedFunctions;
  readonly tables: NamedTable[];
}

/** Names of common table expressions in scope, as `folded` has them. */
type CteNames = ReadonlySet<string>;

/** A name as DuckDB compares it: it takes letters of ASCII alone for the same in either case (the Kelvin sign is no k). */
function folded(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Walks the parse tree of one SELECT: which tables it names, and whether every part of it is allowed. */
export function inspectStatement(statement: Node, functions: AllowedFunctions): Inspection {
  const walk: Walk = { functions, tables: [] };
  return walkNode(statement, new Set(), walk) ?? { kind: "reads", tables: walk.tables };
}

function walkNode(node: Node, names: CteNames, walk: Walk): Rejection | undefined {
  if (stringField(node, "class") === "CONSTANT") return undefined;
  return checkNode(node, names, walk) ?? walkChildren(node, names, walk);
}

/** A common table expression is in scope for those after it and for the query itself, a recursive one also for its own second part: in the first one DuckDB looks for a table or file. */
function walkChildren(node: Node, names: CteNames, walk: Walk): Rejection | undefined {
  let inside = names;
  for (const { name, query } of commonTablesOf(node)) {
    const rejection = foundElsewhere(name) ?? walkNode(query, inside, walk);
    if (rejection) return rejection;
    inside = new Set([...inside, folded(name)]);
  }
  const { right, ...rest } = node;
  const isRecursive = stringField(node, "type") === "RECURSIVE_CTE_NODE";
  const own = isRecursive ? new Set([...inside, folded(stringField(node, "cte_name"))]) : inside;
  return walkAll({ ...rest, cte_map: undefined }, inside, walk) ?? walkAll({ right }, own, walk);
}

function walkAll(node: Node, names: CteNames, walk: Walk): Rejection | undefined {
  for (const child of childrenOf(node)) {
    const rejection = walkNode(child, names, walk);
    if (rejection) return rejection;
  }
  return undefined;
}

interface CommonTable {
  readonly name: string;
  readonly query: Node;
}

/** The common table expressions of a query node, in the order in which they are written. */
function commonTablesOf(node: Node): readonly CommonTable[] {
  const map = isNode(node.cte_map) ? node.cte_map.map : undefined;
  if (!Array.isArray(map)) return [];
  return map.flatMap((entry: unknown) => {
    if (!isNode(entry) || !isNode(entry.value) || !isNode(entry.value.query)) return [];
    return [{ name: stringField(entry, "key"), query: entry.value.query }];
  });
}

/** A name that DuckDB would find without the common table expression, too: a file, which has an ending, or a view of its own catalog. */
function foundElsewhere(name: string): Rejection | undefined {
  return /\.|^(?:duckdb|pg|sqlite|pragma)_/i.test(name)
    ? rejected(name, "name what stands behind WITH without dots, and not as the catalog of the server")
    : undefined;
}

function checkNode(node: Node, names: CteNames, walk: Walk): Rejection | undefined {
  const type = stringField(node, "type");
  for (const field of ["from_table", ...(INNER[type] ?? [])]) {
    const reference = node[field];
    if (isNode(reference) && !TABLE_REFERENCES.has(stringField(reference, "type"))) return rejectReference(reference);
  }
  switch (stringField(node, "type")) {
    case "BASE_TABLE":
      return readTable(node, names, walk);
    case "TABLE_FUNCTION":
      return checkTableFunction(node, walk);
    case "SHOW_REF":
      return describesQuery(node) ? undefined : rejectReference(node);
    case "PIVOT":
      return pivotsListed(node)
        ? undefined
        : rejected("PIVOT over a type", "name its values: FOR year IN (2024, 2025)");
    case "UNBOUND_TYPE_INFO":
      return checkType(node);
    default:
      return checkCall(node, walk);
  }
}

/** Fields with table references, of references that have some. */
const INNER: Readonly<Record<string, readonly string[]>> = { JOIN: ["left", "right"], PIVOT: ["source"] };

/** DESCRIBE and SUMMARIZE of a table or a query, which is walked like any other; SHOW lists what others have. */
function describesQuery(node: Node): boolean {
  return (
    isNode(node.query) &&
    /^(DESCRIBE|SUMMARY)$/.test(stringField(node, "show_type")) &&
    stringField(node, "table_name") === ""
  );
}

/** An ENUM type whose values are the columns would be looked up by its name. */
function pivotsListed({ pivots }: Node): boolean {
  return Array.isArray(pivots) && pivots.every((one) => isNode(one) && stringField(one, "pivot_enum") === "");
}

function rejectReference(reference: Node): Rejection {
  const names: Readonly<Record<string, string>> = { SHOW_REF: "SHOW" };
  const type = stringField(reference, "type");
  return rejected(names[type] ?? type, "a question reads the tables of its context with SELECT");
}

function readTable(node: Node, names: CteNames, walk: Walk): Rejection | undefined {
  if (isNode(node.at_clause)) return rejected("AT", "a question reads tables as they are now");
  const parts = ["catalog_name", "schema_name", "table_name"].map((field) => stringField(node, field)).filter(Boolean);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && names.has(folded(only))) return undefined;
  const at = node.query_location;
  if (typeof at !== "number") return rejected(parts.join("."), "its position in the statement is not known");
  walk.tables.push({ parts, at, hasAlias: stringField(node, "alias") !== "" });
  return undefined;
}

function checkTableFunction(node: Node, walk: Walk): Rejection | undefined {
  const call = isNode(node.function) ? node.function : {};
  const name = stringField(call, "function_name").toLowerCase();
  if (walk.functions.allowsTable(name)) return undefined;
  return rejected(`${name}()`, "a question may not read files, URLs or the catalog of the server");
}

/** DuckDB's own types have no place; those that a database has made may hold its data, as an ENUM does. */
function checkType(type: Node): Rejection | undefined {
  const parts = ["catalog", "schema", "name"].map((field) => stringField(type, field)).filter(Boolean);
  return parts.length > 1
    ? rejected(`the type ${parts.join(".")}`, "values are cast to types of DuckDB itself")
    : undefined;
}

/** Calls in expressions and windows. The function of a table function is a call too, and was checked there. */
function checkCall(node: Node, walk: Walk): Rejection | undefined {
  const keyword = keywordOf(node);
  if (keyword) return rejected(keyword, ABOUT_THE_SERVER);
  const name = stringField(node, "function_name").toLowerCase();
  const owner = ["catalog", "schema"].map((field) => stringField(node, field)).find(isAttachedDatabase);
  if (owner !== undefined)
    return rejected(`${name}() of a database`, "what a database has made may read its other tables");
  if (name === "" || walk.functions.allowsTable(name) || !walk.functions.rejectsScalar(name)) return undefined;
  return rejected(`${name}()`, ABOUT_THE_SERVER);
}

const ABOUT_THE_SERVER = "a question may not read settings, state or files of the server";

/** Functions that are called without parentheses look like columns. */
function keywordOf(node: Node): string | undefined {
  const names = stringField(node, "type") === "COLUMN_REF" ? node.column_names : undefined;
  const [name, ...more] = Array.isArray(names) ? names.map(String) : [];
  const isKeyword = more.length === 0 && /^current_(user|role|schemas?|catalog|database|query)$/i.test(name ?? "");
  return isKeyword ? name : undefined;
}
