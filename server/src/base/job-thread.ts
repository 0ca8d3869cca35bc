import { Worker } from "node:worker_threads";

/** Where jobs run, and for how long. */
interface JobThreadOptions {
  /** The module of the thread. It posts `{ result }` for each message, which is a job, before it reads the next one. */
  readonly file: URL;
  readonly name: string;
  /** Milliseconds for one job, the start of the thread included. */
  readonly timeoutMs: number;
  /** Heap limit, MB. */
  readonly heapMb: number;
}

/** Milliseconds after the last job for which a thread waits for another one: it takes some hundred to start. */
const IDLE_MS = 1_000;

/**
 * Runs jobs one after the other in a thread, so that the event loop serves other calls meanwhile. A job resolves to undefined when it fails or
 * takes too much time or memory; it never rejects. The thread starts with the first job, ends when there are none, and does not keep the process
 * alive.
 */
export function createJobThread<Job, Result>(options: JobThreadOptions): (job: Job) => Promise<Result | undefined> {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const end = (): void => {
    void worker?.terminate();
    worker = undefined;
  };
  const runNow = async (job: Job): Promise<Result | undefined> => {
    clearTimeout(idle);
    worker ??= startWorker(options);
    const answer = await runIn<Result>(worker, job, options.timeoutMs);
    waiting -= 1;
    if (!answer) end();
    else if (waiting === 0) idle = setTimeout(end, IDLE_MS).unref();
    return answer?.result;
  };
  return (job) => {
    waiting += 1;
    const result = last.then(() => runNow(job));
    last = result;
    return result;
  };
}

function startWorker({ file, name, heapMb }: JobThreadOptions): Worker {
  const worker = new Worker(file, { name, resourceLimits: { maxOldGenerationSizeMb: heapMb } });
  worker.unref();
  return worker;
}

/** Never rejects; undefined when the thread failed or timed out. */
function runIn<Result>(
  worker: Worker,
  job: unknown,
  timeoutMs: number,
): Promise<{ readonly result: Result } | undefined> {
  return new Promise((resolve) => {
    const settle = (answer: { readonly result: Result } | undefined) => {
      clearTimeout(timer);
      worker.removeAllListeners("message").removeAllListeners("exit").removeAllListeners("error");
      // An error of a terminated thread must not end the process.
      worker.on("error", () => {});
      resolve(answer);
    };
    const timer = setTimeout(() => settle(undefined), timeoutMs);
    // In watch mode, Node posts a message for each import.
    worker.on("message", (message: { readonly result: Result } | { readonly "watch:import": unknown }) => {
      if ("result" in message) settle(message);
    });
    worker.on("error", () => settle(undefined));
    worker.on("exit", () => settle(undefined));
    worker.postMessage(job);
  });
}
