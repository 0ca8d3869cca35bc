import type {
  ListedTables,
  QueryCheck,
  QueryError,
  QueryLimits,
  QueryParameter,
  QueryPlan,
  ResultSet,
  TablePath,
  TableSchema,
  TableView,
} from "../../contract.ts";
import type { SourceMapping } from "../../mapping/warehouse-config.ts";

/** What the engine process may know of the configuration: no credentials of other engines. */
export interface EngineConfig {
  readonly sources: readonly SourceMapping[];
  readonly memory: string;
  readonly spillDir: string;
  readonly uploadDir?: string;
}

/** A statement and its limits; the signal stays in the server, which sends a cancellation. */
export interface EngineQuery {
  readonly sql: string;
  readonly authored: boolean;
  readonly parameters: readonly QueryParameter[];
  readonly views: readonly TableView[];
  readonly limits: QueryLimits;
}

/** What the server calls in the engine process. `paths`: the tables of the context, by the names that clients use. */
export interface EngineApi {
  tables(project: string | undefined, dataset: string | undefined): Promise<ListedTables>;
  /** Looks the tables up and imports what is new of them; `missing`: those that are not mapped. */
  open(paths: readonly TablePath[]): Promise<{ readonly missing: readonly TablePath[] }>;
  describe(paths: readonly TablePath[], signal: AbortSignal): Promise<readonly TableSchema[]>;
  distinctValues(
    paths: readonly TablePath[],
    column: { readonly table: TablePath; readonly name: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined>;
  check(
    paths: readonly TablePath[],
    statement: Pick<EngineQuery, "sql" | "parameters" | "views">,
    signal: AbortSignal,
  ): Promise<QueryCheck>;
  explain(paths: readonly TablePath[], query: EngineQuery, signal: AbortSignal): Promise<QueryPlan>;
  query(paths: readonly TablePath[], query: EngineQuery, signal: AbortSignal): Promise<ResultSet>;
  /** Drops all that was read of the tables of an upload. */
  forget(dataset: string): Promise<void>;
}

export type EngineMethod = keyof EngineApi;
export type EngineResult<Method extends EngineMethod> = Awaited<ReturnType<EngineApi[Method]>>;

/** The arguments of a method without the signal. */
export type EngineArguments<Method extends EngineMethod> =
  Parameters<EngineApi[Method]> extends [...infer Rest, AbortSignal] ? Rest : Parameters<EngineApi[Method]>;

/** Messages from the server. The first one configures the engine. */
export type ToEngine =
  | { readonly kind: "configure"; readonly config: EngineConfig }
  | { readonly kind: "call"; readonly id: number; readonly method: EngineMethod; readonly args: readonly unknown[] }
  | { readonly kind: "cancel"; readonly id: number };

/** Messages from the engine process. `ready` has the error when the engine cannot be opened; the process then ends. */
export type FromEngine =
  | { readonly kind: "ready"; readonly error?: EngineError }
  | { readonly kind: "result"; readonly id: number; readonly value: unknown }
  | {
      readonly kind: "error";
      readonly id: number;
      readonly error: EngineError;
      /** Whether the process has reached the memory limit of the operating system: later statements may fail because of it. */
      readonly exhausted: boolean;
    };

/** An error as it crosses the process boundary. */
export type EngineError =
  | { readonly kind: "query"; readonly queryKind: QueryError["kind"]; readonly message: string }
  /** FAILED_PRECONDITION with its reason. */
  | {
      readonly kind: "precondition";
      readonly message: string;
      readonly reason: string;
      readonly metadata: Readonly<Record<string, string>>;
    }
  | { readonly kind: "fault"; readonly message: string; readonly stack: string };
