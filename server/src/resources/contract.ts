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

/**
 * Create, Get, List, Update, Delete of any resource, driven by the method's descriptor and the resource's annotations.
 * LRO-typed methods (CreateApp, DeleteApp) answer the bare resource or Empty here; the service wraps them in an operation.
 */
export interface StandardMethods {
  /** Whether the method is a standard one this room can serve. */
  handles(method: DescMethod): boolean;
  /** `validateOnly`: does everything but the write, and answers what the method would answer. Default false. */
  invoke(method: DescMethod, request: Message, validateOnly?: boolean): Promise<Message>;
}

/** What a session runs: the draft, or the version that a deployment pins. */
export interface AppSnapshots {
  /**
   * The snapshot of an app as it is now. Cached until the app changes: equal `generation` = same object.
   * Throws NOT_FOUND for an unknown app.
   */
  draft(app: string): Promise<{ readonly snapshot: AppSnapshot; readonly generation: string }>;
  /** The snapshot that a version froze. */
  version(name: string): Promise<{ readonly snapshot: AppSnapshot; readonly generation: string }>;
}

/**
 * Everything of an app that a package can hold, with full resource names everywhere (`name` and every reference).
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

export interface WriteTreeOptions {
  /** Whether an existing app's own message is replaced by `tree.app`. Default true. A missing app is always created. */
  readonly replaceApp?: boolean;
  /** Parts whose stored resources are deleted when the tree does not have them (by name). Default none. */
  readonly deleteOthers?: readonly AppTreePart[];
  /** Writes although `App.locked` is set. Default false: FAILED_PRECONDITION. */
  readonly ignoreLock?: boolean;
  /** Does everything but the write. Default false. */
  readonly validateOnly?: boolean;
}

/** An app as one piece: what import, export and restore work on. */
export interface ResourceTree {
  /** The draft of an app. NOT_FOUND when there is none. */
  readTree(app: string): Promise<AppTree>;
  /**
   * Creates or replaces resources of one app, all or nothing, in one transaction: output-only fields are derived, references
   * between the resources checked against tree and store together (INVALID_ARGUMENT with all violations), create times of
   * existing resources kept, etags and change log written. Etags in the tree are ignored. Ids are taken as they are, whatever
   * their form. `warnings` are the `validation_errors` that the app and its agents have afterwards.
   */
  writeTree(tree: AppTree, options?: WriteTreeOptions): Promise<{ readonly warnings: readonly string[] }>;
}

/** Output-only fields of evaluation resources that are known only to what runs them. */
export type RunFindings =
  | Partial<Pick<ScheduledEvaluationRun, "lastCompletedRun" | "totalExecutions" | "nextScheduledExecutionTime">>
  | Partial<Pick<Evaluation | EvaluationDataset, "aggregatedMetrics">>;

/** What running evaluations leaves behind: written by the server, read and deleted through the standard methods. */
export interface EvaluationRecords {
  /** Stores runs and results under their names, new or replaced, in one transaction; no change log. Create times are set when empty. */
  put(...records: readonly (EvaluationRun | EvaluationResult)[]): Promise<void>;
  /**
   * Sets output-only fields of a schedule, evaluation or dataset. Etag, update time and change log do not notice, nor does a lock
   * prevent it. NOT_FOUND when the resource is gone.
   */
  annotate(name: string, findings: RunFindings): Promise<void>;
}

/** Import and export of app packages (PKG-25, PKG-23). */
export interface AppPackages {
  /** Imports a zip; nothing is written when it is refused. */
  importApp(request: ImportAppRequest): Promise<ImportAppResponse>;
  exportApp(request: ExportAppRequest): Promise<ExportAppResponse>;
}

/** One function of a Python file: the parts of the sandbox's description that this room judges by. */
export interface InspectedFunction {
  readonly name: string;
  /** Where the definition begins, counted from 1. */
  readonly line: number;
  readonly column: number;
  /** With the indentation removed; "" when there is none. */
  readonly docstring: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly kind: "positional" | "keyword-only" | "var-positional" | "var-keyword";
    /** Where the parameter stands, counted from 1. */
    readonly line: number;
    readonly column: number;
    /** As written, "" when absent. */
    readonly annotation: string;
    /** Whether the annotation names what does not exist. */
    readonly unresolved: boolean;
    readonly hasDefault: boolean;
    readonly default?: unknown;
  }[];
  /** The return annotation as written, "" when absent. */
  readonly returns: string;
}

/** What loading a Python file showed. `functions` are in the order of the file. */
export type InspectedModule =
  | { readonly kind: "module"; readonly functions: readonly InspectedFunction[] }
  | {
      readonly kind: "broken";
      readonly type: string;
      readonly message: string;
      readonly line: number;
      readonly column: number;
    };

/** Loads a Python file without calling anything in it: the sandbox's `inspect`. Rejects only when the sandbox is out of order. */
export type InspectPython = (code: string) => Promise<InspectedModule>;

/** What tools and toolsets of other systems say of themselves: the tools room's part of their validation. Only `refreshSnapshots` sends requests. */
export interface ToolChecks {
  /** What is misconfigured, one sentence each without a full stop. */
  problems(subject: Tool | Toolset): Promise<readonly string[]>;
  /** The ids of a toolset's tools, where they are known without asking anyone. */
  knownToolIds(toolset: Toolset): Promise<readonly string[] | undefined>;
  /** The name that a tool has by what it holds, e.g. the only operation of its schema; undefined where its message says it. */
  nameOf(tool: Tool): Promise<string | undefined>;
  /** A toolset that is being written, with what its server says in the output-only fields. Never rejects. */
  refreshSnapshots(toolset: Toolset): Promise<Toolset>;
}

export interface Resources {
  readonly standard: StandardMethods;
  readonly snapshots: AppSnapshots;
  readonly packages: AppPackages;
  readonly tree: ResourceTree;
  readonly evaluationRecords: EvaluationRecords;
  /** The security settings of the location that an app (resource name) lies in; undefined where none were ever set. */
  securitySettings(app: string): Promise<SecuritySettings | undefined>;
  /**
   * Makes a version of the draft, then overwrites the draft with the named version, in one transaction (RestoreAppVersion).
   * NOT_FOUND for an unknown version, FAILED_PRECONDITION for a locked app.
   */
  restoreVersion(name: string): Promise<void>;
}
