import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { App, EvaluationPersona } from "@frontdesk/protos/ces/app";
import type { Changelog } from "@frontdesk/protos/ces/changelog";
import type { Conversation, Conversation_Turn } from "@frontdesk/protos/ces/conversation";
import type {
  AggregatedMetrics,
  Evaluation,
  EvaluationDataset,
  EvaluationErrorInfo_ErrorType,
  EvaluationExpectation,
  EvaluationResult,
  EvaluationRun,
  RunEvaluationRequest,
  ScheduledEvaluationRun,
} from "@frontdesk/protos/ces/evaluation";
import type {
  ExportEvaluationResultsRequest,
  ExportEvaluationRunsRequest,
  ExportEvaluationsRequest,
  GenerateEvaluationRequest,
  ImportEvaluationsRequest,
  RunEvaluationResultMetricsRequest,
  TestPersonaVoiceRequest,
  TestPersonaVoiceResponseSchema,
  UploadEvaluationAudioRequest,
  UploadEvaluationAudioResponseSchema,
} from "@frontdesk/protos/ces/evaluation_service";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import type { Logger } from "#base";
import type { Models } from "#models";
import type { ResumableKind } from "#operations";
import type { SessionEngine, SnapshotRef } from "#session";
import type { SpokenTurns } from "./audio/spoken-turns.ts";
import type { Judge } from "./judge/judge.ts";
import type { AnswerCache } from "./replay/answer-cache.ts";

/** The evaluation runs of a server. */
export interface Evaluations {
  /**
   * Starts a run (RunEvaluation): its results exist, queued, when this resolves. INVALID_ARGUMENT for options that contradict each other,
   * NOT_FOUND for unknown evaluations, FAILED_PRECONDITION when there is nothing to run. `author`, here and below: who calls, "" when unknown.
   */
  run(request: RunEvaluationRequest, author: string): Promise<Operation>;
  /** Turns a stored conversation into an evaluation (GenerateEvaluation). */
  generate(request: GenerateEvaluationRequest, author: string): Promise<Operation>;
  /** Scores a kept result again, without running the app (RunEvaluationResultMetrics). */
  scoreAgain(request: RunEvaluationResultMetricsRequest): Promise<Operation>;
  readonly transfer: EvaluationTransfer;
  readonly audio: EvaluationAudio;
  readonly schedules: Schedules;
  /** What `Operations.recover` needs to go on with runs of a server that stopped. */
  readonly resumable: readonly ResumableKind[];
  /** Stops what this server does for runs of other servers. */
  close(): Promise<void>;
}

/** Export and import, each as a long-running operation. Both refuse with INVALID_ARGUMENT what cannot be meant before they start. */
export interface EvaluationTransfer {
  importEvaluations(request: ImportEvaluationsRequest, author: string): Promise<Operation>;
  exportEvaluations(request: ExportEvaluationsRequest): Promise<Operation>;
  exportEvaluationResults(request: ExportEvaluationResultsRequest): Promise<Operation>;
  exportEvaluationRuns(request: ExportEvaluationRunsRequest): Promise<Operation>;
}

/** What evaluations do with sound. Both fail with FAILED_PRECONDITION when the server has no provider. */
export interface EvaluationAudio {
  /** The transcript and duration of a golden's sound (UploadEvaluationAudio). */
  upload(
    request: UploadEvaluationAudioRequest,
    signal: AbortSignal,
  ): Promise<MessageInitShape<typeof UploadEvaluationAudioResponseSchema>>;
  /** A text in the voice of a persona, as a WAV file (TestPersonaVoice). */
  testVoice(
    request: TestPersonaVoiceRequest,
    signal: AbortSignal,
  ): Promise<MessageInitShape<typeof TestPersonaVoiceResponseSchema>>;
}

/** The scheduled evaluation runs of a server. */
export interface Schedules {
  /** INVALID_ARGUMENT for the request of a schedule of an app, in `field`, that no run could be made of. Only what is given is looked at. */
  check(request: RunEvaluationRequest, app: string, field: string): Promise<void>;
  /** Starts the runs that are due (EVAL-43). A schedule that fails is logged, and the others go on. */
  pass(signal: AbortSignal): Promise<void>;
  /** Sets the next time of a schedule, after it was written. */
  refresh(name: string): Promise<void>;
}

/** A schedule with the time zone of its app. */
export interface ScheduleOfApp {
  readonly schedule: ScheduledEvaluationRun;
  /** IANA name; "" = UTC. */
  readonly timeZone: string;
}

/** What an app has for evaluations, as it is now. */
export interface EvaluatedApp {
  readonly app: App;
  readonly evaluations: readonly Evaluation[];
  readonly evaluationDatasets: readonly EvaluationDataset[];
  readonly evaluationExpectations: readonly EvaluationExpectation[];
}

