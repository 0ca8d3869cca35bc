import { parentPort } from "node:worker_threads";
import type { Document } from "./document.ts";
import { type ParsedText, parseText } from "./parse-text.ts";
import { documentOfText } from "./source-document.ts";

/** A manifest to parse. */
export interface ManifestTextJob {
  readonly path: string;
  readonly text: string;
}

/** A parsed text, and its document where somebody has made it. */
export interface ManifestText {
  readonly parsed: ParsedText;
  readonly document?: Document;
}

parentPort?.on("message", (job: ManifestTextJob) => parentPort?.postMessage({ result: manifestText(job) }));

function manifestText({ path, text }: ManifestTextJob): ManifestText {
  const parsed = parseText(path, text);
  return parsed.kind === "broken" ? { parsed } : { parsed, document: documentOfText(path, text) };
}
