import { extname } from "node:path";
import { createJobThread } from "#base";
import { type ParsedDocument, unreadable } from "./parse-document.ts";
import type { YamlAnswer } from "./yaml-worker.ts";

/** Parses long YAML documents in a worker thread. */
type YamlReader = (text: string) => Promise<ParsedDocument>;

/** Milliseconds for one document; one of six million characters needs a fifth of it. */
const TIMEOUT_MS = 30_000;
/** Heap limit of the thread, MB. */
const HEAP_MB = 512;

/** Creates the reader. It parses one text at a time. */
export function createYamlReader(): YamlReader {
  const run = createJobThread<string, YamlAnswer>({
    file: new URL(`./yaml-worker${extname(import.meta.filename)}`, import.meta.url),
    name: "open-api",
    timeoutMs: TIMEOUT_MS,
    heapMb: HEAP_MB,
  });
  return async (text) => {
    const answer =
      (await run(text)) ??
      unreadable("the schema takes too much time or memory to read as YAML; JSON of the same takes a fiftieth");
    return answer.kind === "json" ? { kind: "document", root: JSON.parse(answer.json) } : answer;
  };
}
