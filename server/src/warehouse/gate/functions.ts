/**
 * Which functions a question may call. Everything else that the engine knows is refused by name: what looks at the machine,
 * at other catalogues, at settings or at the server's own state, what writes, and what only waits.
 */
export interface AllowedFunctions {
  /** Whether `name` is a function of the engine that may be called in an expression. Unknown names are left to the binder. */
  refusesScalar(name: string): boolean;
  /** Whether `name` may stand in FROM. */
  allowsTable(name: string): boolean;
}

/** A function as the engine's catalogue lists it. */
export interface CatalogFunction {
  readonly name: string;
  /** scalar, aggregate, macro, table, table_macro, pragma. */
  readonly type: string;
  /** CONSISTENT, CONSISTENT_WITHIN_QUERY or VOLATILE. */
  readonly stability: string;
}

/** Functions in FROM that make rows out of their arguments alone. */
const TABLE_FUNCTIONS = new Set([
  "unnest",
  "range",
  "generate_series",
  "json_each",
  "json_tree",
  "repeat",
  "repeat_row",
]);

/** Different at each call, and harmless. */
const VOLATILE = new Set(["random", "uuid", "gen_random_uuid", "uuidv4", "uuidv7"]);

/** Scalars and macros that tell of the server instead of the data. */
const ABOUT_THE_SERVER = [
  /^current_(?!date$|time$|timestamp$|localtime$|localtimestamp$)/,
  /^(pg_(?!typeof$|size_pretty$)|has_|inet_|duckdb_|icu_sort_key$)/,
  /^(user|session_user|version|getvariable|in_search_path|nextval|currval|stats|error|txid_current|get_block_size)$/,
  /^(col_description|obj_description|shobj_description|parse_duckdb_log_message|json_(de)?serialize_(sql|plan)|vector_type)$/,
  /^(read_|write_|glob|getenv|which_secret|query$|query_table$|sql_|enable_|disable_|sleep)/,
];

/** Builds the list from the engine's own catalogue, so that a new release does not open a door by itself. */
export function allowedFunctions(catalog: readonly CatalogFunction[]): AllowedFunctions {
  const refused = new Set(catalog.filter(isRefused).map(({ name }) => name));
  const allowed = new Set(catalog.filter((entry) => !isRefused(entry)).map(({ name }) => name));
  return {
    // A name that exists in both forms is judged by the form that may be called.
    refusesScalar: (name) => isAboutTheServer(name) || (refused.has(name) && !allowed.has(name)),
    allowsTable: (name) => TABLE_FUNCTIONS.has(name),
  };
}

function isRefused({ name, type, stability }: CatalogFunction): boolean {
  if (type !== "scalar" && type !== "aggregate" && type !== "macro") return true;
  return isAboutTheServer(name) || (stability === "VOLATILE" && !VOLATILE.has(name));
}

function isAboutTheServer(name: string): boolean {
  return ABOUT_THE_SERVER.some((pattern) => pattern.test(name));
}
