import type {
  GenerateAppResourceRequest,
  GenerateAppResourceResponse,
  GenerateAppResourceOperationMetadata_GenerationType as GenerationType,
} from "@frontdesk/protos/ces/agent_service";
import type { Ids } from "#base";
import type { AppTree } from "#resources";
import type { DocumentReader } from "#search";
import type { Author } from "../author/author.ts";
import type { GenerationResources, TrialServer } from "../contract.ts";
import type { GenerationLimits } from "../limits.ts";
import type { ExplanationParts } from "../report/explanation.ts";

/** What a generation works with. */
export interface Work {
  /** Present for jobs that need a model, and for others where one is configured. */
  readonly author: Author | undefined;
  /** The trial server of this generation, opened with its first use. */
  readonly trialServer: () => Promise<TrialServer>;
  readonly reader: DocumentReader;
  readonly ids: Ids;
  readonly limits: GenerationLimits;
  readonly signal: AbortSignal;
  /** Shows what is being done in the operation. */
  readonly progress: (message: string) => Promise<void>;
}

/** What a generation made. */
export interface JobResult {
  readonly resource: GenerateAppResourceResponse["generatedResource"];
  readonly explained: ExplanationParts;
}

/** A request that was understood and checked. */
export interface Job {
  readonly type: GenerationType;
  /** Whether it is nothing without a language model. */
  readonly needsModel: boolean;
  readonly run: (work: Work) => Promise<JobResult>;
}

/** What is needed to understand a request. */
export interface JobDeps {
  readonly resources: GenerationResources;
  readonly reader: DocumentReader;
}

/** A request with the app that it is about. */
export interface Subject {
  readonly request: GenerateAppResourceRequest;
  /** The app as it is: its draft, or the version that the request names. */
  readonly base: AppTree;
  /** The agent that the request names, by resource name. */
  readonly agent: AppTree["agents"][number] | undefined;
}

/** Understands a request of one configuration. Throws what is wrong with it. */
export type PlanJob = (subject: Subject, deps: JobDeps) => Promise<Job> | Job;
