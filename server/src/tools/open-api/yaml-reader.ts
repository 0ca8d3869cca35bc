import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type ParsedDocument, unreadable } from "./parse-document.ts";

/** Parses long YAML documents in a worker thread. */
type YamlReader = (text: string) => Promise<ParsedDocument>;

/** Milliseconds for one document; the longest allowed document needs a tenth of it. */
const TIMEOUT_MS = 30_000;
/** Heap limit of the thread, MB. */
const HEAP_MB = 512;

/** Creates the reader. It parses one text at a time, in a thread that exists while texts are waiting and does not keep the process alive. */
export function createYamlReader(): YamlReader {
  let worker: Worker | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const readNow = async (text: string): Promise<ParsedDocument> => {
    worker ??= startWorker();
    const document = await parseIn(worker, text);
    waiting -= 1;
    if (waiting === 0 || document === undefined) {
      void worker.terminate();
      worker = undefined;
    }
    return document ?? unreadable("the schema takes too much time or memory to read");
  };
  return (text) => {
    waiting += 1;
    const result = last.then(() => readNow(text));
    last = result;
    return result;
  };
}

function startWorker(): Worker {
  const file = new URL(`./yaml-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { name: "open-api", resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  worker.unref();
  return worker;
}

/** Never rejects; undefined when the thread failed or timed out. */
function parseIn(worker: Worker, text: string): Promise<ParsedDocument | undefined> {
  return new Promise((resolve) => {
    const settle = (document: ParsedDocument | undefined) => {
      clearTimeout(timer);
      worker.removeAllListeners("message").removeAllListeners("exit").removeAllListeners("error");
      // An error of a terminated thread must not end the process.
      worker.on("error", () => {});
      resolve(document);
    };
    const timer = setTimeout(() => settle(undefined), TIMEOUT_MS);
    worker.on("message", (message: ParsedDocument | { readonly "watch:import": unknown }) => {
      if ("kind" in message) settle(message);
    });
    worker.on("error", () => settle(undefined));
    worker.on("exit", () => settle(undefined));
    worker.postMessage(text);
  });
}
