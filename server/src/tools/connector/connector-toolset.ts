import { create } from "@bufbuild/protobuf";
import { ConnectorToolSchema } from "@frontdesk/protos/ces/connector_tool";
import type { ConnectorToolset } from "@frontdesk/protos/ces/connector_toolset";
import { routeProblems } from "../route-problems.ts";
import type { FoundTool, ToolsetKind } from "../toolset-kind.ts";
import { connectorProblems } from "./connections.ts";
import { stepId, stepOf } from "./step-of.ts";

/** One connector tool for each action and operation that the toolset lists (connector_toolset.proto). */
export const connectorToolset: ToolsetKind<"connectorToolset"> = {
  local: true,
  open: async ({ connection, authConfig, connectorActions }) => {
    const found = new Map<string, FoundTool>();
    for (const action of connectorActions) {
      const step = stepOf(action);
      if (typeof step === "string" || found.has(stepId(step))) continue;
      const value = create(ConnectorToolSchema, {
        connection,
        action,
        name: stepId(step),
        ...(authConfig && { authConfig }),
      });
      found.set(stepId(step), { toolId: stepId(step), toolType: { case: "connectorTool", value } });
    }
    return [...found.values()];
  },
  problems: (definition, _toolset, { connectors }) => [
    ...connectorProblems(definition.connection, definition.authConfig, connectors),
    ...routeProblems({ endUserAuth: definition.authConfig }),
    ...actionProblems(definition),
  ],
};

/** What is left out when the toolset is opened. */
function actionProblems({ connectorActions }: ConnectorToolset): readonly string[] {
  const seen = new Set<string>();
  return connectorActions.flatMap((action, position) => {
    const step = stepOf(action);
    const field = `connector_actions[${position}]`;
    if (typeof step === "string") return [`${field}: ${step}`];
    const twice = seen.has(stepId(step));
    seen.add(stepId(step));
    return twice ? [`${field}: '${stepId(step)}' is there twice, the first one counts`] : [];
  });
}
