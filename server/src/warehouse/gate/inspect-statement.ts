import type { AllowedFunctions } from "./functions.ts";
import { childrenOf, commonTablesOf, isNode, type Node, textOf } from "./syntax-tree.ts";

/** A table that a statement names, and where its name stands in the text, in bytes. */
export interface NamedTable {
  /** As written, outermost first: one to three parts. */
  readonly parts: readonly string[];
  readonly at: number;
}

/** What a statement reads, or the first thing in it that a question may not contain. */
export type Inspection =
  | { readonly kind: "reads"; readonly tables: readonly NamedTable[] }
  | { readonly kind: "refused"; readonly construct: string; readonly reason: string };

/** Sources of rows that a question may have. What the engine adds one day is refused until it is listed here. */
const SOURCES = new Set(["BASE_TABLE", "JOIN", "SUBQUERY", "TABLE_FUNCTION", "EXPRESSION_LIST", "EMPTY"]);

interface Walk {
  readonly functions: AllowedFunctions;
  readonly tables: NamedTable[];
}

type Names = ReadonlySet<string>;
type Refused = Extract<Inspection, { kind: "refused" }>;

/** Walks the syntax tree of one SELECT: which tables it names, and whether all of its parts are those of a question. */
export function inspectStatement(statement: Node, functions: AllowedFunctions): Inspection {
  const walk: Walk = { functions, tables: [] };
  return walkNode(statement, new Set(), walk) ?? { kind: "reads", tables: walk.tables };
}

function walkNode(node: Node, names: Names, walk: Walk): Refused | undefined {
  if (textOf(node, "class") === "CONSTANT") return undefined;
  return refusalOf(node, names, walk) ?? walkParts(node, names, walk);
}

/** Names of common table expressions hold from the next one on and in the query itself; a recursive one also in its own. */
function walkParts(node: Node, names: Names, walk: Walk): Refused | undefined {
  let inside = names;
  for (const { name, query } of commonTablesOf(node)) {
    const own = isRecursive(query) ? new Set([...inside, name]) : inside;
    const refused = walkNode(query, own, walk);
    if (refused) return refused;
    inside = new Set([...inside, name]);
  }
  for (const child of childrenOf({ ...node, cte_map: undefined })) {
    const refused = walkNode(child, inside, walk);
    if (refused) return refused;
  }
  return undefined;
}

function isRecursive(query: Node): boolean {
  return isNode(query.node) && textOf(query.node, "type") === "RECURSIVE_CTE_NODE";
}

function refusalOf(node: Node, names: Names, walk: Walk): Refused | undefined {
  for (const place of ["from_table", ...(textOf(node, "type") === "JOIN" ? ["left", "right"] : [])]) {
    const source = node[place];
    if (isNode(source) && !SOURCES.has(textOf(source, "type"))) return refusedSource(source);
  }
  switch (textOf(node, "type")) {
    case "BASE_TABLE":
      return readTable(node, names, walk);
    case "TABLE_FUNCTION":
      return tableFunction(node, walk);
    case "SHOW_REF":
    case "PIVOT":
      return refusedSource(node);
    default:
      return callOf(node, walk);
  }
}

function refusedSource(source: Node): Refused {
  const names: Readonly<Record<string, string>> = { SHOW_REF: "DESCRIBE, SHOW or SUMMARIZE", PIVOT: "PIVOT" };
  const type = textOf(source, "type");
  return refused(names[type] ?? type, "a question reads the tables of its context with SELECT");
}

function readTable(node: Node, names: Names, walk: Walk): Refused | undefined {
  if (isNode(node.at_clause)) return refused("AT", "a question reads tables as they are now");
  const parts = [textOf(node, "catalog_name"), textOf(node, "schema_name"), textOf(node, "table_name")].filter(Boolean);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && names.has(only.toLowerCase())) return undefined;
  const at = node.query_location;
  if (typeof at !== "number") return refused(parts.join("."), "its place in the statement is not known");
  walk.tables.push({ parts, at });
  return undefined;
}

function tableFunction(node: Node, walk: Walk): Refused | undefined {
  const call = isNode(node.function) ? node.function : {};
  const name = textOf(call, "function_name").toLowerCase();
  if (walk.functions.allowsTable(name)) return undefined;
  return refused(`${name}()`, "a question may not read files, addresses or the server's own catalogue");
}

/** Calls in expressions and windows. The function inside a table function is a call too, and was judged there. */
function callOf(node: Node, walk: Walk): Refused | undefined {
  const keyword = keywordOf(node);
  if (keyword) return refused(keyword, ABOUT_THE_SERVER);
  const name = textOf(node, "function_name").toLowerCase();
  if (name === "" || walk.functions.allowsTable(name) || !walk.functions.refusesScalar(name)) return undefined;
  return refused(`${name}()`, ABOUT_THE_SERVER);
}

const ABOUT_THE_SERVER = "a question may not ask for the server's settings, state or files";

/** Functions that are called without parentheses look like columns. */
function keywordOf(node: Node): string | undefined {
  const names = textOf(node, "type") === "COLUMN_REF" ? node.column_names : undefined;
  const [name, ...more] = Array.isArray(names) ? names.map(String) : [];
  const isKeyword = more.length === 0 && /^current_(user|role|schemas?|catalog|database|query)$/i.test(name ?? "");
  return isKeyword ? name : undefined;
}

function refused(construct: string, reason: string): Refused {
  return { kind: "refused", construct, reason };
}
