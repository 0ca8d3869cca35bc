import { parentPort } from "node:worker_threads";
import {
  createBatchCommitter,
  type PackedError,
  type PackedOutcome,
  type PackedWrite,
  packError,
} from "./commit-batch.ts";
import { openWriteConnection } from "./connections.ts";
import { createRemainsEraser, RETRY_MS } from "./erase-remains.ts";

/** To the thread, first of all. */
export interface WriterSettings {
  readonly path: string;
  /** A write for idle moments, repeated as long as it changes rows. */
  readonly maintenance: PackedWrite;
}

/** To the thread, then: writes that share a commit, or "close". */
export type WriterRequest = readonly PackedWrite[] | "close";

/** From the thread: one outcome per write in the order they were sent, or an error that belongs to no write. */
export type WriterReply =
  | { readonly kind: "outcomes"; readonly outcomes: readonly PackedOutcome[] }
  | { readonly kind: "maintenance-failed"; readonly error: PackedError }
  | { readonly kind: "not-opened"; readonly error: PackedError };

/** The writer is idle when no write arrived for this long. */
const IDLE_MS = 25;
/** Under a steady load, one piece of maintenance runs at least this often. */
const MAX_MAINTENANCE_PAUSE_MS = 1_000;

const parent = parentPort;
parent?.once("message", (settings: WriterSettings) => serve(parent, settings));

function serve(port: NonNullable<typeof parentPort>, { path, maintenance }: WriterSettings): void {
  const database = openOrReport(port, path);
  if (!database) return;
  const commitBatch = createBatchCommitter(database);
  const erase = createRemainsEraser(database);
  let lastWrite = 0;
  let lastMaintenance = performance.now();
  // Soon after the start: a crash may have left maintenance undone.
  let timer: NodeJS.Timeout | undefined = setTimeout(maintain, IDLE_MS);
  let eraseTimer: NodeJS.Timeout | undefined;

  port.on("message", (request: WriterRequest) => {
    if (request === "close") return stop();
    send({ kind: "outcomes", outcomes: commitBatch(request) });
    lastWrite = performance.now();
    timer ??= setTimeout(maintain, IDLE_MS);
  });

  function maintain(): void {
    timer = undefined;
    const now = performance.now();
    if (now - lastWrite < IDLE_MS && now - lastMaintenance < MAX_MAINTENANCE_PAUSE_MS) {
      timer = setTimeout(maintain, IDLE_MS);
      return;
    }
    lastMaintenance = now;
    const [outcome] = commitBatch([maintenance]);
    if (typeof outcome === "object") send({ kind: "maintenance-failed", error: outcome });
    // More may be left; a write that arrived meanwhile is served before the next piece.
    else if (outcome !== undefined && outcome > 0) timer = setTimeout(maintain, 0);
    else eraseRemains(now);
  }

  function eraseRemains(now: number): void {
    clearTimeout(eraseTimer);
    let pause: number | undefined = RETRY_MS;
    try {
      pause = erase(now);
    } catch (error) {
      send({ kind: "maintenance-failed", error: packError(error) });
    }
    if (pause !== undefined) eraseTimer = setTimeout(() => (timer ??= setTimeout(maintain, 0)), pause);
  }

  function send(reply: WriterReply): void {
    port.postMessage(reply);
  }

  function stop(): void {
    clearTimeout(timer);
    clearTimeout(eraseTimer);
    database?.close();
    port.close();
  }
}

function openOrReport(
  port: NonNullable<typeof parentPort>,
  path: string,
): ReturnType<typeof openWriteConnection> | undefined {
  try {
    return openWriteConnection(path);
  } catch (error) {
    port.postMessage({ kind: "not-opened", error: packError(error) } satisfies WriterReply);
    return undefined;
  }
}
