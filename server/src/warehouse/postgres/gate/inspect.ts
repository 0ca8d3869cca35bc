import type { Inspection, NamedTable } from "../../gate/inspect-statement.ts";
import { isNode, type Node, textOf } from "../../gate/syntax-tree.ts";
import { FUNCTIONS, KEYWORDS, NODES, SYSTEM_COLUMNS, TYPES } from "./allowed.ts";

/** What the engine has: `x.name` calls a function where no column has that name. */
export interface KnownNames {
  /** Functions of the engine's own catalogue. */
  readonly functions: ReadonlySet<string>;
  /** Columns of the tables in scope. */
  readonly columns: ReadonlySet<string>;
}

type Refused = Extract<Inspection, { kind: "refused" }>;
type Names = ReadonlySet<string>;

interface Walk {
  readonly known: KnownNames;
  readonly tables: NamedTable[];
}

/** Parts of a SELECT that do more than read. */
const DEEDS: Readonly<Record<string, string>> = {
  intoClause: "SELECT INTO",
  lockingClause: "FOR UPDATE or FOR SHARE",
  coldeflist: "a list of column definitions",
};

const READS_ONLY = "a question reads the tables of its context with SELECT";
const ABOUT_THE_SERVER = "a question may not ask for the server's settings, state, files or catalogue";

/** Walks the tree of one statement: which tables it names, and whether every node of it is one that a question may have. */
export function inspectPostgres(statement: Node, known: KnownNames): Inspection {
  const [kind = ""] = Object.keys(statement);
  if (kind !== "SelectStmt") return refused(statementName(kind), READS_ONLY);
  const walk: Walk = { known, tables: [] };
  return walkValue(statement, new Set(), walk) ?? { kind: "reads", tables: walk.tables };
}

function walkValue(value: unknown, names: Names, walk: Walk): Refused | undefined {
  if (Array.isArray(value)) return firstOf(value, (item) => walkValue(item, names, walk));
  if (!isNode(value)) return undefined;
  const common = readCommonTables(value.withClause, names, walk);
  if (common.refused) return common.refused;
  return firstOf(Object.entries(value), ([key, child]) =>
    key === "withClause" ? undefined : walkEntry(key, child, common.names, walk),
  );
}

function walkEntry(key: string, child: unknown, names: Names, walk: Walk): Refused | undefined {
  const deed = DEEDS[key];
  if (deed) return refused(deed, READS_ONLY);
  if (key === "typeName") return typeRefused(child) ?? walkValue(child, names, walk);
  // Operators: the engine's own are looked up in its catalogue, others would have to be named with their schema.
  if (key === "operName" || key === "useOp") return qualifiedRefused(child, "OPERATOR()");
  if (!/^[A-Z]/.test(key)) return walkValue(child, names, walk);
  if (!NODES.has(key)) return refused(statementName(key), NODE_REASON);
  if (!isNode(child)) return undefined;
  return nodeRefused(key, child, names, walk) ?? (key === "A_Const" ? undefined : walkValue(child, names, walk));
}

const NODE_REASON = "a question consists of plain SELECT, joins, expressions and the functions that compute";

function nodeRefused(kind: string, node: Node, names: Names, walk: Walk): Refused | undefined {
  switch (kind) {
    case "RangeVar":
      return readTable(node, names, walk);
    case "FuncCall":
      return callRefused(node);
    case "ColumnRef":
      return columnRefused(textsOf(node.fields), walk.known);
    case "A_Indirection":
      return firstOf(textsOf(node.indirection), (name) => attributeRefused(name, walk.known));
    case "SQLValueFunction":
      return KEYWORDS.has(textOf(node, "op"))
        ? undefined
        : refused(textOf(node, "op").replace("SVFOP_", ""), ABOUT_THE_SERVER);
    case "A_Expr":
      return qualifiedRefused(node.name, "OPERATOR()");
    case "CollateClause":
      return qualifiedRefused(node.collname, "COLLATE");
    case "RangeTableSample":
      return textsOf(node.method).every((name) => /^(system|bernoulli)$/.test(name))
        ? undefined
        : refused("TABLESAMPLE", "only SYSTEM and BERNOULLI are known here");
    default:
      return undefined;
  }
}

