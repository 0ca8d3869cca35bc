import { isDeepStrictEqual } from "node:util";
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
import type { RemoteFile } from "../contract.ts";

/** The type of a file that says none. */
const UNKNOWN_TYPE = "application/octet-stream";

/** The result of a message to a remote agent. */
export type RemoteAgentResult =
  | (RemoteContent & { readonly kind: "answered" })
  /** The agent asks for input; the next message goes to the same task. */
  | (RemoteContent & { readonly kind: "input-required"; readonly taskId: string })
  | {
      readonly kind: "failed";
      readonly error: string;
      readonly contextId?: string;
      /** What came of the task all the same. Default: nothing. */
      readonly content?: PartsContent;
    };

interface RemoteContent extends PartsContent {
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
  const { taskId, contextId, status } = progress;
  const made = readArtifacts(progress.artifacts);
  const said = readParts(status?.message?.parts ?? []);
  const metadata = merged(progress.metadata, status?.message?.metadata);
  const all = { ...joined(made, said), contextId, metadata };
  // The words of the status are the reason; everything else came of the task all the same (A2A-22).
  const failed = (what: string): RemoteAgentResult => {
    const content = joined(made, { ...said, text: "" });
    return { kind: "failed", error: withReason(what, said.text), contextId, content };
  };
  switch (status?.state) {
    case TaskState.TASK_STATE_COMPLETED:
      return { kind: "answered", ...all };
    case TaskState.TASK_STATE_INPUT_REQUIRED:
      return { kind: "input-required", ...all, taskId };
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return failed("it asks for authentication");
    case TaskState.TASK_STATE_REJECTED:
      return failed("it rejected the task");
    case TaskState.TASK_STATE_CANCELED:
      return failed("the task was canceled");
    case TaskState.TASK_STATE_FAILED:
      return failed("the task failed");
    default:
      return failed("it stopped before the task was done");
  }
}

/** What a task made, and what its status says besides: agents tell an answer in either, or the same in both (A2A-21). */
function joined(made: PartsContent, said: PartsContent): PartsContent {
  const isRepeated = made.text.includes(said.text);
  return {
    text: isRepeated ? made.text : [made.text, said.text].filter(Boolean).join("\n"),
    data: [...made.data, ...said.data.filter((value) => !made.data.some((known) => isDeepStrictEqual(known, value)))],
    files: [...made.files, ...said.files.filter((file) => !made.files.some((known) => isDeepStrictEqual(known, file)))],
    raw: [...made.raw, ...said.raw],
  };
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
export interface PartsContent {
  readonly text: string;
  /** Values of data parts, in order. */
  readonly data: readonly JsonValue[];
  /** Files by name, media type and URL or size; their bytes do not belong in a prompt. */
  readonly files: readonly JsonObject[];
  /** Those of the files that came with their bytes. */
  readonly raw: readonly RemoteFile[];
}

/** Reads the parts of a message or of an artifact (A2A 1.0, Part). */
function readParts(parts: readonly Part[]): PartsContent {
  const text: string[] = [];
  const data: JsonValue[] = [];
  const files: JsonObject[] = [];
  const raw: RemoteFile[] = [];
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
        raw.push({ filename: part.filename, mimeType: part.mediaType || UNKNOWN_TYPE, data: part.content.value });
        break;
      case undefined:
        break;
    }
  }
  return { text: text.join("\n"), data, files, raw };
}

/** The content of all artifacts of a task. */
function readArtifacts(artifacts: readonly Artifact[]): PartsContent {
  return readParts(artifacts.flatMap(({ parts }) => parts));
}

function namesOf({ filename, mediaType }: Part): JsonObject {
  return nonEmptyFields({ filename, mediaType });
}
