import type { ConnectorTool } from "@frontdesk/protos/ces/connector_tool";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { failedPrecondition } from "#status";
import { NO_CHANGE } from "../merge-changes.ts";
import { failed } from "../outcomes.ts";
import { portableSchema } from "../portable-schema.ts";
import { limitsOf } from "../python-function.ts";
import { routeProblems } from "../route-problems.ts";
import type { KindDeps, ToolKind } from "../tool-kind.ts";
import { toolName } from "../tool-name.ts";
import { connectionNamed, connectorProblems } from "./connections.ts";
import { ConnectorError, type ConnectorStep, type StepDescription } from "./contract.ts";
import { describeStep } from "./describe-step.ts";
import { runStep } from "./run-step.ts";
import { stepId, stepOf } from "./step-of.ts";

/** Longest time for asking a connection for a schema, milliseconds. */
const DESCRIBE_TIMEOUT_MS = 15_000;

/**
 * One action of a connection, or one operation on its entities (ces-runtime 4.8). The connection itself says how it is described
 * to the model; a call answers `{"output": …}`.
 */
export const connectorTool: ToolKind<"connectorTool"> = {
  runs: "server",
  nameOf: ({ name, action }) => {
    const step = stepOf(action);
    return name || (typeof step === "string" ? undefined : stepId(step));
  },
  declare: async (definition, tool, deps) => {
    const { description, parameters, response } = await describe(definition, tool, deps);
    return {
      name: toolName(tool),
      description: definition.description || description,
      parameters: portableSchema(parameters),
      ...(response && { response: { type: "object", properties: { output: response } } }),
    };
  },
  problems: ({ connection, action, authConfig }, _tool, { connectors }) => {
    const step = stepOf(action);
    return [
      ...connectorProblems(connection, authConfig, connectors),
      ...(typeof step === "string" ? [step] : []),
      ...routeProblems({ endUserAuth: authConfig }),
    ];
  },
  execute: async (definition, tool, { args }, context, deps) => {
    const startedAt = performance.now();
    const { app, python, settings, signal } = context;
    const failure = (why: string) =>
      failed(`Calling connector tool '${toolName(tool)}' failed: ${why}`, {
        durationMs: performance.now() - startedAt,
      });
    const step = stepOf(definition.action);
    if (typeof step === "string" || !definition.action) return failure(String(step));
    try {
      const output = await runStep(step, definition.action, args, connectionOf(definition, deps), {
        context: { app, variables: python.state, settings, signal },
        timeoutMs: limitsOf(tool).wallMs,
        endUserAuth: definition.authConfig,
      });
      const durationMs = performance.now() - startedAt;
      return { kind: "answered", response: { output }, durationMs, output: [], state: NO_CHANGE };
    } catch (error) {
      if (error instanceof ConnectorError) return failure(error.message);
      throw error;
    }
  },
};

function connectionOf({ connection }: ConnectorTool, { connectors, outbound }: KindDeps) {
  return connectionNamed(connection, connectors, outbound);
}

/** Schemas are the connection's own, so no end user is needed for them. */
async function describe(definition: ConnectorTool, tool: Tool, deps: KindDeps): Promise<StepDescription> {
  const step: ConnectorStep | string = stepOf(definition.action);
  const app = /^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+/.exec(tool.name)?.[0] ?? "";
  const context = { app, variables: {}, signal: AbortSignal.timeout(DESCRIBE_TIMEOUT_MS) };
  try {
    if (typeof step === "string" || !definition.action) throw new ConnectorError(String(step));
    const call = { context, timeoutMs: DESCRIBE_TIMEOUT_MS };
    return await describeStep(step, definition.action, connectionOf(definition, deps), call);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    throw failedPrecondition(`Connector tool '${toolName(tool)}' cannot be described: ${error.message}.`, {
      reason: "CONNECTOR_UNAVAILABLE",
      metadata: { tool: tool.name },
    });
  }
}
