import { create, toJson } from "@bufbuild/protobuf";
import { type StreamResponse, StreamResponseSchema, type Task } from "@frontdesk/protos/a2a/a2a";
import { EgressError, LONGEST_TIMER_MS } from "#base";
import type { DueConfig } from "#storage";
import type { A2aDeps } from "../contract.ts";
import { readTask } from "../tasks/task-rows.ts";
import { isAtRest } from "../tasks/task-state.ts";
import { fromRow, type StoredConfig } from "./push-row.ts";
import { SilentHosts } from "./silent-hosts.ts";

/** Pauses before the next attempt, milliseconds; after the last one the announcement is given up (A2A-18). */
const RETRY_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];
/** Time for one attempt, milliseconds. */
const ATTEMPT_MS = 15_000;
/** Announcements that are made at the same time. */
const AT_ONCE = 64;
/** How long other servers of the database leave an announcement to the one that makes it, milliseconds: an attempt, and some. */
const PUT_OFF_MS = 60_000;
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
  const hosts = new SilentHosts();
  /** Attempts, by what they announce. */
  const underWay = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let pass: Promise<void> | undefined;
  let again = false;

  const wake = (): void => {
    again = true;
    if (pass || closing.signal.aborted) return;
    pass = announceAll()
      .catch(report)
      .finally(() => {
        pass = undefined;
        if (again) wake();
      });
  };

  function report(error: unknown): void {
    logger.error({ err: error }, "changes of tasks could not be announced");
  }

  function begin(config: DueConfig): void {
    const key = JSON.stringify([config.task, config.id]);
    const attempt = announce(config, deps, hosts, closing.signal)
      .finally(() => underWay.delete(key))
      .then(wake, report);
    underWay.set(key, attempt);
  }

  async function announceAll(): Promise<void> {
    clearTimeout(timer);
    while (!closing.signal.aborted) {
      again = false;
      // Twice as many: those that changed while they are announced are due as well.
      const due = await store.due(clock.now(), 2 * AT_ONCE);
      const others = due.filter(({ task, id }) => !underWay.has(JSON.stringify([task, id])));
      const next = others.slice(0, AT_ONCE - underWay.size);
      if (next.length === 0) break;
      for (const config of next) begin(config);
    }
    const next = await store.nextDue();
    if (next === undefined || closing.signal.aborted) return;
    const pause = next - clock.now();
    // What is due by now waits for an attempt to end.
    if (pause > 0 || underWay.size === 0) timer = setTimeout(wake, Math.min(LONGEST_TIMER_MS, Math.max(0, pause)));
    timer?.unref();
  }

  return {
    wake,
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await pass;
      await Promise.all(underWay.values());
    },
  };
}

/** One attempt, unless another server makes it. Never rejects because of the webhook. */
async function announce(seen: DueConfig, deps: AnnouncerDeps, hosts: SilentHosts, signal: AbortSignal): Promise<void> {
  const { store, clock, logger } = deps;
  const due = { ...seen, dueTime: clock.now() + PUT_OFF_MS };
  if (!(await store.putOff(seen, due.dueTime))) return;
  const row = await store.get(due.task);
  const outcome = row ? await attempt(due, readTask(row), deps, hosts, signal) : "done";
  if (signal.aborted) {
    await store.putOff(due, seen.dueTime);
    return;
  }
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

async function attempt(
  due: DueConfig,
  task: Task,
  deps: AnnouncerDeps,
  hosts: SilentHosts,
  signal: AbortSignal,
): Promise<Outcome> {
  let stored: StoredConfig;
  try {
    stored = fromRow(due, deps.sealer);
  } catch {
    return { reason: "the config was sealed with another key", isFinal: true };
  }
  const host = URL.parse(stored.config.url)?.host ?? "";
  if (!hosts.admit(host)) return { reason: `${host} has let another one time out`, isFinal: false };
  let timedOut = false;
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
    timedOut = error.kind === "timeout";
    // It has answered, at length.
    if (error.kind === "too-large") return "done";
    return { reason: error.message, isFinal: error.kind === "refused" };
  } finally {
    hosts.settle(host, timedOut);
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
