import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type ParsedDocument, unreadable } from "./parse-document.ts";

/** Reads long documents in YAML beside the conversations. */
export type YamlReader = (text: string) => Promise<ParsedDocument>;

/** Milliseconds for one document; the longest that is taken needs a tenth of it. */
const TIMEOUT_MS = 30_000;
/** What the thread may hold, MB. */
const HEAP_MB = 512;

/** Creates the reader: one text after the other, in a thread that is there as long as texts are waiting and keeps no process alive. */
export function createYamlReader(): YamlReader {
  let worker: Worker | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const readNow = async (text: string): Promise<ParsedDocument> => {
    worker ??= startWorker();
    const answer = await ask(worker, text);
    waiting -= 1;
    if (waiting === 0 || answer === undefined) {
      void worker.terminate();
      worker = undefined;
    }
    return answer ?? unreadable("the schema takes too much time or memory to read");
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

/** Never rejects; undefined when the thread gave no answer. */
function ask(worker: Worker, text: string): Promise<ParsedDocument | undefined> {
  return new Promise((resolve) => {
    const settle = (answer: ParsedDocument | undefined) => {
      clearTimeout(timer);
      worker.removeAllListeners("message").removeAllListeners("exit").removeAllListeners("error");
      // What the thread says after it was given up is nobody's business, and no reason to end the server.
      worker.on("error", () => {});
      resolve(answer);
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
