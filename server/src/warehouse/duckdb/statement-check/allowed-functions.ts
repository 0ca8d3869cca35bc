/**
 * Which functions a statement may call. All others that DuckDB has are rejected by name: those that read the machine, other
 * catalogs, settings or the state of the server, those that write, and those that only wait.
 */
export interface AllowedFunctions {
  /** Whether `name` is a function of DuckDB that may not be called in an expression. Unknown names are left to the binder. */
  rejectsScalar(name: string): boolean;
  /** Whether `name` may stand in FROM. */
  allowsTable(name: string): boolean;
}

/** A function as DuckDB's catalog lists it. */
interface CatalogFunction {
  readonly name: string;
  /** scalar, aggregate, macro, table, table_macro, pragma. */
  readonly type: string;
  /** CONSISTENT, CONSISTENT_WITHIN_QUERY or VOLATILE. */
  readonly stability: string;
}

/** Table functions that make rows out of their arguments alone. */
const TABLE_FUNCTIONS = new Set([
  "unnest",
  "range",
  "generate_series",
  "json_each",
  "json_tree",
  "repeat",
  "repeat_row",
]);

/** Volatile functions that are harmless. */
const VOLATILE = new Set(["random", "uuid", "gen_random_uuid", "uuidv4", "uuidv7"]);

/** Scalars and macros that read the server instead of the data. */
const ABOUT_THE_SERVER = [
  /^current_(?!date$|time$|timestamp$|localtime$|localtimestamp$)/,
  /^(pg_(?!typeof$|size_pretty$)|has_|inet_|duckdb_|icu_sort_key$)/,
  /^(user|session_user|version|getvariable|in_search_path|nextval|currval|stats|error|txid_current|get_block_size)$/,
  /^(col_description|obj_description|shobj_description|parse_duckdb_log_message|json_(de)?serialize_(sql|plan)|vector_type)$/,
  /^(read_|write_|glob|getenv|which_secret|query$|query_table$|sql_|enable_|disable_|sleep)/,
];

/** Builds the list from DuckDB's own catalog, so that a new release does not allow a function by itself. */
export function allowedFunctions(catalog: readonly CatalogFunction[]): AllowedFunctions {
  const rejectedNames = new Set(catalog.filter(isRejected).map(({ name }) => name));
  const allowedNames = new Set(catalog.filter((entry) => !isRejected(entry)).map(({ name }) => name));
  return {
    // A name with allowed and rejected forms is allowed.
    rejectsScalar: (name) => isAboutTheServer(name) || (rejectedNames.has(name) && !allowedNames.has(name)),
    allowsTable: (name) => TABLE_FUNCTIONS.has(name),
  };
}

function isRejected({ name, type, stability }: CatalogFunction): boolean {
  if (type !== "scalar" && type !== "aggregate" && type !== "macro") return true;
  return isAboutTheServer(name) || (stability === "VOLATILE" && !VOLATILE.has(name));
}

function isAboutTheServer(name: string): boolean {
  return ABOUT_THE_SERVER.some((pattern) => pattern.test(name));
}
