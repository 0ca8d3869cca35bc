import type { JsonObject } from "#base";
import type { ModelRequest } from "../../contract.ts";

/** Members of a chat completion request for its thinking. Not every reasoning model knows `minimal`; chat completions have no setting for summaries. */
export function openAiThinking({ thinkingLevel }: ModelRequest): readonly JsonObject[] {
  if (!thinkingLevel) return [];
  const efforts = thinkingLevel === "minimal" ? ["minimal", "low"] : [thinkingLevel];
  return efforts.map((effort) => ({ reasoning_effort: effort }));
}
