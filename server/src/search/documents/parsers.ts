import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { oneAtATime } from "#base";
import type { Language } from "../text/languages.ts";
import type { DocumentKind } from "./parse-document.ts";
import type { ParseReply, ParseRequest, ParserReady } from "./parse-worker.ts";
import { DocumentFault } from "./parsed-document.ts";
import type { PreparedDocument } from "./prepare-document.ts";

/** Parses files in a worker thread, so that sessions do not wait, and terminates it when a file takes too much time or memory. */
export interface Parsers {
  /** The documents of a file, ready for the index. Default language: detected from the file. Rejects with `DocumentFault`, also beyond the limits. */
  parse(bytes: Uint8Array, kind: DocumentKind, language?: Language): Promise<readonly PreparedDocument[]>;
  close(): Promise<void>;
}

interface ParserLimits {
  /** Milliseconds for one file. Default 30,000. */
  readonly timeoutMs: number;
  /** Limit of the process's growth while one file is parsed, bytes. Default 768 MB; a large PDF takes a third of that. */
  readonly growth: number;
}

const DEFAULT_LIMITS: ParserLimits = { timeoutMs: 30_000, growth: 768 * 1024 * 1024 };
const MEMORY_CHECK_MS = 50;
/** Heap limit of the thread, MB. V8 does not count buffers, so the process's size is checked, too. */
const HEAP_MB = 512;

/** Creates the parsers. The thread starts with the first file and does not keep the process alive. */
export function createParsers(limits: ParserLimits = DEFAULT_LIMITS): Parsers {
  let worker: Worker | undefined;
  const inTurn = oneAtATime();

  const parseNow = async (request: ParseRequest): Promise<readonly PreparedDocument[]> => {
    worker ??= await startWorker();
    const reply = await parseIn(worker, request, limits).catch(async (error: unknown) => {
      await worker?.terminate();
      worker = undefined;
      throw error;
    });
    if ("fault" in reply) throw new DocumentFault(reply.fault);
    return reply.documents;
  };

  return {
    parse: (bytes, kind, language) => inTurn(() => parseNow({ bytes, kind, language })),
    close: async () => {
      await worker?.terminate();
      worker = undefined;
    },
  };
}

/** Message of Node for every import in watch mode. */
type WatchNotice = { readonly "watch:import": unknown };

/** Starts a thread and waits until it has loaded its parsers, so that loading does not count for the first file. */
async function startWorker(): Promise<Worker> {
  const file = new URL(`./parse-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { name: "search-parser", resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  worker.unref();
  return new Promise((resolve, reject) => {
    const failed = (error: unknown) => reject(new Error("the parser thread did not start", { cause: error }));
    const loaded = (message: ParserReady | WatchNotice) => {
      if (!("ready" in message)) return;
      worker.off("message", loaded).off("error", failed).off("exit", failed);
      resolve(worker);
    };
    worker.on("message", loaded).on("error", failed).on("exit", failed);
  });
}

function parseIn(worker: Worker, request: ParseRequest, limits: ParserLimits): Promise<ParseReply> {
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
    const onError = (error: Error) =>
      settle(() => reject(new DocumentFault(`it crashes the parser: ${error.message}`)));
    const onExit = () => settle(() => reject(new DocumentFault("it crashes the parser")));
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
