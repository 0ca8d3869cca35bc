import { definedFields } from "#base";
import { failed, NO_CHANGE } from "./outcomes.ts";
import type { ToolKind } from "./tool-kind.ts";
import { toolName } from "./tool-name.ts";

/**
 * Another agent of the app, called like a function. It runs in a conversation of its own, and the calling agent stays the current
 * agent (TOOL-24). The response is `{"response": …}`; `Tool.timeout` has no effect, as hosted (TOOL-25).
 */
export const agentTool: ToolKind<"agentTool"> = {
  runs: "server",
  declare: async ({ description, agent }, tool) => ({
    name: toolName(tool),
    description: description || `Asks the agent ${agent.slice(agent.lastIndexOf("/") + 1)} and answers what it says.`,
    parameters: {
      type: "object",
      properties: {
        request: { type: "string", description: "What the agent is asked, with all it has to know to answer." },
      },
      required: ["request"],
    },
  }),
  execute: async ({ agent }, tool, { args }, { runAgent, signal }) => {
    if (!runAgent) return failed(`Agents cannot be called here (tool '${toolName(tool)}').`);
    const { request } = args;
    if (request === undefined) return failed("Missing parameter: request");
    const startedAt = performance.now();
    const result = await runAgent(agent, typeof request === "string" ? request : JSON.stringify(request), signal);
    const durationMs = performance.now() - startedAt;
    if (result.kind === "failed") return failed(result.error, { durationMs });
    const { text, sources } = result;
    const record = { durationMs, output: [], state: NO_CHANGE, ...definedFields({ sources }) };
    return { kind: "answered", response: { response: text }, ...record };
  },
};
