import type { Column, QueryLimits, QueryPlan, ResultSet, SqlDialect, TablePath, TableSchema } from "../contract.ts";

/** A table of the context: the name that clients use, and its names in the database, outermost first. */
export interface ScopedTable {
  readonly path: TablePath;
  readonly origin: readonly string[];
}

/** A table or view that the login may read. */
export interface FoundTable {
  /** The catalog that the schema is in, where names have one. */
  readonly catalog?: string;
  readonly schema: string;
  readonly table: string;
}

/** How texts, names and comments of a dialect are written. */
export interface Lexis {
  /** Quotes around texts. */
  readonly texts: string;
  /** Whether a backslash in a text escapes. */
  readonly backslashes: boolean;
  /** Whether `\x41` and the like stand for characters; a question writes these themselves. Default false. */
  readonly codeEscapes?: boolean;
  /** Letters that may stand before a text and do not change it, in capitals. Default none. */
  readonly textPrefixes?: string;
  /** Whether three quotes begin a text, which no question has. Default false. */
  readonly tripleQuotes?: boolean;
  /** Opening quotes of names; `[` ends with `]`. */
  readonly names: string;
  /** Whether `#` begins a comment. */
  readonly hashComments: boolean;
  /** Whether `--` begins a comment only before white space. */
  readonly spacedDashes: boolean;
  /** Operators beside those of all dialects. */
  readonly operators: readonly string[];
}

/** What the statement check knows of a dialect: all data. */
export interface RemoteDialect {
  readonly name: SqlDialect;
  /** Name of the engine, for errors. */
  readonly title: string;
  readonly lexis: Lexis;
  /** Words of the grammar and of types that may stand in a question, in capitals. Other words are names. */
  readonly keywords: ReadonlySet<string>;
  /** Functions that only compute, in capitals. */
  readonly functions: ReadonlySet<string>;
  /** Functions that may stand in place of a table, in capitals; they compute from the rows beside them. */
  readonly tableFunctions: ReadonlySet<string>;
  /** Types of parameters, by their GoogleSQL types; others are texts. */
  readonly parameterTypes: Readonly<Record<string, string>>;
  quoteName(name: string): string;
  /** A text literal. */
  quoteText(text: string): string;
  /** Whether `x IN (name)` reads a table of that name. Default false. */
  readonly inReadsTables?: boolean;
  /** Whether a name with dots may go into the fields of a column: all of its parts are written, not the last two. Default false. */
  readonly nestedFields?: boolean;
  /** How the dialect reads a name that is written without quotes. Default: as it is. */
  readonly fold?: (name: string) => string;
  /** How words and functions of other dialects are called here, by their names in capitals. */
  readonly spellings?: Readonly<Record<string, string>>;
  /** Types of literals such as `DATE '2026-01-31'`, which become casts, by their words in capitals. Default: such literals stay. */
  readonly literalTypes?: Readonly<Record<string, string>>;
  /** Whether LIMIT is written as TOP, or as OFFSET with FETCH. Default false. */
  readonly limitsByTop?: boolean;
}

/** A database behind a wire of its own. Statements are those that the check has written; limits hold in the engine. */
export interface RemoteEngine {
  readonly dialect: RemoteDialect;
  /** Schema of a dataset that no schema is named after; undefined where nobody said. */
  readonly defaultSchema: string | undefined;
  tables(signal: AbortSignal): Promise<readonly FoundTable[]>;
  describe(scope: readonly ScopedTable[], signal: AbortSignal): Promise<readonly TableSchema[]>;
  /** The columns of a statement, which is not run. */
  columns(sql: string, signal: AbortSignal): Promise<DryRun>;
  explain(sql: string, limits: QueryLimits, signal: AbortSignal): Promise<QueryPlan>;
  /** Rejects with `QueryError`. An aborted signal ends the statement in the engine. */
  run(sql: string, limits: QueryLimits, signal: AbortSignal): Promise<ResultSet>;
  close(): Promise<void>;
}

/** What an engine tells of a statement without running it. */
interface DryRun {
  readonly columns: readonly Column[];
  readonly scannedBytes?: number;
}
