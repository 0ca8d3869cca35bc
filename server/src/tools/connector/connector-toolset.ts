import { create } from "@bufbuild/protobuf";
import { ConnectorToolSchema } from "@frontdesk/protos/ces/connector_tool";
import type { ConnectorToolset } from "@frontdesk/protos/ces/connector_toolset";
import { appOfName, definedFields } from "#base";
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
      const spec = parseActionSpec(action);
      if (typeof spec === "string" || found.has(actionSpecId(spec))) continue;
      const value = create(ConnectorToolSchema, {
        connection,
        action,
        name: actionSpecId(spec),
        ...definedFields({ authConfig }),
      });
      found.set(actionSpecId(spec), { toolId: actionSpecId(spec), toolType: { case: "connectorTool", value } });
    }
    return [...found.values()];
  },
  problems: (definition, { name }, { connectors }) => [
    ...connectorProblems(definition.connection, definition.authConfig, appOfName(name), connectors),
    ...authenticationProblems({ endUserAuth: definition.authConfig }),
    ...actionProblems(definition),
  ],
};

/** Validation errors of actions, which are left out of the list. */
function actionProblems({ connectorActions }: ConnectorToolset): readonly string[] {
  const seen = new Set<string>();
  return connectorActions.flatMap((action, position) => {
    const spec = parseActionSpec(action);
    const field = `connector_actions[${position}]`;
    if (typeof spec === "string") return [`${field}: ${spec}`];
    const twice = seen.has(actionSpecId(spec));
    seen.add(actionSpecId(spec));
    return twice ? [`${field}: '${actionSpecId(spec)}' occurs twice; the first one counts`] : [];
  });
}
