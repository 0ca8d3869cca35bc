import { isNode, type Node, stringField } from "../../statement-check/parse-tree.ts";
import { type Inspection, type NamedTable, type Rejection, rejected } from "../../statement-check/statement-check.ts";
import { FUNCTIONS, KEYWORDS, NODES, SYSTEM_COLUMNS, TYPES } from "./allowed.ts";

/** Names that decide what `x.name` means: PostgreSQL calls a function where no column has that name. */
export interface KnownNames {
  /** Functions of `pg_catalog`. */
  readonly functions: ReadonlySet<string>;
  /** Columns of the tables in scope. */
  readonly columns: ReadonlySet<string>;
}

/** Names of common table expressions in scope. */
type CteNames = ReadonlySet<string>;

interface Walk {
  readonly known: KnownNames;
  readonly tables: NamedTable[];
}

/** Clauses of a SELECT that do more than read. */
const NON_READING_CLAUSES: Readonly<Record<string, string>> = {
  intoClause: "SELECT INTO",
  lockingClause: "FOR UPDATE or FOR SHARE",
  coldeflist: "a list of column definitions",
};

const READS_ONLY = "a question reads the tables of its context with SELECT";
const ABOUT_THE_SERVER = "a question may not read settings, state, files or the catalog of the server";

/** Walks the parse tree of one statement: which tables it names, and whether every node of it is allowed. */
export function inspectStatement(statement: Node, known: KnownNames): Inspection {
  const [kind = ""] = Object.keys(statement);
  if (kind !== "SelectStmt") return rejected(statementName(kind), READS_ONLY);
  const walk: Walk = { known, tables: [] };
  return walkValue(statement, new Set(), walk) ?? { kind: "reads", tables: walk.tables };
}

function walkValue(value: unknown, names: CteNames, walk: Walk): Rejection | undefined {
  if (Array.isArray(value)) return firstOf(value, (item) => walkValue(item, names, walk));
  if (!isNode(value)) return undefined;
  const common = readCommonTables(value.withClause, names, walk);
  if (common.rejection) return common.rejection;
  return firstOf(Object.entries(value), ([key, child]) =>
    key === "withClause" ? undefined : walkEntry(key, child, common.names, walk),
  );
}

function walkEntry(key: string, child: unknown, names: CteNames, walk: Walk): Rejection | undefined {
  const clause = NON_READING_CLAUSES[key];
  if (clause) return rejected(clause, READS_ONLY);
  if (key === "typeName") return checkType(child) ?? walkValue(child, names, walk);
  // Operators: those of PostgreSQL are looked up in its catalog, others would have to be named with their schema.
  if (key === "operName" || key === "useOp") return checkQualifiedName(child, "OPERATOR()");
  if (!/^[A-Z]/.test(key)) return walkValue(child, names, walk);
  if (!NODES.has(key)) return rejected(statementName(key), NODE_REASON);
  if (!isNode(child)) return undefined;
  return checkNode(key, child, names, walk) ?? (key === "A_Const" ? undefined : walkValue(child, names, walk));
}

const NODE_REASON = "a question consists of SELECT, joins, expressions and functions that only compute";

function checkNode(kind: string, node: Node, names: CteNames, walk: Walk): Rejection | undefined {
  switch (kind) {
    case "RangeVar":
      return readTable(node, names, walk);
    case "FuncCall":
      return checkCall(node);
    case "ColumnRef":
      return checkColumn(textsOf(node.fields), walk.known);
    case "A_Indirection":
      return firstOf(textsOf(node.indirection), (name) => checkAttribute(name, walk.known));
    case "SQLValueFunction":
      return KEYWORDS.has(stringField(node, "op"))
        ? undefined
        : rejected(stringField(node, "op").replace("SVFOP_", ""), ABOUT_THE_SERVER);
    case "A_Expr":
      return checkQualifiedName(node.name, "OPERATOR()");
    case "CollateClause":
      return checkQualifiedName(node.collname, "COLLATE");
    case "RangeTableSample":
      return textsOf(node.method).every((name) => /^(system|bernoulli)$/.test(name))
        ? undefined
        : rejected("TABLESAMPLE", "only SYSTEM and BERNOULLI are known here");
    default:
      return undefined;
  }
}

