import type { JsonObject } from "@bufbuild/protobuf";
import type {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SecurityRequirement,
  SecurityScheme,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from "@frontdesk/protos/a2a/a2a";
import type { Clock, Egress, Ids, Logger, Sealer } from "#base";
import type { Redaction, SessionEngine, SnapshotRef, TurnSender } from "#session";
import type { ConversationStore, TaskStore } from "#storage";

/** An app as an agent that other agents talk to: its draft, a version or a deployment. */
export interface A2aAgent {
  /** Resource name of the app, the version or the deployment. */
  readonly tenant: string;
  /** Resource name of the app. */
  readonly app: string;
  /** What a session runs. A deployment with a traffic split chooses by the session's name. */
  snapshot(session: string): Promise<SnapshotRef>;
}

/** Who calls which agent, and how. */
export interface A2aCall {
  readonly agent: A2aAgent;
  /** Whose tasks the caller sees: its principal; "" without authentication, where all callers are one. */
  readonly owner: string;
  readonly sender: TurnSender;
  /** Names the message: one that comes again with it is answered with the task of the first time (A2A-27). */
  readonly key: string | undefined;
  /** The version of the protocol that the caller speaks: announcements are written in it. */
  readonly version: "1.0" | "0.3";
  /** URIs of the extensions that the caller has activated. */
  readonly extensions: ReadonlySet<string>;
  /** The caller's `traceparent` header. */
  readonly traceparent: string | undefined;
  /** Fires when the caller is gone. A task goes on without its caller. */
  readonly signal: AbortSignal;
}

/**
 * The tasks of all agents. A task is one exchange: a message and what the agent answers to it; it takes further messages only while the
 * agent waits for input. Contexts are sessions. Rejects with status errors, those of the protocol among them (`a2aError`).
 */
export interface A2aTasks {
  /**
   * Answers when the task has ended or waits for input; with `return_immediately`, as soon as it exists. A message instead of the task where
   * the app asks for it (A2A-20).
   */
  send(request: SendMessageRequest, call: A2aCall): Promise<SendAnswer>;
  /** The task, then its changes until it has ended or waits for input. */
  stream(request: SendMessageRequest, call: A2aCall): AsyncGenerator<StreamResponse, void>;
  get(request: GetTaskRequest, call: A2aCall): Promise<Task>;
  list(request: ListTasksRequest, call: A2aCall): Promise<ListTasksResponse>;
  cancel(request: CancelTaskRequest, call: A2aCall): Promise<Task>;
  /** The task as it is, then its changes until it has ended. */
  subscribe(request: SubscribeToTaskRequest, call: A2aCall): AsyncGenerator<StreamResponse, void>;
  readonly pushConfigs: PushConfigs;
  /** Settles the tasks that the last server did not finish, and delivers what it did not announce. Call once, before the first request. */
  recover(): Promise<void>;
  /** Where several servers share the tasks: the same for those of servers that have ended (DB-8). */
  adopt(): Promise<void>;
  /** Removes what no conversation keeps any more. */
  removeStray(): Promise<void>;
  /** Seals the configs of all tasks with the newest key. Answers how many, and the tasks of those whose key is not here. */
  reseal(): Promise<{ readonly resealed: number; readonly unreadable: readonly string[] }>;
  /** Stops announcing, and ends the streams of subscribers. Running turns are the session engine's to drain. */
  close(): Promise<void>;
}

/** What a message is answered with. */
export type SendAnswer = Exclude<SendMessageResponse["payload"], { case: undefined }>;

/** Where changes of tasks are announced. Credentials go in and never come out. */
export interface PushConfigs {
  create(config: TaskPushNotificationConfig, call: A2aCall): Promise<TaskPushNotificationConfig>;
  get(request: GetTaskPushNotificationConfigRequest, call: A2aCall): Promise<TaskPushNotificationConfig>;
  list(
    request: ListTaskPushNotificationConfigsRequest,
    call: A2aCall,
  ): Promise<ListTaskPushNotificationConfigsResponse>;
  remove(request: DeleteTaskPushNotificationConfigRequest, call: A2aCall): Promise<void>;
}

/** How the callers of a server identify themselves, as agent cards say it. */
export interface CardSecurity {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** Each is enough; empty: no credential is needed. */
  readonly requirements: readonly SecurityRequirement[];
}

/** Writes a task in the JSON of an older version of the protocol. */
type LegacyTaskJson = (task: Task) => Promise<JsonObject>;

export interface A2aDeps {
  readonly sessions: SessionEngine;
  readonly conversations: Pick<ConversationStore, "getHead" | "getTurn">;
  readonly store: TaskStore;
  readonly redaction: Redaction;
  readonly egress: Pick<Egress, "fetch" | "refusal">;
  readonly sealer: Sealer;
  readonly legacyTaskJson: LegacyTaskJson;
  /** The agent of a stored task, for what goes on after a restart. Rejects with NOT_FOUND when it is gone. */
  readonly agentOf: (tenant: string) => Promise<A2aAgent>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}
