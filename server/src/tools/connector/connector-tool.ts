import type { ConnectorTool } from "@frontdesk/protos/ces/connector_tool";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { appOfName } from "#base";
import { failedPrecondition } from "#status";
import { authenticationProblems } from "../authentication-problems.ts";
import { failed, NO_CHANGE } from "../outcomes.ts";
import { portableSchema } from "../schema/portable-schema.ts";
import type { KindDeps, ToolKind } from "../tool-kind.ts";
import { toolLimits } from "../tool-limits.ts";
import { toolName } from "../tool-name.ts";
import { actionSpecId, parseActionSpec } from "./action-spec.ts";
import { connectorProblems, openConnection } from "./connections.ts";
import { type ActionDescription, type ActionSpec, ConnectorError } from "./contract.ts";
import { describeAction } from "./describe-action.ts";
import { runAction } from "./run-action.ts";

/** Timeout of reading a schema from a connection, milliseconds. */
const DESCRIBE_TIMEOUT_MS = 15_000;

/**
 * One action of a connection, or one operation on its entities (TOOL-37). Its schema comes from the
 * connection; the function response is `{"output": …}`.
 */
export const connectorTool: ToolKind<"connectorTool"> = {
  runs: "server",
  nameOf: ({ name, action }) => {
    const spec = parseActionSpec(action);
    return name || (typeof spec === "string" ? undefined : actionSpecId(spec));
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
  problems: ({ connection, action, authConfig }, { name }, { connectors }) => {
    const spec = parseActionSpec(action);
    return [
      ...connectorProblems(connection, authConfig, appOfName(name), connectors),
      ...(typeof spec === "string" ? [spec] : []),
      ...authenticationProblems({ endUserAuth: authConfig }),
    ];
  },
  execute: async (definition, tool, { args }, context, deps) => {
    const startedAt = performance.now();
    const { app, python, settings, signal } = context;
    const failure = (why: string) =>
      failed(`Calling connector tool '${toolName(tool)}' failed: ${why}`, {
        durationMs: performance.now() - startedAt,
      });
    const spec = parseActionSpec(definition.action);
    if (typeof spec === "string" || !definition.action) return failure(String(spec));
    try {
      const output = await runAction(spec, definition.action, args, connectionOf(definition, app, deps), {
        context: { app, variables: python.state, settings, signal },
        timeoutMs: toolLimits(tool).wallMs,
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

function connectionOf({ connection }: ConnectorTool, app: string, deps: KindDeps) {
  return openConnection(connection, app, deps);
}

/** Reads the schemas, which do not depend on the end user. */
async function describe(definition: ConnectorTool, tool: Tool, deps: KindDeps): Promise<ActionDescription> {
  const spec: ActionSpec | string = parseActionSpec(definition.action);
  const app = appOfName(tool.name);
  const context = { app, variables: {}, signal: AbortSignal.timeout(DESCRIBE_TIMEOUT_MS) };
  try {
    if (typeof spec === "string" || !definition.action) throw new ConnectorError(String(spec));
    const call = { context, timeoutMs: DESCRIBE_TIMEOUT_MS };
    return await describeAction(spec, definition.action, connectionOf(definition, app, deps), call);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    throw failedPrecondition(`Connector tool '${toolName(tool)}' cannot be described: ${error.message}.`, {
      reason: "CONNECTOR_UNAVAILABLE",
      metadata: { tool: tool.name },
    });
  }
}
