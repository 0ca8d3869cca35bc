import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { BannedPhrases } from "../guardrails/banned-phrases.ts";
import type { CustomDetectors } from "../redaction/builtin-detectors.ts";

/** Work on texts that are too long for the main thread. */
export type TextJob =
  | { readonly kind: "find-banned"; readonly banned: BannedPhrases; readonly text: string }
  | { readonly kind: "redact"; readonly custom: CustomDetectors; readonly texts: readonly string[] };

/** The result of a search for banned phrases. */
export interface BannedResult {
  /** The first phrase of the list that occurs. */
  readonly found: string | undefined;
  /** Why phrases cannot be used. */
  readonly problems: readonly string[];
}

/**
 * Searches long texts in threads of their own, so that the event loop serves other calls meanwhile. Each method resolves to undefined when
 * its thread takes more than 10 s or 512 MB.
 */
export interface TextThreads {
  findBanned(banned: BannedPhrases, text: string): Promise<BannedResult | undefined>;
  /** The texts in order, redacted by the built-in and these detectors. */
  redact(custom: CustomDetectors, texts: readonly string[]): Promise<readonly string[] | undefined>;
}

/** Milliseconds for one job; 20 MB of text take one or two seconds. */
const TIMEOUT_MS = 10_000;
/** Heap limit of a thread, MB. */
const HEAP_MB = 512;
/** Threads at once; further jobs wait. */
const MAX_THREADS = 2;

/** Creates the threads' queue. A thread exists for one job and does not keep the process alive. */
export function createTextThreads(timeoutMs: number = TIMEOUT_MS): TextThreads {
  const waiting: (() => void)[] = [];
  let running = 0;
  const run = async <Result>(job: TextJob): Promise<Result | undefined> => {
    if (running === MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await runIn<Result>(startWorker(), job, timeoutMs);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
  return {
    findBanned: (banned, text) => run<BannedResult>({ kind: "find-banned", banned, text }),
    redact: (custom, texts) => run<readonly string[]>({ kind: "redact", custom, texts }),
  };
}

function startWorker(): Worker {
  const file = new URL(`./text-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { name: "text-search", resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  worker.unref();
  return worker;
}

/** Never rejects; undefined when the thread failed or timed out. */
function runIn<Result>(worker: Worker, job: TextJob, timeoutMs: number): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const settle = (result: Result | undefined) => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // An error of a terminated thread must not end the process.
      worker.on("error", () => {});
      void worker.terminate();
      resolve(result);
    };
    const timer = setTimeout(() => settle(undefined), timeoutMs);
    worker.on("message", (message: { readonly result: Result } | { readonly "watch:import": unknown }) => {
      if ("result" in message) settle(message.result);
    });
    worker.on("error", () => settle(undefined));
    worker.on("exit", () => settle(undefined));
    worker.postMessage(job);
  });
}
