import {
  type Artifact,
  type Message,
  type Part,
  type StreamResponse,
  type Task,
  TaskState,
  type TaskStatus,
} from "@a2a-js/sdk";
import type { JsonObject, JsonValue } from "#base";

/** What a remote agent did with a message. */
export type RemoteAnswer =
  | (RemoteWords & { readonly kind: "answered" })
  /** The agent asks back; the answer goes to the same task. */
  | (RemoteWords & { readonly kind: "input-required"; readonly taskId: string })
  | { readonly kind: "failed"; readonly error: string; readonly contextId?: string };

interface RemoteWords {
  readonly text: string;
  readonly data: readonly JsonValue[];
  readonly files: readonly JsonObject[];
  /** "" when the agent keeps none. */
  readonly contextId: string;
}

/** Where a task stands, or the message that answered instead of one. */
export type Exchange =
  | { readonly kind: "message"; readonly message: Message }
  | {
      readonly kind: "task";
      readonly taskId: string;
      readonly contextId: string;
      readonly status: TaskStatus | undefined;
      readonly artifacts: readonly Artifact[];
    };

/** The exchange after one more event of the stream; an event about nothing known begins it. */
export function applyEvent(exchange: Exchange | undefined, { payload }: StreamResponse): Exchange | undefined {
  switch (payload?.$case) {
    case "message":
      return { kind: "message", message: payload.value };
    case "task":
      return exchangeOf(payload.value);
    case "statusUpdate": {
      const { taskId, contextId, status } = payload.value;
      return { ...begun(exchange, taskId, contextId), status };
    }
    case "artifactUpdate": {
      const { taskId, contextId, artifact, append } = payload.value;
      const known = begun(exchange, taskId, contextId);
      return artifact ? { ...known, artifacts: withArtifact(known.artifacts, artifact, append) } : known;
    }
    case undefined:
      return exchange;
  }
}

/** A task or a message as it was answered at once. */
export function exchangeOf(answer: Task | Message): Exchange {
  if ("messageId" in answer) return { kind: "message", message: answer };
  const { id, contextId, status, artifacts } = answer;
  return { kind: "task", taskId: id, contextId, status, artifacts };
}

/** Whether the agent has nothing more to say until it is asked again. */
export function isFinished(exchange: Exchange): boolean {
  if (exchange.kind === "message") return true;
  switch (exchange.status?.state) {
    case TaskState.TASK_STATE_SUBMITTED:
    case TaskState.TASK_STATE_WORKING:
    case TaskState.TASK_STATE_UNSPECIFIED:
    case undefined:
      return false;
    default:
      return true;
  }
}

/** What the agent answered, in the states that a task can rest in (A2A 1.0, TaskState). */
export function answerOf(exchange: Exchange): RemoteAnswer {
  if (exchange.kind === "message") {
    const { contextId, parts } = exchange.message;
    return { kind: "answered", ...readParts(parts), contextId };
  }
  const { taskId, contextId, status, artifacts } = exchange;
  const said = readParts(status?.message?.parts ?? []);
  switch (status?.state) {
    case TaskState.TASK_STATE_COMPLETED: {
      const made = readArtifacts(artifacts);
      return { kind: "answered", ...made, text: made.text || said.text, contextId };
    }
    case TaskState.TASK_STATE_INPUT_REQUIRED:
      return { kind: "input-required", ...said, contextId, taskId };
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return { kind: "failed", error: withReason("it asks for authentication", said.text), contextId };
    case TaskState.TASK_STATE_REJECTED:
      return { kind: "failed", error: withReason("it rejected the task", said.text), contextId };
    case TaskState.TASK_STATE_CANCELED:
      return { kind: "failed", error: withReason("the task was canceled", said.text), contextId };
    case TaskState.TASK_STATE_FAILED:
      return { kind: "failed", error: withReason("the task failed", said.text), contextId };
    default:
      return { kind: "failed", error: "it stopped before the task was done", contextId };
  }
}

function begun(exchange: Exchange | undefined, taskId: string, contextId: string) {
  return exchange?.kind === "task"
    ? exchange
    : { kind: "task" as const, taskId, contextId, status: undefined, artifacts: [] };
}

/** A later piece of an artifact goes on where the earlier one ended, in mid-sentence perhaps; a whole one takes its place. */
function withArtifact(known: readonly Artifact[], artifact: Artifact, append: boolean): readonly Artifact[] {
  const before = known.find(({ artifactId }) => artifactId === artifact.artifactId);
  if (!before) return [...known, artifact];
  const after = append ? { ...before, parts: continued(before.parts, artifact.parts) } : artifact;
  return known.map((each) => (each === before ? after : each));
}

function continued(parts: readonly Part[], more: readonly Part[]): Part[] {
  const last = parts.at(-1);
  const [first, ...rest] = more;
  if (last?.content?.$case !== "text" || first?.content?.$case !== "text") return [...parts, ...more];
  const joined: Part = { ...last, content: { $case: "text", value: last.content.value + first.content.value } };
  return [...parts.slice(0, -1), joined, ...rest];
}

function withReason(what: string, reason: string): string {
  return reason ? `${what}: ${reason}` : what;
}

/** What parts of a remote agent's answer say, by what they are for. */
export interface ReadParts {
  readonly text: string;
  /** Values of data parts, in order. */
  readonly data: readonly JsonValue[];
  /** Files by name, media type and address or size; their bytes are not for a prompt. */
  readonly files: readonly JsonObject[];
}

/** Reads the parts of a message or of an artifact (A2A 1.0, Part). */
export function readParts(parts: readonly Part[]): ReadParts {
  const text: string[] = [];
  const data: JsonValue[] = [];
  const files: JsonObject[] = [];
  for (const part of parts) {
    switch (part.content?.$case) {
      case "text":
        text.push(part.content.value);
        break;
      case "data":
        // The wire's own JSON.
        data.push((part.content.value ?? null) as JsonValue);
        break;
      case "url":
        files.push({ ...namesOf(part), url: part.content.value });
        break;
      case "raw":
        files.push({ ...namesOf(part), bytes: part.content.value.length });
        break;
      case undefined:
        break;
    }
  }
  return { text: text.join("\n"), data, files };
}

/** All artifacts of a task as one answer. */
export function readArtifacts(artifacts: readonly Artifact[]): ReadParts {
  return readParts(artifacts.flatMap(({ parts }) => parts));
}

function namesOf({ filename, mediaType }: Part): JsonObject {
  return { ...(filename && { filename }), ...(mediaType && { mediaType }) };
}
