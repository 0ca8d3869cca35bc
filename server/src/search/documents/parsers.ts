import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { DocumentKind } from "./parse-document.ts";
import type { ParseReply, ParseRequest } from "./parse-worker.ts";
import { DocumentFault } from "./parsed-document.ts";
import type { PreparedDocument } from "./prepare-document.ts";

/** Reads files in a thread of its own, so that a conversation never waits for one, and ends it when a file takes too much. */
export interface Parsers {
  /** The documents in a file, ready to be indexed. Rejects with `DocumentFault` when it cannot be read in bounded time and memory. */
  parse(bytes: Uint8Array, kind: DocumentKind): Promise<readonly PreparedDocument[]>;
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

  const parseNow = async (bytes: Uint8Array, kind: DocumentKind): Promise<readonly PreparedDocument[]> => {
    worker ??= startWorker();
    const reply = await ask(worker, { bytes, kind }, limits).catch(async (error: unknown) => {
      await worker?.terminate();
      worker = undefined;
      throw error;
    });
    if ("fault" in reply) throw new DocumentFault(reply.fault);
    return reply.documents;
  };

  return {
    parse: (bytes, kind) => {
      const result = last.then(() => parseNow(bytes, kind));
      last = result.catch(() => {});
      return result;
    },
    close: async () => {
      await worker?.terminate();
      worker = undefined;
    },
  };
}

function startWorker(): Worker {
  const file = new URL(`./parse-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { name: "search-parser", resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  worker.unref();
  return worker;
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
    const onMessage = (reply: ParseReply | { readonly "watch:import": unknown }) => {
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
