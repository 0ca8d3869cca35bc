import { parentPort } from "node:worker_threads";
import { parseYamlDocument } from "./parse-document.ts";

/** One text at a time: the other side waits for the answer before it sends the next one. */
parentPort?.on("message", (text: string) => parentPort?.postMessage(parseYamlDocument(text)));
