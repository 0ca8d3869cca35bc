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
import { nonEmptyFields } from "#base";

/** The result of a message to a remote agent. */
export type RemoteAgentResult =
  | (RemoteContent & { readonly kind: "answered" })
  /** The agent asks for input; the next message goes to the same task. */
  | (RemoteContent & { readonly kind: "input-required"; readonly taskId: string })
  | { readonly kind: "failed"; readonly error: string; readonly contextId?: string };

interface RemoteContent {
  readonly text: string;
  readonly data: readonly JsonValue[];
  readonly files: readonly JsonObject[];
  /** "" when the agent has none. */
  readonly contextId: string;
  /** What the agent says beside its answer: metadata of message and task, the newest of each name. */
  readonly metadata: JsonObject;
}

/** The state of a task, or a message that the agent sent without a task. */
export type TaskProgress =
  | { readonly kind: "message"; readonly message: Message }
  | {
      readonly kind: "task";
      readonly taskId: string;
      readonly contextId: string;
      readonly status: TaskStatus | undefined;
      readonly artifacts: readonly Artifact[];
      readonly metadata: JsonObject;
    };

/** Applies an event of the stream. An event of an unknown task starts a new progress. */
export function applyEvent(progress: TaskProgress | undefined, { payload }: StreamResponse): TaskProgress | undefined {
  switch (payload?.$case) {
    case "message":
      return { kind: "message", message: payload.value };
    case "task":
      return toProgress(payload.value);
    case "statusUpdate": {
      const { taskId, contextId, status, metadata } = payload.value;
      const known = knownProgress(progress, taskId, contextId);
      return { ...known, status, metadata: merged(known.metadata, metadata) };
    }
    case "artifactUpdate": {
      const { taskId, contextId, artifact, append } = payload.value;
      const known = knownProgress(progress, taskId, contextId);
      return artifact ? { ...known, artifacts: withArtifact(known.artifacts, artifact, append) } : known;
    }
    case undefined:
      return progress;
  }
}

/** Progress from a whole task or message. */
export function toProgress(answer: Task | Message): TaskProgress {
  if ("messageId" in answer) return { kind: "message", message: answer };
  const { id, contextId, status, artifacts, metadata } = answer;
  return { kind: "task", taskId: id, contextId, status, artifacts, metadata: merged({}, metadata) };
}

/** The text of the answer so far. */
export function textSoFar(progress: TaskProgress): string {
  return progress.kind === "task" ? readArtifacts(progress.artifacts).text : "";
}

/** Metadata is parsed from JSON. */
function merged(known: JsonObject, more: { readonly [name: string]: unknown } | undefined): JsonObject {
  return more ? { ...known, ...(more as JsonObject) } : known;
}

/** Whether the agent sends nothing more until the next message. */
export function isFinished(progress: TaskProgress): boolean {
  if (progress.kind === "message") return true;
  switch (progress.status?.state) {
    case TaskState.TASK_STATE_SUBMITTED:
    case TaskState.TASK_STATE_WORKING:
    case TaskState.TASK_STATE_UNSPECIFIED:
    case undefined:
      return false;
    default:
      return true;
  }
}

/** The result of a finished task or message (A2A 1.0, TaskState). */
export function toResult(progress: TaskProgress): RemoteAgentResult {
  if (progress.kind === "message") {
    const { contextId, parts, metadata } = progress.message;
    return { kind: "answered", ...readParts(parts), contextId, metadata: merged({}, metadata) };
  }
  const { taskId, contextId, status, artifacts } = progress;
  const metadata = merged(progress.metadata, status?.message?.metadata);
  const content = { ...readParts(status?.message?.parts ?? []), metadata };
  switch (status?.state) {
    case TaskState.TASK_STATE_COMPLETED: {
      const artifactContent = readArtifacts(artifacts);
      const text = artifactContent.text || content.text;
      return { kind: "answered", ...artifactContent, text, contextId, metadata };
    }
    case TaskState.TASK_STATE_INPUT_REQUIRED:
      return { kind: "input-required", ...content, contextId, taskId };
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return { kind: "failed", error: withReason("it asks for authentication", content.text), contextId };
    case TaskState.TASK_STATE_REJECTED:
      return { kind: "failed", error: withReason("it rejected the task", content.text), contextId };
    case TaskState.TASK_STATE_CANCELED:
      return { kind: "failed", error: withReason("the task was canceled", content.text), contextId };
    case TaskState.TASK_STATE_FAILED:
      return { kind: "failed", error: withReason("the task failed", content.text), contextId };
    default:
      return { kind: "failed", error: "it stopped before the task was done", contextId };
  }
}

function knownProgress(progress: TaskProgress | undefined, taskId: string, contextId: string) {
  return progress?.kind === "task"
    ? progress
    : { kind: "task" as const, taskId, contextId, status: undefined, artifacts: [], metadata: {} };
}

/** With `append`, the parts continue the known artifact, perhaps in mid-sentence; otherwise they replace it. */
function withArtifact(known: readonly Artifact[], artifact: Artifact, append: boolean): readonly Artifact[] {
  const before = known.find(({ artifactId }) => artifactId === artifact.artifactId);
  if (!before) return [...known, artifact];
  const after = append ? { ...before, parts: appendParts(before.parts, artifact.parts) } : artifact;
  return known.map((each) => (each === before ? after : each));
}

function appendParts(parts: readonly Part[], more: readonly Part[]): Part[] {
  const last = parts.at(-1);
  const [first, ...rest] = more;
  if (last?.content?.$case !== "text" || first?.content?.$case !== "text") return [...parts, ...more];
  const joined: Part = { ...last, content: { $case: "text", value: last.content.value + first.content.value } };
  return [...parts.slice(0, -1), joined, ...rest];
}

function withReason(what: string, reason: string): string {
  return reason ? `${what}: ${reason}` : what;
}

/** The content of parts by type. */
interface PartsContent {
  readonly text: string;
  /** Values of data parts, in order. */
  readonly data: readonly JsonValue[];
  /** Files by name, media type and URL or size; their bytes do not belong in a prompt. */
  readonly files: readonly JsonObject[];
}

/** Reads the parts of a message or of an artifact (A2A 1.0, Part). */
function readParts(parts: readonly Part[]): PartsContent {
  const text: string[] = [];
  const data: JsonValue[] = [];
  const files: JsonObject[] = [];
  for (const part of parts) {
    switch (part.content?.$case) {
      case "text":
        text.push(part.content.value);
        break;
      case "data":
        // Parsed from JSON.
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

/** The content of all artifacts of a task. */
function readArtifacts(artifacts: readonly Artifact[]): PartsContent {
  return readParts(artifacts.flatMap(({ parts }) => parts));
}

function namesOf({ filename, mediaType }: Part): JsonObject {
  return nonEmptyFields({ filename, mediaType });
}
