import type { RemoteAgentTool } from "@frontdesk/protos/ces/agent_card";
import type { JsonObject } from "#base";
import type { OutboundRoute } from "#outbound";
import type { AnsweredTool, FailedTool, ToolContext } from "../contract.ts";
import { failed, NO_CHANGE, noticeLines, toolError } from "../outcomes.ts";
import type { ToolKind } from "../tool-kind.ts";
import { toolLimits } from "../tool-limits.ts";
import { toolName } from "../tool-name.ts";
import { credentialFor } from "./remote-agent-credentials.ts";
import { interfaceOf } from "./remote-agents.ts";
import type { RemoteAgentResult } from "./task-events.ts";

/**
 * A remote agent that speaks A2A, called like a function (TOOL-26). The function response is `{"response": "<text>"}`, with data
 * and files beside it. It includes the ids of context and open task: the next call of the conversation reads them from the last
 * response, so that any replica can continue the task.
 */
export const remoteAgentTool: ToolKind<"remoteAgentTool"> = {
  runs: "server",
  declare: async (definition, tool) => ({
    name: toolName(tool),
    description: descriptionOf(definition),
    parameters: {
      type: "object",
      properties: {
        request: { type: "string", description: "What the agent is asked, with all it has to know to answer." },
      },
      required: ["request"],
    },
    response: { type: "object", properties: { response: { type: "string" } } },
  }),
  problems: ({ agentCard }) => {
    if (!agentCard) return ["agent_card is missing, so there is no agent to call"];
    if (interfaceOf(agentCard)) return [];
    return ["agent_card.supported_interfaces: none is JSONRPC or HTTP+JSON at an absolute http or https URL"];
  },
  execute: async ({ agentCard }, tool, { id, args }, context, { outbound, remoteAgents, remoteAgentCredentials }) => {
    const { request } = args;
    if (request === undefined) return failed("Missing parameter: request");
    if (!agentCard) return failed(`Remote agent '${toolName(tool)}' has no agent card.`);
    const startedAt = performance.now();
    const timeoutMs = toolLimits(tool).wallMs;
    const { app, python, settings, signal } = context;
    const text = typeof request === "string" ? request : JSON.stringify(request);
    const address = interfaceOf(agentCard)?.url;
    const apiAuthentication = address === undefined ? undefined : credentialFor(address, app, remoteAgentCredentials);
    const route: OutboundRoute = { apiAuthentication, byOperator: true };
    const output = noticeLines(address && outbound.missingGoogleToken(address, route));
    const fetch = outbound.webFetch(route, { app, variables: python.state, settings, signal }, { timeoutMs });
    const result = await remoteAgents.send(
      { id: `${python.invocationId || "call"}-${id}`, text, ...continuation(tool.name, context) },
      { card: agentCard, fetch, timeoutMs, signal },
    );
    return { ...toOutcome(result, toolName(tool), performance.now() - startedAt), output };
  },
};

function descriptionOf({ description, agentCard }: RemoteAgentTool): string {
  const skills = (agentCard?.skills ?? []).map((skill) => `${skill.name}: ${skill.description}`);
  return [description || agentCard?.description, ...skills].filter(Boolean).join("\n");
}

/** The context and the open task in the last response of the agent in this session. A finished task is not continued. */
function continuation(tool: string, { lastResponse }: ToolContext): { contextId?: string; taskId?: string } {
  const { contextId, taskId, state } = lastResponse?.(tool) ?? {};
  return {
    ...(typeof contextId === "string" && { contextId }),
    ...(typeof taskId === "string" && state === "input-required" && { taskId }),
  };
}

function toOutcome(result: RemoteAgentResult, name: string, durationMs: number): AnsweredTool | FailedTool {
  const context: JsonObject = result.contextId ? { contextId: result.contextId } : {};
  if (result.kind === "failed") {
    const error = `Calling remote agent '${name}' failed: ${result.error}`;
    return { ...failed(error, { durationMs }), response: { ...toolError(error), ...context } };
  }
  const { text, data, files } = result;
  const response: JsonObject = {
    response: text,
    ...(data.length > 0 && { data: [...data] }),
    ...(files.length > 0 && { files: [...files] }),
    ...(result.kind === "input-required" && { state: "input-required", taskId: result.taskId }),
    ...context,
  };
  return { kind: "answered", response, durationMs, output: [], state: NO_CHANGE };
}
