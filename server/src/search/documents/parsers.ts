import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Language } from "../text/languages.ts";
import type { DocumentKind } from "./parse-document.ts";
import type { ParseReply, ParseRequest, ParserReady } from "./parse-worker.ts";
import { DocumentFault } from "./parsed-document.ts";
import type { PreparedDocument } from "./prepare-document.ts";

/** Reads files in a thread of its own, so that a conversation never waits for one, and ends it when a file takes too much. */
export interface Parsers {
  /** The documents in a file, ready to be indexed; their language is the file's, as far as that tells, unless it is given. Rejects with `DocumentFault` when it cannot be read in bounded time and memory. */
  parse(bytes: Uint8Array, kind: DocumentKind, language?: Language): Promise<readonly PreparedDocument[]>;
  close(): Promise<void>;
}

export interface ParserLimits {
  /** Milliseconds for one file. Default 30,000. */
  readonly timeoutMs: number;
  /** How far the process may grow while one file is read, bytes. Default 768 MB: a large PDF takes a third of that. */
  readonly growth: number;
}

const DEFAULT_LIMITS: ParserLimits = { timeoutMs: 30_000, growth: 768 * 1024 * 1024 };
const MEMORY_CHECK_MS = 50;
/** What V8 may hold in the thread, MB; buffers, which it does not count, are watched from outside. */
const HEAP_MB = 512;

/** Creates the parsers; the thread starts with the first file, and keeps no process alive. */
export function createParsers(limits: ParserLimits = DEFAULT_LIMITS): Parsers {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const parseNow = async (request: ParseRequest): Promise<readonly PreparedDocument[]> => {
    worker ??= await startWorker();
    const reply = await ask(worker, request, limits).catch(async (error: unknown) => {
      await worker?.terminate();
      worker = undefined;
      throw error;
    });
    if ("fault" in reply) throw new DocumentFault(reply.fault);
    return reply.documents;
  };

  return {
    parse: (bytes, kind, language) => {
      const result = last.then(() => parseNow({ bytes, kind, language }));
      last = result.catch(() => {});
      return result;
    },
    close: async () => {
      await worker?.terminate();
      worker = undefined;
    },
  };
}

/** What Node tells of every import where it watches files. */
type WatchNotice = { readonly "watch:import": unknown };

/** A thread that has loaded what it reads with: what that takes is no file's fault. */
async function startWorker(): Promise<Worker> {
  const file = new URL(`./parse-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { name: "search-parser", resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  worker.unref();
  return new Promise((resolve, reject) => {
    const failed = (error: unknown) => reject(new Error("the thread that reads files did not start", { cause: error }));
    const loaded = (message: ParserReady | WatchNotice) => {
      if (!("ready" in message)) return;
      worker.off("message", loaded).off("error", failed).off("exit", failed);
      resolve(worker);
    };
    worker.on("message", loaded).on("error", failed).on("exit", failed);
  });
}

function ask(worker: Worker, request: ParseRequest, limits: ParserLimits): Promise<ParseReply> {
  return new Promise((resolve, reject) => {
    const before = process.memoryUsage.rss();
    const timer = setTimeout(
      () => settle(() => reject(new DocumentFault(`it takes longer than ${limits.timeoutMs / 1000} s to read`))),
      limits.timeoutMs,
    );
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > limits.growth)
        settle(() => reject(new DocumentFault("it takes too much memory to read")));
    }, MEMORY_CHECK_MS);
    const onMessage = (reply: ParseReply | WatchNotice) => {
      if (!("watch:import" in reply)) settle(() => resolve(reply));
    };
    const onError = (error: Error) => settle(() => reject(new DocumentFault(`it ends the reader: ${error.message}`)));
    const onExit = () => settle(() => reject(new DocumentFault("it ends the reader")));
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      clearInterval(watch);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      outcome();
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(request);
  });
}
