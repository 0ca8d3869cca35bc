import { definedFields, textOrJson } from "#base";
import { failed } from "./outcomes.ts";
import type { ToolKind } from "./tool-kind.ts";
import { toolName } from "./tool-name.ts";

/**
 * Another agent of the app, called like a function. It runs in a conversation of its own, and the calling agent stays the current
 * agent, whose variables change as the other one changed them (TOOL-24). The response is `{"response": …}`; `Tool.timeout` has no effect, as hosted (TOOL-25).
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
  execute: async ({ agent }, tool, { args }, { runAgent, python, signal }) => {
    if (!runAgent) return failed(`Agents cannot be called here (tool '${toolName(tool)}').`);
    const { request } = args;
    if (request === undefined) return failed("Missing parameter: request");
    const startedAt = performance.now();
    const text = textOrJson(request);
    const result = await runAgent(agent, text, { variables: python.state, signal });
    const durationMs = performance.now() - startedAt;
    if (result.kind === "failed") return failed(result.error, { durationMs });
    const { state, sources } = result;
    const record = { durationMs, output: [], state, ...definedFields({ sources }) };
    return { kind: "answered", response: { response: result.text }, ...record };
  },
};
