import { create } from "@bufbuild/protobuf";
import { ConnectorToolSchema } from "@frontdesk/protos/ces/connector_tool";
import type { ConnectorToolset } from "@frontdesk/protos/ces/connector_toolset";
import { authenticationProblems } from "../authentication-problems.ts";
import type { DiscoveredTool, ToolsetKind } from "../tool-kind.ts";
import { actionSpecId, parseActionSpec } from "./action-spec.ts";
import { connectorProblems } from "./connections.ts";

/** One connector tool for each action and operation that the toolset lists (connector_toolset.proto). */
export const connectorToolset: ToolsetKind<"connectorToolset"> = {
  local: true,
  open: async ({ connection, authConfig, connectorActions }) => {
    const found = new Map<string, DiscoveredTool>();
    for (const action of connectorActions) {
      const step = parseActionSpec(action);
      if (typeof step === "string" || found.has(actionSpecId(step))) continue;
      const value = create(ConnectorToolSchema, {
        connection,
        action,
        name: actionSpecId(step),
        ...(authConfig && { authConfig }),
      });
      found.set(actionSpecId(step), { toolId: actionSpecId(step), toolType: { case: "connectorTool", value } });
    }
    return [...found.values()];
  },
  problems: (definition, _toolset, { connectors }) => [
    ...connectorProblems(definition.connection, definition.authConfig, connectors),
    ...authenticationProblems({ endUserAuth: definition.authConfig }),
    ...actionProblems(definition),
  ],
};

/** What is left out when the toolset is opened. */
function actionProblems({ connectorActions }: ConnectorToolset): readonly string[] {
  const seen = new Set<string>();
  return connectorActions.flatMap((action, position) => {
    const step = parseActionSpec(action);
    const field = `connector_actions[${position}]`;
    if (typeof step === "string") return [`${field}: ${step}`];
    const twice = seen.has(actionSpecId(step));
    seen.add(actionSpecId(step));
    return twice ? [`${field}: '${actionSpecId(step)}' is there twice, the first one counts`] : [];
  });
}
