import { appendToPrompt } from "./append-to-prompt.ts";
import type { RequestProcessor } from "./request-processors.ts";

/** The agent's few-shot examples. */
export const fewShotExamples: RequestProcessor = (request, { agent }) => appendToPrompt(request, agent.examples);
