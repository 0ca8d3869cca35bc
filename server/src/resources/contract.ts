import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { Agent } from "@frontdesk/protos/ces/agent";
import type {
  ExportAppRequest,
  ExportAppResponse,
  ImportAppRequest,
  ImportAppResponse,
} from "@frontdesk/protos/ces/agent_service";
import type { App } from "@frontdesk/protos/ces/app";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { AssistantSession } from "@frontdesk/protos/ces/assistant_session";
import type {
  Evaluation,
  EvaluationDataset,
  EvaluationExpectation,
  EvaluationResult,
  EvaluationRun,
  ScheduledEvaluationRun,
} from "@frontdesk/protos/ces/evaluation";
import type { Example } from "@frontdesk/protos/ces/example";
import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import type { SecuritySettings } from "@frontdesk/protos/ces/security_settings";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";

/** What a call of a standard method brings besides its request. */
export interface StandardCall {
  /** Does everything but the write, and returns the response that the method would have. Default false. */
  readonly validateOnly?: boolean;
  /** Who calls, for the change log and for fields such as `created_by`: an e-mail address or another name. Default "": unknown. */
  readonly author?: string;
  /** Which resources a list shows, by name. Default all. */
  readonly shown?: (name: string) => boolean | Promise<boolean>;
}

/**
 * Create, Get, List, Update, Delete of any resource, driven by the method's descriptor and the resource's annotations.
 * Long-running methods (CreateApp, DeleteApp) return the resource or Empty here; the service wraps them in an operation.
 */
export interface StandardMethods {
  /** Whether the method is a standard method of a resource that is defined here. */
  handles(method: DescMethod): boolean;
  invoke(method: DescMethod, request: Message, call?: StandardCall): Promise<Message>;
  /** Several calls of a create method with the same parent, in one transaction: each costs as much as the app is large. All resources are made, or none. */
  createAll(
    method: DescMethod,
    requests: readonly [Message, ...Message[]],
    call?: Pick<StandardCall, "author">,
  ): Promise<readonly Message[]>;
}

/** The snapshots that sessions run: the draft, or the version of a deployment. */
export interface AppSnapshots {
  /**
   * The snapshot of an app as it is now. Cached until the app changes: equal `generation` = same object.
   * Throws NOT_FOUND for an unknown app.
   */
  draft(app: string): Promise<{ readonly snapshot: AppSnapshot; readonly generation: string }>;
  /** The snapshot of a version. NOT_FOUND for an unknown one. */
  version(name: string): Promise<{ readonly snapshot: AppSnapshot; readonly generation: string }>;
}

/**
 * All resources of an app that a package can have, with full resource names (`name` and every reference).
 * Read-only by contract: the messages may be shared with caches, so clone before changing one.
 */
export interface AppTree {
  readonly app: App;
  readonly agents: readonly Agent[];
  readonly tools: readonly Tool[];
  readonly toolsets: readonly Toolset[];
  readonly guardrails: readonly Guardrail[];
  readonly examples: readonly Example[];
  readonly evaluations: readonly Evaluation[];
  readonly evaluationDatasets: readonly EvaluationDataset[];
  readonly evaluationExpectations: readonly EvaluationExpectation[];
}

/** The lists of an `AppTree`. */
export type AppTreePart = Exclude<keyof AppTree, "app">;

/** How a tree is written over what an app has. */
export interface WriteTreeOptions {
  /** Whether an existing app's own message is replaced by `tree.app`. Default true. A missing app is always created. */
  readonly replaceApp?: boolean;
  /** Parts whose stored resources are deleted when the tree does not have them (by name). Default none. */
  readonly deleteOthers?: readonly AppTreePart[];
  /** Writes although `App.locked` is set. Default false: FAILED_PRECONDITION. */
  readonly ignoreLock?: boolean;
  /** Does everything but the write. Default false. */
  readonly validateOnly?: boolean;
  /** As of `StandardCall`. */
  readonly author?: string;
  /** Called before the tree is written, with whether the app exists, while nobody else writes it: rejects where it must stay as it is. */
  readonly mayWrite?: ((exists: boolean) => Promise<void>) | undefined;
}

/** Reads and writes whole apps, for import, export and restoring a version. */
export interface ResourceTree {
  /** The draft of an app. NOT_FOUND when there is none. */
  readTree(app: string): Promise<AppTree>;
  /**
   * Creates or replaces resources of one app in one transaction: output-only fields are derived, references are checked against tree
   * and store together (INVALID_ARGUMENT with all violations), create times of existing resources are kept, etags and change log are
   * written. Etags in the tree are ignored. Ids can have any form. `warnings` are the `validation_errors` that the app and its agents have afterwards.
   */
  writeTree(tree: AppTree, options?: WriteTreeOptions): Promise<{ readonly warnings: readonly string[] }>;
}

/** Output-only fields of evaluation resources that are set by evaluation runs. */
export type RunFindings =
  | Partial<Pick<ScheduledEvaluationRun, "lastCompletedRun" | "totalExecutions" | "nextScheduledExecutionTime">>
  | Partial<Pick<Evaluation | EvaluationDataset, "aggregatedMetrics">>;

