import {
  type GetTaskRequest,
  type Message,
  type SendMessageRequest,
  type Task,
  TaskState,
} from "@frontdesk/protos/a2a/a2a";
import { invalidArgument } from "#status";
import type { TaskRow } from "#storage";
import type { A2aCall, A2aDeps, A2aTasks, SendAnswer } from "../contract.ts";
import { checkedMessage, historyViolations } from "../messages/check-message.ts";
import { createAnnouncer } from "../push/announcer.ts";
import { createPushConfigs } from "../push/push-configs.ts";
import { resealConfigs } from "../push/push-row.ts";
import { listTasks } from "./list-tasks.ts";
import { checkContext, checkContinues, findRow, notCancelable } from "./own-task.ts";
import { hasHad } from "./repeated-message.ts";
import { changedMeanwhile } from "./task-faults.ts";
import { TaskFeeds } from "./task-feeds.ts";
import { readTask, shownTask } from "./task-rows.ts";
import { TaskRunner } from "./task-runner.ts";
import { hasEnded } from "./task-state.ts";
import { createTaskStreams } from "./task-streams.ts";
import { watchOthers } from "./watch-others.ts";
import type { RunningTask } from "./work.ts";

/** Creates the tasks of all agents, over their store and the session engine. */
export function createA2aTasks(deps: A2aDeps): A2aTasks {
  const { store, clock, logger } = deps;
  const feeds = new TaskFeeds();
  const announcer = createAnnouncer(deps);
  const runner = new TaskRunner({ ...deps, feeds, wakeAnnouncer: announcer.wake });
  const others = store.adopt && watchOthers({ ...deps, feeds, runner });
  const ownRow = (id: string, call: A2aCall) => findRow(id, call, deps);
  const pushConfigs = createPushConfigs({ ...deps, ownRow });

  async function begin(request: SendMessageRequest, call: A2aCall, streamText: boolean): Promise<RunningTask> {
    const message = checkedMessage(request);
    const { taskPushNotificationConfig: config, returnImmediately = false } = request.configuration ?? {};
    const announce = config && pushConfigs.rowFor(config, call);
    const before = message.taskId === "" ? undefined : await ownRow(message.taskId, call);
    if (before) {
      checkContext(before, message.contextId);
      if (call.key !== undefined && (await hasHad(before, message, call, deps))) return runner.known(before);
      checkContinues(before);
    }
    return runner.begin({
      request,
      message,
      call,
      before,
      announce,
      immediately: returnImmediately && !streamText,
      streamText,
    });
  }

  async function send(request: SendMessageRequest, call: A2aCall): Promise<SendAnswer> {
    const { returnImmediately = false, historyLength } = request.configuration ?? {};
    const running = await begin(request, call, false);
    if (!returnImmediately) await orAbort(running.done, call.signal);
    const message = !returnImmediately && isUntracked(request) ? await messageInstead(running) : undefined;
    if (message) return { case: "message", value: message };
    return { case: "task", value: shownTask(running.live.snapshot(), { historyLength }) };
  }

  /** The answer of an app that asks for a message. Nobody has heard of its task, which is removed. */
  async function messageInstead({ live, asksForMessage }: RunningTask): Promise<Message | undefined> {
    const message = asksForMessage() ? live.answerMessage : undefined;
    if (message) await store.remove(live.id);
    return message;
  }

  const recoverAll = (rows: readonly TaskRow[]) => recoverTasks(rows, runner, logger);

  return {
    send,
    ...createTaskStreams({ feeds, runner, ownRow, begin: (request, call) => begin(request, call, true) }),
    cancel: async ({ id }, call) => cancelTask(await ownRow(id, call), runner, call.signal),
    get: async (request: GetTaskRequest, call) => {
      const violations = historyViolations(request.historyLength);
      if (violations.length > 0) throw invalidArgument(violations);
      const row = await ownRow(request.id, call);
      const task = runner.get(request.id)?.live.snapshot() ?? readTask(row);
      return shownTask(task, request);
    },
    list: (request, call) => listTasks(request, call, store),
    pushConfigs,
    recover: async () => {
      await recoverAll(await store.unfinished());
      announcer.wake();
    },
    adopt: async () => {
      await recoverAll((await store.adopt?.()) ?? []);
      announcer.wake();
    },
    reseal: () => resealConfigs(deps),
    removeStray: () => store.removeStray(clock.now()),
    close: async () => {
      others?.close();
      feeds.close();
      await Promise.all([runner.close(), announcer.close()]);
    },
  };
}

async function cancelTask(row: TaskRow, runner: TaskRunner, signal: AbortSignal): Promise<Task> {
  const { id } = row;
  const running = runner.get(id);
  if (running) {
    running.cancel();
    await orAbort(running.done, signal);
    const state = running.live.state;
    if (state !== TaskState.CANCELED) throw notCancelable(id, state);
    return running.live.snapshot();
  }
  if (hasEnded(row.state)) throw notCancelable(id, row.state);
  const task = await runner.endResting(row, TaskState.CANCELED, "The task was canceled.");
  if (!task) throw changedMeanwhile(id);
  return task;
}

async function recoverTasks(rows: readonly TaskRow[], runner: TaskRunner, logger: A2aDeps["logger"]): Promise<void> {
  for (const row of rows) {
    await runner.recover(row).catch((error: unknown) => {
      logger.error({ err: error, task: row.id }, "a task could not be recovered");
    });
  }
}

/** Whether the client neither goes on with a task nor wants to be told of its changes. */
function isUntracked({ message, configuration }: SendMessageRequest): boolean {
  return message?.taskId === "" && !configuration?.taskPushNotificationConfig;
}

/** Waits for work that goes on when its caller leaves. */
async function orAbort(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