/** Names of common table expressions: each is in scope for those after it, or for all of a recursive clause. */
function readCommonTables(
  clause: unknown,
  outside: CteNames,
  walk: Walk,
): { readonly names: CteNames; readonly rejection?: Rejection | undefined } {
  if (!isNode(clause)) return { names: outside };
  const tables = (Array.isArray(clause.ctes) ? clause.ctes : []).flatMap((entry) =>
    isNode(entry) && isNode(entry.CommonTableExpr) ? [entry.CommonTableExpr] : [],
  );
  const all = tables.map((table) => stringField(table, "ctename"));
  const systemName = all.find((name) => /^pg_/i.test(name));
  if (systemName !== undefined)
    return { names: outside, rejection: rejected(systemName, "the prefix pg_ is reserved for the catalog") };
  let names: CteNames = clause.recursive === true ? new Set([...outside, ...all]) : outside;
  for (const table of tables) {
    const found = walkValue(table, names, walk);
    if (found) return { names, rejection: found };
    names = new Set([...names, stringField(table, "ctename")]);
  }
  return { names };
}

function readTable(node: Node, names: CteNames, walk: Walk): Rejection | undefined {
  const parts = [
    stringField(node, "catalogname"),
    stringField(node, "schemaname"),
    stringField(node, "relname"),
  ].filter(Boolean);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && names.has(only)) return undefined;
  const at = node.location;
  if (typeof at !== "number") return rejected(parts.join("."), "its position in the statement is not known");
  walk.tables.push({ parts, at, hasAlias: isNode(node.alias) });
  return undefined;
}

function checkCall(node: Node): Rejection | undefined {
  const names = textsOf(node.funcname);
  const [first, second] = names;
  const name = names.length === 2 && first === "pg_catalog" ? second : names.length === 1 ? first : undefined;
  if (name !== undefined && FUNCTIONS.has(name)) return undefined;
  return rejected(`${names.join(".")}()`, ABOUT_THE_SERVER);
}

function checkColumn(fields: readonly string[], known: KnownNames): Rejection | undefined {
  const name = fields.at(-1);
  if (name === undefined) return undefined;
  if (SYSTEM_COLUMNS.has(name) && !known.columns.has(name)) return rejected(name, "it is not a column of the data");
  return fields.length > 1 ? checkAttribute(name, known) : undefined;
}

/** PostgreSQL reads `x.name` as `name(x)` where x has no such column. */
function checkAttribute(name: string, { functions, columns }: KnownNames): Rejection | undefined {
  if (!functions.has(name) || FUNCTIONS.has(name) || columns.has(name)) return undefined;
  return rejected(`.${name}`, "no column has that name, and a question may not call the function of that name");
}

function checkType(type: unknown): Rejection | undefined {
  if (!isNode(type)) return undefined;
  const names = textsOf(type.names);
  const [first, second] = names;
  const name = names.length === 2 && first === "pg_catalog" ? second : names.length === 1 ? first : undefined;
  const plain = name !== undefined && TYPES.has(name) && type.pct_type !== true && type.setof !== true;
  return plain ? undefined : rejected(`the type ${names.join(".")}`, "values are cast to plain types only");
}

function checkQualifiedName(names: unknown, construct: string): Rejection | undefined {
  const [first, ...more] = textsOf(names);
  return more.length === 0 || first === "pg_catalog"
    ? undefined
    : rejected(construct, "only what PostgreSQL itself has may be named with a schema");
}

/** The strings of a list of names. */
function textsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => (isNode(item) && isNode(item.String) ? [stringField(item.String, "sval")] : []));
}

/** The keyword of a node kind: `DropStmt` → `DROP`. */
function statementName(kind: string): string {
  return kind
    .replace(/Stmt$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toUpperCase();
}

function firstOf<Item>(items: readonly Item[], check: (item: Item) => Rejection | undefined): Rejection | undefined {
  for (const item of items) {
    const found = check(item);
    if (found) return found;
  }
  return undefined;
}
