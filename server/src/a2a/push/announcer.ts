import { create, toJson } from "@bufbuild/protobuf";
import { type StreamResponse, StreamResponseSchema, type Task } from "@frontdesk/protos/a2a/a2a";
import { EgressError, LONGEST_TIMER_MS } from "#base";
import type { DueConfig } from "#storage";
import type { A2aDeps } from "../contract.ts";
import { readTask } from "../tasks/task-rows.ts";
import { isAtRest } from "../tasks/task-state.ts";
import { fromRow, type StoredConfig } from "./push-row.ts";

/** Pauses before the next attempt, milliseconds; after the last one the announcement is given up (A2A-18). */
const RETRY_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];
/** Time for one attempt, milliseconds. */
const ATTEMPT_MS = 15_000;
/** Announcements that are made at the same time. */
const AT_ONCE = 16;
/** Bytes of a webhook's answer that are read: it says nothing. */
const MAX_ANSWER = 64 * 1024;

/** Tells clients of changes of their tasks. */
interface Announcer {
  /** Something may be due. */
  readonly wake: () => void;
  /** Starts nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

type AnnouncerDeps = Pick<A2aDeps, "store" | "egress" | "legacyTaskJson" | "clock" | "logger"> & {
  readonly sealer: Pick<A2aDeps["sealer"], "open">;
};

/**
 * Creates the announcer. What is due is in the store, so that a change is told at least once, also when the server stops in between; a client
 * that does not answer is told the latest state, not each one (A2A-18).
 */
export function createAnnouncer(deps: AnnouncerDeps): Announcer {
  const { store, clock, logger } = deps;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let pass: Promise<void> | undefined;
  let again = false;

  const wake = (): void => {
    again = true;
    if (pass || closing.signal.aborted) return;
    pass = announceAll()
      .catch((error: unknown) => logger.error({ err: error }, "changes of tasks could not be announced"))
      .finally(() => {
        pass = undefined;
        if (again) wake();
      });
  };

  async function announceAll(): Promise<void> {
    clearTimeout(timer);
    while (!closing.signal.aborted) {
      again = false;
      const due = await store.due(clock.now(), AT_ONCE);
      await Promise.all(due.map((config) => announce(config, deps, closing.signal)));
      if (due.length === 0) break;
    }
    const next = await store.nextDue();
    if (next === undefined || closing.signal.aborted) return;
    timer = setTimeout(wake, Math.min(LONGEST_TIMER_MS, Math.max(0, next - clock.now())));
    timer.unref();
  }

  return {
    wake,
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await pass;
    },
  };
}

/** One attempt. Never rejects because of the webhook. */
async function announce(due: DueConfig, deps: AnnouncerDeps, signal: AbortSignal): Promise<void> {
  const { store, clock, logger } = deps;
  const row = await store.get(due.task);
  const outcome = row ? await attempt(due, readTask(row), deps, signal) : "done";
  if (signal.aborted) return;
  if (outcome === "done") return store.settle(due, undefined);
  const pause = outcome.isFinal ? undefined : RETRY_MS[due.attempts];
  const consequence = pause === undefined ? "given up" : `tried again in ${pause} ms`;
  logger.warn(
    { task: due.task, config: due.id, reason: outcome.reason },
    `a push notification failed and is ${consequence}`,
  );
  await store.settle(due, pause === undefined ? undefined : clock.now() + pause);
}

type Outcome = "done" | { readonly reason: string; readonly isFinal: boolean };

async function attempt(due: DueConfig, task: Task, deps: AnnouncerDeps, signal: AbortSignal): Promise<Outcome> {
  let stored: StoredConfig;
  try {
    stored = fromRow(due, deps.sealer);
  } catch {
    return { reason: "the config was sealed with another key", isFinal: true };
  }
  try {
    const { status } = await deps.egress.fetch({
      method: "POST",
      url: stored.config.url,
      headers: headersOf(stored),
      body: JSON.stringify(stored.version === "0.3" ? await deps.legacyTaskJson(task) : payloadOf(task)),
      timeoutMs: ATTEMPT_MS,
      followRedirects: false,
      maxBytes: MAX_ANSWER,
      signal,
    });
    if (status >= 200 && status < 300) return "done";
    return { reason: `the webhook answered ${status}`, isFinal: status === 410 };
  } catch (error) {
    if (signal.aborted) return "done";
    if (!(error instanceof EgressError)) throw error;
    // It has answered, at length.
    if (error.kind === "too-large") return "done";
    return { reason: error.message, isFinal: error.kind === "refused" };
  }
}

function headersOf({ config: { token, authentication }, version }: StoredConfig): Record<string, string> {
  return {
    "content-type": version === "0.3" ? "application/json" : "application/a2a+json",
    ...(token !== "" && { "x-a2a-notification-token": token }),
    ...(authentication?.credentials && { authorization: `${authentication.scheme} ${authentication.credentials}` }),
  };
}

/** The whole task once it is at rest, so that a client need not ask for its answer; before that, its status. */
function payloadOf(task: Task): object {
  const { id: taskId, contextId, status } = task;
  const payload: StreamResponse["payload"] = isAtRest(status?.state ?? 0)
    ? { case: "task", value: task }
    : { case: "statusUpdate", value: { $typeName: "lf.a2a.v1.TaskStatusUpdateEvent", taskId, contextId, status } };
  return toJson(StreamResponseSchema, create(StreamResponseSchema, { payload })) as object;
}
