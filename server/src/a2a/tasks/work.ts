import { type Message, type SendMessageRequest, TaskState } from "@frontdesk/protos/a2a/a2a";
import type { JsonObject } from "#base";
import type { SnapshotRef, TurnSender } from "#session";
import type { PushConfigRow, TaskRow } from "#storage";
import type { A2aAgent, A2aCall } from "../contract.ts";
import type { ContextSession } from "./context-session.ts";
import type { LiveTask } from "./live-task.ts";

/** A message for a task: a new one, or one that waits for input. */
export interface TaskOrder {
  readonly request: SendMessageRequest;
  readonly message: Message;
  readonly call: A2aCall;
  readonly before: TaskRow | undefined;
  /** Where its changes are announced, besides earlier places. */
  readonly announce: ((task: string) => PushConfigRow) | undefined;
  /** Whether to return before the turn has begun. Default false. */
  readonly immediately?: boolean;
  readonly streamText: boolean;
}

/** A task at work. */
export interface RunningTask {
  readonly live: LiveTask;
  /** Whether the app has asked to answer with a message instead of the task; known when the task is at rest. */
  readonly asksForMessage: () => boolean;
  /** Resolves when the task is at rest; rejects when that could not be stored. */
  readonly done: Promise<void>;
  /** Stops the turn; nothing of it is stored. */
  cancel(): void;
}

/** What the steps of a task share. */
export interface Work {
  readonly live: LiveTask;
  readonly context: ContextSession;
  readonly snapshot: SnapshotRef;
  readonly agent: A2aAgent;
  readonly stop: AbortController;
  readonly showVariables: boolean;
  readonly traceparent: string | undefined;
  /** Undefined when the task goes on without a client, after a restart. */
  readonly sender: TurnSender | undefined;
  readonly streamText: boolean;
  row: TaskRow;
  variables: JsonObject;
  cancelled: boolean;
  asksForMessage: boolean;
}

/** The row of a task that does not exist yet. */
export function newRow(
  id: string,
  { contextId, conversation }: ContextSession,
  { agent, owner }: A2aCall,
  now: number,
): TaskRow {
  return {
    ...{ id, owner, contextId, conversation, tenant: agent.tenant },
    ...{
      state: TaskState.SUBMITTED,
      finished: false,
      turn: 0,
      createTime: now,
      updateTime: now,
      expireTime: undefined,
      version: 0,
    },
    body: new Uint8Array(),
  };
}
