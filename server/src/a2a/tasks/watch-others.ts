import { create } from "@bufbuild/protobuf";
import {
  type StreamResponse,
  StreamResponseSchema,
  type Task,
  TaskArtifactUpdateEventSchema,
  TaskState,
  TaskStatusUpdateEventSchema,
} from "@frontdesk/protos/a2a/a2a";
import type { A2aDeps } from "../contract.ts";
import type { TaskFeeds } from "./task-feeds.ts";
import { readTask } from "./task-rows.ts";
import type { TaskRunner } from "./task-runner.ts";
import { hasEnded } from "./task-state.ts";

interface WatchDeps extends Pick<A2aDeps, "store" | "logger"> {
  readonly feeds: TaskFeeds;
  readonly runner: Pick<TaskRunner, "get" | "ids">;
}

/** Milliseconds between two looks. */
const LOOK_EVERY_MS = 1_000;
/** Tasks in one question to the database. */
const AT_ONCE = 500;

/**
 * Looks once a moment at what other servers of the database did to tasks (A2A-30): those that are followed here and at work there are told, and those at work here that were canceled there
 * stop. Nothing is asked while there are none.
 */
export function watchOthers({ store, logger, feeds, runner }: WatchDeps): { close(): void } {
  let timer = setTimeout(watch, LOOK_EVERY_MS).unref();
  let closed = false;

  async function watch(): Promise<void> {
    await look().catch((error: unknown) => logger.debug({ err: error }, "tasks of other servers could not be read"));
    if (!closed) timer = setTimeout(watch, LOOK_EVERY_MS).unref();
  }

  async function look(): Promise<void> {
    const ids = [...new Set([...feeds.followed(), ...runner.ids()])];
    for (let at = 0; at < ids.length; at += AT_ONCE)
      for (const { id, version, state } of await store.heads(ids.slice(at, at + AT_ONCE))) {
        const running = runner.get(id);
        if (running && state === TaskState.CANCELED) running.cancel();
        if (!running && feeds.isBehind(id, version)) await tell(id);
      }
  }

  async function tell(id: string): Promise<void> {
    const row = await store.get(id);
    if (!row) return;
    feeds.tell(id, row.version, eventsOf(readTask(row)));
    if (hasEnded(row.state)) feeds.end(id);
  }

  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** The task as changes to it: each artifact as a whole, then the status. */
function eventsOf({ id: taskId, contextId, artifacts, status }: Task): readonly StreamResponse[] {
  const updates = artifacts.map((artifact) =>
    create(TaskArtifactUpdateEventSchema, { taskId, contextId, artifact, append: false, lastChunk: true }),
  );
  return [
    ...updates.map((value) => create(StreamResponseSchema, { payload: { case: "artifactUpdate", value } })),
    create(StreamResponseSchema, {
      payload: { case: "statusUpdate", value: create(TaskStatusUpdateEventSchema, { taskId, contextId, status }) },
    }),
  ];
}
