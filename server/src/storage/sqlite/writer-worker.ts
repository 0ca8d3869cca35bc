import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import {
  createBatchCommitter,
  type PackedFault,
  type PackedOutcome,
  type PackedWrite,
  packFault,
} from "./commit-batch.ts";
import { openWriteConnection } from "./write-connection.ts";

/** What the thread is started with. */
export interface WriterSettings {
  readonly path: string;
  /** A write for quiet moments, repeated while it changes rows. */
  readonly upkeep: PackedWrite;
}

/** To the thread: writes that wait, or "close". */
export type WriterRequest = readonly PackedWrite[] | "close";

/** From the thread: one outcome per write in the order they were sent, or a fault that no write can be told of. */
export type WriterReply =
  | { readonly kind: "outcomes"; readonly outcomes: readonly PackedOutcome[] }
  | { readonly kind: "upkeep-failed"; readonly fault: PackedFault }
  | { readonly kind: "not-opened"; readonly fault: PackedFault };

/** Without a write for this long, the moment counts as quiet. */
const QUIET_MS = 25;
/** Under a steady load, upkeep gets a turn at least this often. */
const UPKEEP_AT_LEAST_EVERY_MS = 1_000;

if (parentPort) serve(parentPort, workerData as WriterSettings);

function serve(port: NonNullable<typeof parentPort>, { path, upkeep }: WriterSettings): void {
  const database = openOrTell(port, path);
  if (!database) return;
  const commitBatch = createBatchCommitter(database);
  let lastWrite = 0;
  let lastUpkeep = performance.now();
  // At once: what a crash left behind is taken up.
  let timer: NodeJS.Timeout | undefined = setTimeout(keepUp, QUIET_MS);

  port.on("message", (first: WriterRequest) => {
    const { writes, close } = drain(port, first);
    if (writes.length > 0) send({ kind: "outcomes", outcomes: commitBatch(writes) });
    lastWrite = performance.now();
    if (close) stop();
    else timer ??= setTimeout(keepUp, QUIET_MS);
  });

  function keepUp(): void {
    timer = undefined;
    const now = performance.now();
    if (now - lastWrite < QUIET_MS && now - lastUpkeep < UPKEEP_AT_LEAST_EVERY_MS) {
      timer = setTimeout(keepUp, QUIET_MS);
      return;
    }
    lastUpkeep = now;
    const [outcome] = commitBatch([upkeep]);
    if (typeof outcome === "object") send({ kind: "upkeep-failed", fault: outcome });
    // More is left, perhaps; a write that arrived meanwhile is served before the next piece.
    else if (outcome !== undefined && outcome > 0) timer = setTimeout(keepUp, 0);
  }

  function send(reply: WriterReply): void {
    port.postMessage(reply);
  }

  function stop(): void {
    clearTimeout(timer);
    database?.close();
    port.close();
  }
}

function openOrTell(
  port: NonNullable<typeof parentPort>,
  path: string,
): ReturnType<typeof openWriteConnection> | undefined {
  try {
    return openWriteConnection(path);
  } catch (error) {
    port.postMessage({ kind: "not-opened", fault: packFault(error) } satisfies WriterReply);
    return undefined;
  }
}

/** Everything that came in while the last commit waited for the disk goes into the next one. */
function drain(
  port: NonNullable<typeof parentPort>,
  first: WriterRequest,
): { writes: readonly PackedWrite[]; close: boolean } {
  const writes: PackedWrite[] = [];
  for (
    let request: WriterRequest | undefined = first;
    request !== undefined;
    request = receiveMessageOnPort(port)?.message
  ) {
    if (request === "close") return { writes, close: true };
    writes.push(...request);
  }
  return { writes, close: false };
}
