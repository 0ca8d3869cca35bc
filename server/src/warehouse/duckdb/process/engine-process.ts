import { type ChildProcess, spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { setPriority } from "node:os";
import { dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { requirePackage } from "#status";
import { QueryError } from "../../contract.ts";
import { fromEngineError } from "./engine-error.ts";
import { processMemory, residentMemory } from "./memory-limit.ts";
import type { EngineArguments, EngineConfig, EngineMethod, EngineResult, FromEngine, ToEngine } from "./protocol.ts";

/** A process ended while it worked on a call. `alone`: no other call was running, so that this one is why. */
export class EngineEnded extends Error {
  override readonly name = "EngineEnded";
  readonly alone: boolean;

  constructor(alone: boolean, how: string) {
    super(`the engine process ended: ${how}`);
    this.alone = alone;
  }
}

/** How long a call may take, and what cancels it. */
export interface CallLimits {
  /** Milliseconds until the process is killed because of the call. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** DuckDB in a process of its own (CA-33), whose memory the operating system limits. */
export interface EngineProcess {
  /** Rejects with `EngineEnded` when the process ends meanwhile, and with QueryError "timeout" when it was killed because of this call. */
  call<Method extends EngineMethod>(
    method: Method,
    args: EngineArguments<Method>,
    limits: CallLimits,
  ): Promise<EngineResult<Method>>;
  /** Takes no more calls from here on: it has ended, or has reached its memory limit. */
  readonly retired: boolean;
  kill(): void;
}

const PROGRAM = fileURLToPath(new URL(`./program${extname(import.meta.filename)}`, import.meta.url));
const FLAGS = ["--disable-warning=ExperimentalWarning", "--max-old-space-size=512"];
/** Lower than the server's: its answers do not wait for a statement. */
const PRIORITY = 5;

/** A statement takes a thread for as long as it runs. As many as may run leave threads for what is quick: checks, plans and lists of tables (CA-64). */
const THREADS = "8";

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** Starts the process and opens the engine in it. Rejects with the error of the engine when it cannot be opened. */
export async function startEngineProcess(config: EngineConfig): Promise<EngineProcess> {
  requirePackage("@duckdb/node-api", "Questions to files and to the sample shop");
  const child = spawnLimited(config);
  const watch = watchMemory(child, processMemory(config.memory).resident);
  const waiting = new Map<number, Waiting>();
  let [next, retired] = [1, false];
  let timedOut: number | undefined;

  const ready = new Promise<void>((resolve, reject) => {
    child.on("message", (message: FromEngine) => {
      if (message.kind === "ready") return message.error ? reject(fromEngineError(message.error)) : resolve();
      const call = waiting.get(message.id);
      if (message.kind === "error" && message.exhausted) {
        retired = true;
        call?.reject(new EngineEnded(false, "it reached its memory limit"));
      } else if (message.kind === "error") call?.reject(fromEngineError(message.error));
      else call?.resolve(message.value as never);
      if (retired && waiting.size === 0) child.kill("SIGKILL");
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      retired = true;
      const how = signal ?? `exit code ${code}`;
      reject(new Error(`the engine process ended at its start: ${how}`));
      const alone = waiting.size === 1;
      for (const [id, { reject: fail }] of waiting) {
        if (id === timedOut)
          fail(new QueryError("timeout", "The query took too long and did not stop, so it was ended."));
        else fail(new EngineEnded(alone && timedOut === undefined, how));
      }
    });
  });
  send(child, { kind: "configure", config });
  await ready;
  const rest = () => {
    watch.stop();
    unref(child);
  };
  rest();
  return {
    get retired() {
      return retired;
    },
    kill: () => child.kill("SIGKILL"),
    call: (method, args, { timeoutMs, signal }) =>
      new Promise((resolve, reject) => {
        if (retired) return reject(new EngineEnded(false, "before the call"));
        const id = next++;
        const cancel = () => send(child, { kind: "cancel", id });
        const timer = setTimeout(() => {
          timedOut ??= id;
          child.kill("SIGKILL");
        }, timeoutMs);
        const done = () => {
          waiting.delete(id);
          if (waiting.size === 0) rest();
          clearTimeout(timer);
          signal?.removeEventListener("abort", cancel);
        };
        waiting.set(id, {
          resolve: (value) => {
            done();
            resolve(value);
          },
          reject: (error) => {
            done();
            reject(error);
          },
        });
        watch.start();
        child.ref();
        child.channel?.ref();
        send(child, { kind: "call", id, method, args });
        if (signal?.aborted) cancel();
        signal?.addEventListener("abort", cancel, { once: true });
      }),
  };
}

/**
 * The shell sets the limit of memory that holds between two looks, which Node cannot set, and becomes the program. The process needs no environment variable, and some
 * are keys. On Windows DuckDB's own limit is the only one. It has a process group of its own, so that Ctrl-C in the terminal does not end it before the server's last
 * questions are answered; it ends when the server does.
 */
function spawnLimited({ memory }: EngineConfig): ChildProcess {
  // Node makes a folder for its version in the one that it is given.
  const compileCache = getCompileCacheDir();
  const program = [process.execPath, ...FLAGS, PROGRAM] as const;
  const [command, ...args] =
    process.platform === "win32"
      ? program
      : ["/bin/sh", "-c", 'ulimit -d "$0" && exec "$@"', String(processMemory(memory).data), ...program];
  const child = spawn(command, args, {
    env: { UV_THREADPOOL_SIZE: THREADS, ...(compileCache && { NODE_COMPILE_CACHE: dirname(compileCache) }) },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    detached: process.platform !== "win32",
  });
  if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  return child;
}

/** Milliseconds between two looks at the memory of a process that works. */
const WATCH_MS = 100;

/** Ends the process when it uses more memory than it may. An idle process is not looked at. */
function watchMemory(child: ChildProcess, mostKiB: number) {
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if ((residentMemory(child.pid ?? 0) ?? 0) > mostKiB) child.kill("SIGKILL");
  };
  return {
    start(): void {
      timer ??= setInterval(look, WATCH_MS).unref();
    },
    stop(): void {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** An idle engine does not keep its server from ending. */
function unref(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function send(child: ChildProcess, message: ToEngine): void {
  // An error means that the process has ended, which its exit tells to all calls.
  if (child.connected) child.send(message, () => undefined);
}