/** Names of common tables: each holds from the next one on, or everywhere among recursive ones. */
function readCommonTables(
  clause: unknown,
  outside: Names,
  walk: Walk,
): { readonly names: Names; readonly refused?: Refused | undefined } {
  if (!isNode(clause)) return { names: outside };
  const tables = (Array.isArray(clause.ctes) ? clause.ctes : []).flatMap((entry) =>
    isNode(entry) && isNode(entry.CommonTableExpr) ? [entry.CommonTableExpr] : [],
  );
  const all = tables.map((table) => textOf(table, "ctename"));
  const catalogue = all.find((name) => /^pg_/i.test(name));
  if (catalogue !== undefined) return { names: outside, refused: refused(catalogue, "that name is the catalogue's") };
  let names: Names = clause.recursive === true ? new Set([...outside, ...all]) : outside;
  for (const table of tables) {
    const found = walkValue(table, names, walk);
    if (found) return { names, refused: found };
    names = new Set([...names, textOf(table, "ctename")]);
  }
  return { names };
}

function readTable(node: Node, names: Names, walk: Walk): Refused | undefined {
  const parts = [textOf(node, "catalogname"), textOf(node, "schemaname"), textOf(node, "relname")].filter(Boolean);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && names.has(only)) return undefined;
  const at = node.location;
  if (typeof at !== "number") return refused(parts.join("."), "its place in the statement is not known");
  walk.tables.push({ parts, at });
  return undefined;
}

function callRefused(node: Node): Refused | undefined {
  const names = textsOf(node.funcname);
  const [first, second] = names;
  const name = names.length === 2 && first === "pg_catalog" ? second : names.length === 1 ? first : undefined;
  if (name !== undefined && FUNCTIONS.has(name)) return undefined;
  return refused(`${names.join(".")}()`, ABOUT_THE_SERVER);
}

function columnRefused(fields: readonly string[], known: KnownNames): Refused | undefined {
  const name = fields.at(-1);
  if (name === undefined) return undefined;
  if (SYSTEM_COLUMNS.has(name) && !known.columns.has(name)) return refused(name, "it is no column of the data");
  return fields.length > 1 ? attributeRefused(name, known) : undefined;
}

/** PostgreSQL reads `x.name` as `name(x)` where x has no such column. */
function attributeRefused(name: string, { functions, columns }: KnownNames): Refused | undefined {
  if (!functions.has(name) || FUNCTIONS.has(name) || columns.has(name)) return undefined;
  return refused(`.${name}`, `no column has that name, and as a function it is none that a question may call`);
}

function typeRefused(type: unknown): Refused | undefined {
  if (!isNode(type)) return undefined;
  const names = textsOf(type.names);
  const [first, second] = names;
  const name = names.length === 2 && first === "pg_catalog" ? second : names.length === 1 ? first : undefined;
  const plain = name !== undefined && TYPES.has(name) && type.pct_type !== true && type.setof !== true;
  return plain ? undefined : refused(`the type ${names.join(".")}`, "values are cast to plain types only");
}

function qualifiedRefused(names: unknown, construct: string): Refused | undefined {
  const [first, ...more] = textsOf(names);
  return more.length === 0 || first === "pg_catalog"
    ? undefined
    : refused(construct, "only what the engine itself has may be named with a schema");
}

/** The texts of a list of names. */
function textsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => (isNode(item) && isNode(item.String) ? [textOf(item.String, "sval")] : []));
}

/** `DropStmt` → `DROP`, as people know it. */
function statementName(kind: string): string {
  return kind
    .replace(/Stmt$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toUpperCase();
}

function firstOf<Item>(items: readonly Item[], look: (item: Item) => Refused | undefined): Refused | undefined {
  for (const item of items) {
    const found = look(item);
    if (found) return found;
  }
  return undefined;
}

function refused(construct: string, reason: string): Refused {
  return { kind: "refused", construct, reason };
}
