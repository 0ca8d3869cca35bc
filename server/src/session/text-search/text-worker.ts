import { parentPort } from "node:worker_threads";
import { prepareSearch } from "../guardrails/banned-phrases.ts";
import { redactText, withDetectors } from "../redaction/builtin-detectors.ts";
import type { BannedResult, TextJob } from "./text-threads.ts";

parentPort?.on("message", (job: TextJob) => parentPort?.postMessage({ result: resultOf(job) }));

function resultOf(job: TextJob): BannedResult | readonly string[] {
  switch (job.kind) {
    case "find-banned": {
      const { find, problems } = prepareSearch(job.banned);
      return { found: find(job.text), problems };
    }
    case "redact": {
      const detectors = withDetectors(job.custom);
      return job.texts.map((text) => redactText(text, detectors));
    }
  }
}
