import { parentPort } from "node:worker_threads";
import { parseYamlDocument } from "./parse-document.ts";

/** Parses one text at a time: the sender waits for the result before it sends the next one. */
parentPort?.on("message", (text: string) => parentPort?.postMessage(parseYamlDocument(text)));
