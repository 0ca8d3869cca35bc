import type { Tools } from "#tools";
import type { Metrics } from "./metrics.ts";

/** Counts the calls of tools by outcome: `answered` or `failed`. */
export function countTools(tools: Tools, { toolCalls }: Pick<Metrics, "toolCalls">): Tools {
  return {
    ...tools,
    async execute(tool, call, context) {
      const outcome = await tools.execute(tool, call, context);
      toolCalls.inc({ kind: tool.toolType.case ?? "unknown", outcome: outcome.kind });
      return outcome;
    },
  };
}
