import type { ToolResponse } from "@frontdesk/protos/ces/example";
import { collapseUnderscores } from "#base";
import type { ToolMocks } from "#tools";
import { toolKey } from "../observation/observed-turn.ts";
import type { GoldenTurn } from "./golden-turns.ts";

/** Whether a tool (resource name) runs at the client, which an evaluation does not have. */
type IsClientTool = (tool: string) => boolean;

/**
 * The tool responses that a golden gives for a turn (EVAL-12): its mocks, and the expected responses of tools that only a client could
 * answer. Calls of one tool get its responses one after the other, further calls the last; other tools are called.
 */
export function goldenMocks({ expectations }: GoldenTurn, isClientTool: IsClientTool): ToolMocks | undefined {
  const responses = expectations.flatMap(({ condition }): readonly ToolResponse[] => {
    if (condition.case === "mockToolResponse") return [condition.value];
    const isClients = condition.case === "toolResponse" && isClientTool(toolKey(condition.value));
    return isClients ? [condition.value as ToolResponse] : [];
  });
  return responses.length === 0 ? undefined : mocksOf(responses);
}

/** Mocks from responses in their order. */
export function mocksOf(responses: readonly ToolResponse[]): ToolMocks {
  const byTool = Map.groupBy(responses, (response) => collapseUnderscores(toolKey(response)));
  const asked = new Map<string, number>();
  return {
    answer: ({ name }) => {
      const key = collapseUnderscores(name);
      const [known, at] = [byTool.get(key), asked.get(key) ?? 0];
      if (!known) return undefined;
      asked.set(key, at + 1);
      return known[Math.min(at, known.length - 1)]?.response ?? {};
    },
  };
}
