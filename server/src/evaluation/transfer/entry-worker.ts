import { parentPort } from "node:worker_threads";
import { entryTexts } from "./entry-texts.ts";

parentPort?.on("message", (text: string) => parentPort?.postMessage({ result: entryTexts(text) }));
