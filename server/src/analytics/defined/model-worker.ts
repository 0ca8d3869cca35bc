import { parentPort } from "node:worker_threads";
import { type ModelJob, runModelJob } from "./model-job.ts";

parentPort?.on("message", (job: ModelJob) => parentPort?.postMessage({ result: runModelJob(job) }));
