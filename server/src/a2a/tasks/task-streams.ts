import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type SendMessageRequest,
  type StreamResponse,
  StreamResponseSchema,
  type SubscribeToTaskRequest,
  type Task,
  type TaskState,
} from "@frontdesk/protos/a2a/a2a";
import type { TaskRow } from "#storage";
import type { A2aCall, A2aTasks } from "../contract.ts";
import { ended } from "./own-task.ts";
import type { Follower, TaskFeeds } from "./task-feeds.ts";
import { readTask, shownTask } from "./task-rows.ts";
import type { TaskRunner } from "./task-runner.ts";
import { hasEnded, isAtRest } from "./task-state.ts";
import type { RunningTask } from "./work.ts";

interface StreamsDeps {
  readonly feeds: TaskFeeds;
  readonly runner: Pick<TaskRunner, "get">;
  /** A task of the caller; rejects with TASK_NOT_FOUND. */
  readonly ownRow: (id: string, call: A2aCall) => Promise<TaskRow>;
  /** Begins the turn on a message whose text is streamed. */
  readonly begin: (request: SendMessageRequest, call: A2aCall) => Promise<RunningTask>;
}

/** Creates the methods that tell a task and its changes. */
export function createTaskStreams({
  feeds,
  runner,
  ownRow,
  begin,
}: StreamsDeps): Pick<A2aTasks, "stream" | "subscribe"> {
  async function* stream(request: SendMessageRequest, call: A2aCall): AsyncGenerator<StreamResponse, void> {
    const running = await begin(request, call);
    running.live.tellAll();
    const follower = feeds.follow(running.live.id);
    try {
      const task = shownTask(running.live.snapshot(), { historyLength: request.configuration?.historyLength });
      yield responseOf({ case: "task", value: task });
      // One that another server works on is told as it is there.
      if (isAtRest(task.status?.state ?? 0) || !runner.get(task.id)) return;
      yield* untilRest(follower, call.signal, isAtRest);
    } finally {
      follower.stop();
    }
  }

  async function* subscribe({ id }: SubscribeToTaskRequest, call: A2aCall): AsyncGenerator<StreamResponse, void> {
    const follower = feeds.follow(id);
    try {
      const task = await taskOf(id, call, follower);
      const state = task.status?.state ?? 0;
      if (hasEnded(state)) throw ended(id, state, "takes no subscribers");
      yield responseOf({ case: "task", value: task });
      yield* untilRest(follower, call.signal, hasEnded);
    } finally {
      follower.stop();
    }
  }

  /** The task as it is, such that the follower gets exactly what comes after it. */
  async function taskOf(id: string, call: A2aCall, follower: Follower): Promise<Task> {
    for (;;) {
      follower.clear();
      const row = await ownRow(id, call);
      follower.version = row.version;
      const running = runner.get(id);
      if (running) {
        running.live.tellAll();
        follower.clear();
        return running.live.snapshot();
      }
      if (!follower.isBehind) return readTask(row);
    }
  }

  return { stream, subscribe };
}

async function* untilRest(
  follower: Follower,
  signal: AbortSignal,
  isLast: (state: TaskState) => boolean,
): AsyncGenerator<StreamResponse, void> {
  const stop = () => follower.stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const event of follower) {
      yield event;
      const { payload } = event;
      if (payload.case === "statusUpdate" && isLast(payload.value.status?.state ?? 0)) return;
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function responseOf(payload: NonNullable<MessageInitShape<typeof StreamResponseSchema>["payload"]>): StreamResponse {
  return create(StreamResponseSchema, { payload });
}
