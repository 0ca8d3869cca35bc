import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { BannedPhrases } from "../guardrails/banned-phrases.ts";
import type { CustomDetectors } from "../redaction/builtin-detectors.ts";
import { WaitingByApp } from "./waiting-by-app.ts";

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

/** Threads that all apps share. */
export interface TextThreads {
  /** The threads for the texts of one app. Apps that wait for a thread get one in turns. */
  forApp(app: string): TextSearch;
}

/**
 * Searches long texts in threads of their own, so that the event loop serves other calls meanwhile. Each method resolves to undefined when
 * its thread takes more than 10 s or 512 MB.
 */
export interface TextSearch {
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

/** The result of a job; undefined when it failed or timed out. */
type RunJob = (job: TextJob) => Promise<unknown>;

/** Creates the threads' queue. A thread exists for one job and does not keep the process alive. */
export function createTextThreads(runJob: RunJob = inThread()): TextThreads {
  const waiting = new WaitingByApp();
  let running = 0;
  const run = async (app: string, job: TextJob): Promise<unknown> => {
    if (running === MAX_THREADS) await waiting.wait(app);
    else running++;
    try {
      return await runJob(job);
    } finally {
      // The thread's place goes to the next call, so `running` stays.
      if (!waiting.startNext()) running--;
    }
  };
  return {
    forApp: (app) => ({
      // A job has the result of its kind.
      findBanned: (banned, text) =>
        run(app, { kind: "find-banned", banned, text }) as Promise<BannedResult | undefined>,
      redact: (custom, texts) => run(app, { kind: "redact", custom, texts }) as Promise<readonly string[] | undefined>,
    }),
  };
}

/** Runs each job in a thread of its own, for at most this time. */
export function inThread(timeoutMs: number = TIMEOUT_MS): RunJob {
  return (job) => runIn(startWorker(), job, timeoutMs);
}

function startWorker(): Worker {
  const file = new URL(`./text-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { name: "text-search", resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  worker.unref();
  return worker;
}

/** Never rejects; undefined when the thread failed or timed out. */
function runIn(worker: Worker, job: TextJob, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (result: unknown) => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // An error of a terminated thread must not end the process.
      worker.on("error", () => {});
      void worker.terminate();
      resolve(result);
    };
    const timer = setTimeout(() => settle(undefined), timeoutMs);
    worker.on("message", (message: { readonly result: unknown } | { readonly "watch:import": unknown }) => {
      if ("result" in message) settle(message.result);
    });
    worker.on("error", () => settle(undefined));
    worker.on("exit", () => settle(undefined));
    worker.postMessage(job);
  });
}