/** The resources that evaluations read and write. */
export interface EvaluationResources {
  /** NOT_FOUND for an unknown app. */
  read(app: string): Promise<EvaluatedApp>;
  /** What a run runs: a version, or "" for the draft. NOT_FOUND for an unknown version. */
  snapshot(app: string, appVersion: string): Promise<EvaluatedSnapshot>;
  /** The newest entry of the change log of an app; undefined without one. */
  lastChange(app: string): Promise<Pick<Changelog, "name" | "createTime"> | undefined>;
  /** Whether an app's draft was changed after a time; a change of its evaluations, versions and deployments is none. */
  draftChangedSince(app: string, time: Timestamp): Promise<boolean>;
  /** The version that a deployment of an app serves, "" for the draft. NOT_FOUND for an unknown one, INVALID_ARGUMENT for one of another app. */
  deployedVersion(app: string, deployment: string): Promise<string>;
  /** A stored conversation with its turns. NOT_FOUND for an unknown one. */
  conversation(name: string): Promise<Conversation>;
  /** The turns of those of some stored conversations that exist, by the conversation's name. */
  turnsOf(conversations: readonly string[]): Promise<ReadonlyMap<string, readonly Conversation_Turn[]>>;
  /** Creates an evaluation of an app, as CreateEvaluation does. `id`: "" or none = a new one. `author`: who does, "" when unknown. */
  create(app: string, evaluation: Evaluation, author: string, id?: string): Promise<Evaluation>;
  /** Creates evaluations of an app in one transaction: all of them, in their order, or none. `id`: as of `create`. */
  createAll(
    app: string,
    evaluations: readonly { readonly evaluation: Evaluation; readonly id: string }[],
    author: string,
  ): Promise<readonly Evaluation[]>;
  /** Replaces an evaluation, as UpdateEvaluation does with the mask `*`: fields without a value are cleared. */
  update(evaluation: Evaluation, author: string): Promise<Evaluation>;
  /** NOT_FOUND for an unknown run. */
  run(name: string): Promise<EvaluationRun>;
  /** Those that exist, in the order of the names. */
  results(names: readonly string[]): Promise<readonly EvaluationResult[]>;
  /** The names of all results of an evaluation; of an app for `…/evaluations/-`. */
  resultNames(evaluation: string): Promise<readonly string[]>;
  /** All results of an evaluation, the newest first, read as they are taken. */
  resultsOf(evaluation: string): AsyncIterable<EvaluationResult>;
  /** The runs that exist, in the order of the names. */
  runs(names: readonly string[]): Promise<readonly EvaluationRun[]>;
  /** Stores runs and results, new or replaced, in one transaction. */
  put(...records: readonly (EvaluationRun | EvaluationResult)[]): Promise<void>;
  /** Stores those of the runs and results that exist, in one transaction: what was deleted meanwhile stays deleted. */
  replace(...records: readonly (EvaluationRun | EvaluationResult)[]): Promise<void>;
  /** Whether there is a run or result of a name. */
  exists(name: string): Promise<boolean>;
  /** The schedules of all apps, or one by its name. */
  schedules(name?: string): Promise<readonly ScheduleOfApp[]>;
  /** Sets output-only fields of an evaluation, dataset or schedule. NOT_FOUND when there is none. */
  annotate(
    name: string,
    findings:
      | { readonly aggregatedMetrics: AggregatedMetrics }
      | Partial<Pick<ScheduledEvaluationRun, "lastCompletedRun" | "totalExecutions" | "nextScheduledExecutionTime">>,
  ): Promise<void>;
}

/** A snapshot with the name that results show for it. */
export interface EvaluatedSnapshot {
  readonly ref: SnapshotRef;
  /** Display name of the version; "" for the draft. */
  readonly displayName: string;
}

/** How the turns of a case are run. */
interface CaseSettings {
  /** Whether each turn of a golden is a session of its own, with the expected past. */
  readonly stable: boolean;
  /** Whether the app's tool fakes answer (EvaluationToolCallBehaviour). */
  readonly useToolFakes: boolean;
  /** Whether user and agents speak (EvaluationChannel). */
  readonly spoken: boolean;
}

/** One evaluation against one snapshot of an app. */
export interface EvaluationCase {
  readonly evaluation: Evaluation;
  /** The app whose thresholds apply: that of the snapshot. */
  readonly app: App;
  readonly snapshot: SnapshotRef;
  readonly settings: CaseSettings;
  /** Who a scenario's simulated user is. Undefined: nobody in particular. */
  readonly persona: EvaluationPersona | undefined;
  /** Part of the session ids of the case: unique in its app, 1 to 50 letters, digits and `-`. */
  readonly id: string;
  /** The expectations of the app by resource name. */
  readonly expectations: ReadonlyMap<string, EvaluationExpectation>;
  /** Answers of models and other servers, to keep or to give again. */
  readonly answers: AnswerCache;
  readonly signal: AbortSignal;
}

/** What runs a case needs. */
export interface CaseDeps {
  readonly sessions: Pick<SessionEngine, "runTurn">;
  readonly models: Pick<Models, "resolve">;
  readonly judge: Judge;
  readonly spokenTurns: SpokenTurns;
  /** Where faults of the server go that a result can only call internal. */
  readonly logger: Logger;
}

/** Why something could not be measured. */
export interface NotMeasured {
  readonly type: EvaluationErrorInfo_ErrorType;
  /** For the developer of the app: what failed, and what to do. */
  readonly message: string;
  /** Resource name of the session in which it happened; "" for none. */
  readonly session: string;
}
