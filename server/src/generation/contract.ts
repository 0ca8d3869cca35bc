import type { GenerateAppResourceRequest } from "@frontdesk/protos/ces/agent_service";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import type { EvaluationResult, EvaluationRun } from "@frontdesk/protos/ces/evaluation";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import type { JsonObject } from "#base";
import type { TestedCase } from "#evaluation";
import type { Finding } from "#lint";
import type { Models } from "#models";
import type { AppTree } from "#resources";

/** The models that write, play agents and judge. */
export type GenerationModels = Pick<Models, "resolve">;

/** Generates resources of apps. Nothing that is generated is stored: the caller gets it, and decides (GEN-3). */
export interface Generation {
  /**
   * Starts a generation (GenerateAppResource). Before it starts: INVALID_ARGUMENT for a request that cannot be meant, NOT_FOUND for an unknown app,
   * version, agent or run, FAILED_PRECONDITION where it takes a language model and none is configured.
   * `models` default to the server's.
   */
  start(request: GenerateAppResourceRequest, models?: GenerationModels): Promise<Operation>;
  /** Refuses what `start` refuses, and starts nothing. */
  check(request: GenerateAppResourceRequest): Promise<void>;
  /**
   * Answers a person who talks about an app, and proposes changes of it, tried like every draft. NOT_FOUND for an unknown app, FAILED_PRECONDITION
   * without a language model.
   */
  readonly revise: Revise;
  close(): Promise<void>;
}

export type Revise = ((request: RevisionRequest, options: RevisionOptions) => Promise<Revision>) & {
  /** Refuses what every call would refuse: FAILED_PRECONDITION without a language model. */
  check(models?: GenerationModels): void;
  close(): Promise<void>;
};

/** What is said of an app. */
export interface RevisionRequest {
  /** Resource name of the app. */
  readonly app: string;
  /** Name of the conversation: what its turns are tried on is kept for a while (GEN-14). */
  readonly name: string;
  /** The conversation, the oldest first. */
  readonly conversation: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  /** Files that a person attached, as text. */
  readonly documents: readonly { readonly fileName: string; readonly text: string }[];
}

interface RevisionOptions {
  /** Default: the server's. */
  readonly models?: GenerationModels;
  readonly signal: AbortSignal;
  /** Gets what is being done, in a few words. */
  readonly progress: (message: string) => Promise<void>;
}

/** What a model answers a person. */
export interface Revision {
  readonly reply: string;
  /** What the person wants to make, in a few words; "" when it is not known. */
  readonly intent: string;
  /** What the person could say next. */
  readonly suggestions: readonly string[];
  readonly questions: readonly RevisionQuestion[];
  /** Undefined when nothing is to be changed. */
  readonly proposal: Proposal | undefined;
}

interface RevisionQuestion {
  readonly question: string;
  readonly options: readonly { readonly title: string; readonly details: string; readonly text: string }[];
}

/** A change of an app that nobody has agreed to. */
export interface Proposal {
  readonly base: AppTree;
  readonly tree: AppTree;
  /** What it adds, changes and removes, a phrase each. */
  readonly differences: readonly string[];
  /** The same as a unified diff of texts. */
  readonly patch: string;
  /** What stays wrong, or could not be tried, one sentence each. */
  readonly notes: readonly string[];
}

/** What a draft is, after it was tried. */
export interface Examination {
  /** Why the draft cannot be stored, one sentence each: then nothing else is known. */
  readonly violations: readonly string[];
  /** What the linter and the validation say. */
  readonly findings: readonly Finding[];
  /** What the goldens of the draft say. */
  readonly cases: readonly TestedCase[];
  /** Origins that its code and tools asked for, which the trial server refuses. */
  readonly refusedOrigins: readonly string[];
}

/** What is said to the assistant. */
export interface AssistRequest {
  readonly draft: AppTree;
  /** The draft as the assistant reads it first. */
  readonly overview: string;
  /** What was said before, the oldest first. */
  readonly conversation: RevisionRequest["conversation"];
  readonly message: string;
  /** Gets what is being done, in a few words. */
  readonly progress: (message: string) => Promise<void>;
}

/** What the assistant said and did. */
export interface Assisted {
  readonly text: string;
  /** Its calls of tools that a client answers: what a person is shown. */
  readonly calls: readonly { readonly name: string; readonly args: JsonObject }[];
  /** The draft as its methods left it. What they did not change is the same object. */
  readonly tree: AppTree;
}

/** Where drafts are tried: stored, linted and run beside the server. It keeps nothing, knows no secrets and reaches no other server but models. */
export interface TrialServer {
  /**
   * Has the app of the assistant talk with a person about a draft, and call methods of the API for a copy of it. Rejects with the errors of its model,
   * and when the signal aborts.
   */
  assist(request: AssistRequest, signal: AbortSignal): Promise<Assisted>;
  /** Tries a draft. `goldens`: which of its evaluations run. Rejects only when the signal aborts, or for a fault of this server. */
  examine(draft: AppTree, goldens: readonly string[], signal: AbortSignal): Promise<Examination>;
  /** Removes the last draft, with all that was made below it. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a trial server whose agents and judges are these models. */
export type OpenTrialServer = (models: GenerationModels) => Promise<TrialServer>;

/** The apps that generations read. */
export interface GenerationResources {
  /** The draft of an app. NOT_FOUND when there is none. */
  app(name: string): Promise<AppTree>;
  /** The app as a version has it, with the evaluations of the draft. NOT_FOUND for an unknown version. */
  version(app: string, version: string): Promise<AppTree>;
  /** NOT_FOUND for an unknown run. */
  run(name: string): Promise<EvaluationRun>;
  /** The results of these names that exist. */
  results(names: readonly string[]): Promise<readonly EvaluationResult[]>;
  /** A stored conversation; undefined when it is gone. */
  conversation(name: string): Promise<Conversation | undefined>;
}
