import { clone, create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type Task, TaskSchema, TaskState } from "@frontdesk/protos/a2a/a2a";
import type { TaskRow } from "#storage";
import { hasEnded, isAtRest } from "./task-state.ts";

/** How long an undone task is kept without a conversation, milliseconds: its turn was the first and left none. */
const STRAY_MS = 86_400_000;

/** What was stored must be read again, however deep clients nested it. */
const READ_OPTIONS = { recursionLimit: 1_000 };

/** The task of a row. */
export function readTask({ body }: TaskRow): Task {
  return fromBinary(TaskSchema, body, READ_OPTIONS);
}

/** The row of a task after a change. */
export function changedRow(
  before: Omit<TaskRow, "body" | "state" | "finished" | "updateTime" | "expireTime">,
  task: Task,
): TaskRow {
  const state = task.status?.state ?? 0;
  const { timestamp } = task.status ?? {};
  const updateTime = timestamp ? timestampMs(timestamp) : before.createTime;
  return {
    ...before,
    state,
    finished: isAtRest(state),
    updateTime,
    expireTime: hasEnded(state) && state !== TaskState.COMPLETED ? updateTime + STRAY_MS : undefined,
    version: before.version + 1,
    body: toBinary(TaskSchema, task),
  };
}

/** How much of a task a client asks for. */
interface TaskExtent {
  /** Most messages of its history, the latest; undefined: all. */
  readonly historyLength?: number | undefined;
  /** Default true. */
  readonly artifacts?: boolean;
}

/** A task as far as its client wants it (A2A 1.0, section 3.2.4). */
export function shownTask(task: Task, { historyLength, artifacts = true }: TaskExtent): Task {
  if (historyLength === undefined && artifacts) return task;
  const shown = create(TaskSchema, task);
  if (historyLength !== undefined) shown.history = historyLength === 0 ? [] : task.history.slice(-historyLength);
  if (!artifacts) shown.artifacts = [];
  return clone(TaskSchema, shown);
}
