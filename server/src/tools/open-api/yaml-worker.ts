import { parentPort } from "node:worker_threads";
import { type ParsedDocument, parseYamlDocument } from "./parse-document.ts";

/** What the thread answers. The document is text, because the main thread reads JSON five times as fast as a copy of many objects. */
export type YamlAnswer =
  | { readonly kind: "json"; readonly json: string }
  | Extract<ParsedDocument, { readonly kind: "unreadable" }>;

parentPort?.on("message", (text: string) => parentPort?.postMessage({ result: answer(text) }));

function answer(text: string): YamlAnswer {
  const parsed = parseYamlDocument(text);
  return parsed.kind === "document" ? { kind: "json", json: JSON.stringify(parsed.root) } : parsed;
}