/** Writes the records of evaluation runs. They are read and deleted with the standard methods. */
export interface EvaluationRecords {
  /** The run of a name. NOT_FOUND when there is none. */
  run(name: string): Promise<EvaluationRun>;
  /** The results of these names that exist, in their order. */
  results(names: readonly string[]): Promise<readonly EvaluationResult[]>;
  /** The names of all results of an evaluation; of an app for `…/evaluations/-`. */
  resultNames(evaluation: string): Promise<readonly string[]>;
  /** All results of an evaluation, the newest first, read as they are taken. */
  resultsOf(evaluation: string): AsyncIterable<EvaluationResult>;
  /** The runs of these names that exist, in their order. */
  runs(names: readonly string[]): Promise<readonly EvaluationRun[]>;
  /** The schedules of all apps, or one by its name, each with the time zone of its app ("" = UTC). */
  schedules(
    name?: string,
  ): Promise<readonly { readonly schedule: ScheduledEvaluationRun; readonly timeZone: string }[]>;
  /** Stores runs and results under their names, new or replaced, in one transaction; no change log. Create times are set when empty. */
  put(...records: readonly (EvaluationRun | EvaluationResult)[]): Promise<void>;
  /** Stores those of the runs and results that exist, in one transaction: what was deleted meanwhile stays deleted. */
  replace(...records: readonly (EvaluationRun | EvaluationResult)[]): Promise<void>;
  /** Whether there is a run or result of a name. */
  exists(name: string): Promise<boolean>;
  /**
   * Sets output-only fields of a schedule, evaluation or dataset. Etag, update time and change log stay as they are, and a locked app
   * can be written. NOT_FOUND for an unknown resource.
   */
  annotate(name: string, findings: RunFindings): Promise<void>;
}

/** Stores the sessions of the assistant that helps to build apps. They are listed and deleted with the standard methods. */
export interface AssistantRecords {
  /** The session of a name; undefined when there is none. */
  find(name: string): Promise<AssistantSession | undefined>;
  /** NOT_FOUND when there is none. */
  get(name: string): Promise<AssistantSession>;
  /** The sessions of an app that were used last. */
  latest(app: string, limit: number): Promise<readonly AssistantSession[]>;
  /** Stores a session, new or replaced; its update time is set. */
  put(session: AssistantSession): Promise<void>;
}

/** Import and export of app packages (PKG-25, PKG-23). */
export interface AppPackages {
  /** Imports a zip; an import that fails writes nothing. `author` as of `StandardCall`, `mayWrite` as of `WriteTreeOptions`. */
  importApp(
    request: ImportAppRequest,
    author?: string,
    mayWrite?: WriteTreeOptions["mayWrite"],
  ): Promise<ImportAppResponse>;
  exportApp(request: ExportAppRequest): Promise<ExportAppResponse>;
}

/** One function of a Python file: the part of the sandbox's description that validation uses. */
export interface InspectedFunction {
  readonly name: string;
  /** Position of the definition, from 1. */
  readonly line: number;
  readonly column: number;
  /** With the indentation removed; "" when there is none. */
  readonly docstring: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly kind: "positional" | "keyword-only" | "var-positional" | "var-keyword";
    /** Position of the parameter, from 1. */
    readonly line: number;
    readonly column: number;
    /** As written, "" when absent. */
    readonly annotation: string;
    /** Whether the annotation has an undefined name. */
    readonly unresolved: boolean;
    readonly hasDefault: boolean;
    readonly default?: unknown;
  }[];
  /** The return annotation as written, "" when absent. */
  readonly returns: string;
}

/** The result of loading a Python file. `functions` are in the order of the file. */
export type InspectedModule =
  | { readonly kind: "module"; readonly functions: readonly InspectedFunction[] }
  | {
      readonly kind: "broken";
      readonly type: string;
      readonly message: string;
      readonly line: number;
      readonly column: number;
    };

/** Loads a Python file without calling its functions: the sandbox's `inspect`. Rejects only when the sandbox is unavailable. */
export type InspectPython = (code: string) => Promise<InspectedModule>;

/** The validation of tools and toolsets by kind, which `#tools` implements. Only `refreshSnapshots` sends requests. */
export interface ToolChecks {
  /** Misconfigurations, one sentence each without a full stop. */
  problems(subject: Tool | Toolset): Promise<readonly string[]>;
  /** The ids of a toolset's tools, where they are known without a request. */
  knownToolIds(toolset: Toolset): Promise<readonly string[] | undefined>;
  /** The name that is derived from a tool's content, e.g. the only operation of its schema; undefined where its message has it. */
  nameOf(tool: Tool): Promise<string | undefined>;
  /** A toolset before it is written, with its server's description in the output-only fields. Never rejects. */
  refreshSnapshots(toolset: Toolset): Promise<Toolset>;
}

/** Everything an app is made of: its resources one by one, as a snapshot, as a package and as a tree. */
export interface Resources {
  readonly standard: StandardMethods;
  readonly snapshots: AppSnapshots;
  readonly packages: AppPackages;
  readonly tree: ResourceTree;
  readonly evaluationRecords: EvaluationRecords;
  readonly assistantRecords: AssistantRecords;
  /** The security settings of the location that an app (resource name) lies in; undefined where they were never set. */
  securitySettings(app: string): Promise<SecuritySettings | undefined>;
  /**
   * Creates a version of the draft, then overwrites the draft with the named version, in one transaction (RestoreAppVersion).
   * NOT_FOUND for an unknown version, FAILED_PRECONDITION for a locked app. `author` as of `StandardCall`.
   */
  restoreVersion(name: string, author?: string): Promise<void>;
}
