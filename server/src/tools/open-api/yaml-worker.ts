import { parentPort } from "node:worker_threads";
import { parseYamlDocument } from "./parse-document.ts";

parentPort?.on("message", (text: string) => parentPort?.postMessage({ result: parseYamlDocument(text) }));
