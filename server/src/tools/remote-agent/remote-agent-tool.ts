import type { RemoteAgentTool } from "@frontdesk/protos/ces/agent_card";
import { type JsonObject, textOrJson } from "#base";
import type { OutboundRoute } from "#outbound";
import { authenticationProblems } from "../authentication-problems.ts";
import type { AnsweredTool, FailedTool, ToolContext } from "../contract.ts";
import { failed, NO_CHANGE, noticeLines } from "../outcomes.ts";
import type { ToolKind } from "../tool-kind.ts";
import { toolLimits } from "../tool-limits.ts";
import { toolName } from "../tool-name.ts";
import { credentialFor, type RemoteAgentCredential } from "./remote-agent-credentials.ts";
import { cardProblems, interfaceOf } from "./remote-agents.ts";
import { inputsOf, outputsOf, withExtension } from "./remote-variables.ts";
import type { PartsContent, RemoteAgentResult } from "./task-events.ts";

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
  problems: ({ agentCard, apiAuthentication }) => [
    ...(agentCard ? cardProblems(agentCard) : ["agent_card is missing, so there is no agent to call"]),
    ...authenticationProblems({ apiAuthentication }),
  ],
  execute: async (definition, tool, { id, args }, context, { outbound, remoteAgents, remoteAgentCredentials }) => {
    const { request } = args;
    const { agentCard } = definition;
    if (request === undefined) return failed("Missing parameter: request");
    if (!agentCard) return failed(`Remote agent '${toolName(tool)}' has no agent card.`);
    const startedAt = performance.now();
    const timeoutMs = toolLimits(tool).wallMs;
    const { app, python, settings, signal, remote: reception } = context;
    const text = textOrJson(request);
    const address = interfaceOf(agentCard)?.url;
    const route = routeOf(definition, address, app, remoteAgentCredentials);
    const output = noticeLines(address && outbound.missingGoogleToken(address, route));
    const fetch = outbound.webFetch(route, { app, variables: python.state, settings, signal }, { timeoutMs });
    const result = await remoteAgents.send(
      {
        id: `${python.invocationId || "call"}-${id}`,
        text,
        metadata: inputsOf(definition, python.state),
        ...continuation(definition, tool.name, context),
      },
      { card: agentCard, fetch: withExtension(fetch, definition), timeoutMs, signal, reception },
    );
    if (result.kind !== "failed") reception?.onFiles(result.raw);
    const state = { set: result.kind === "failed" ? {} : outputsOf(definition, result.metadata), removed: [] };
    return { ...toOutcome(result, toolName(tool), performance.now() - startedAt), output, state };
  },
};

/** The tool's own authentication, else the operator's for the agent's origin. */
function routeOf(
  { apiAuthentication }: RemoteAgentTool,
  address: string | undefined,
  app: string,
  credentials: readonly RemoteAgentCredential[],
): OutboundRoute {
  if (apiAuthentication?.authConfig.case !== undefined) return { apiAuthentication };
  const own = address === undefined ? undefined : credentialFor(address, app, credentials);
  return { apiAuthentication: own, byOperator: true };
}

function descriptionOf({ description, agentCard }: RemoteAgentTool): string {
  const skills = (agentCard?.skills ?? []).map((skill) => `${skill.name}: ${skill.description}`);
  return [description || agentCard?.description, ...skills].filter(Boolean).join("\n");
}

/** The open task in the last response of the agent in this session, and its context: kept for a stateful agent, else while it waits for input. */
function continuation(
  { statefulAgent }: RemoteAgentTool,
  tool: string,
  { lastResponse }: ToolContext,
): { contextId?: string; taskId?: string } {
  const { contextId, taskId, state } = lastResponse?.(tool) ?? {};
  const waits = state === "input-required";
  return {
    ...(typeof contextId === "string" && (waits || statefulAgent) && { contextId }),
    ...(typeof taskId === "string" && waits && { taskId }),
  };
}

function toOutcome(result: RemoteAgentResult, name: string, durationMs: number): AnsweredTool | FailedTool {
  const context: JsonObject = result.contextId ? { contextId: result.contextId } : {};
  if (result.kind === "failed") {
    const { error, content } = result;
    const { response, ...others } = content ? contentOf(content) : { response: "" };
    const more = { ...(response !== "" && { response }), ...others, ...context };
    return failed(`Calling remote agent '${name}' failed: ${error}`, { durationMs }, more);
  }
  const response: JsonObject = {
    ...contentOf(result),
    ...(result.kind === "input-required" && { state: "input-required", taskId: result.taskId }),
    ...context,
  };
  return { kind: "answered", response, durationMs, output: [], state: NO_CHANGE };
}

function contentOf({ text, data, files }: PartsContent) {
  return {
    response: text,
    ...(data.length > 0 && { data: [...data] }),
    ...(files.length > 0 && { files: [...files] }),
  };
}
