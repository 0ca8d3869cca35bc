import { useMemo } from "react";
import { resourceTitle } from "../../api/resource-names.ts";
import { agents, apps, offeredTools, toolsets } from "../../api/resource-types.ts";
import { useResource, useResources } from "../../api/use-resources.ts";
import type { Names } from "../code-editor/code-language.ts";
import { useToolsetTools } from "../toolsets/use-toolset-tools.ts";

/** What the texts and the code of an app can name: its agents, tools (toolsets' among them) and variables. */
export function useNames(app: string): Names {
  const found = useResource(apps, app).data;
  const agentList = useResources(agents, app).data;
  const toolList = useResources(offeredTools, app).data;
  const toolsetList = useResources(toolsets, app).data;
  const computed = useToolsetTools(toolsetList ?? []);
  return useMemo(() => {
    const variables = [...(found?.variableDeclarations ?? []), ...(found?.predefinedVariableDeclarations ?? [])];
    return {
      agents: (agentList ?? []).map((agent) => ({ name: resourceTitle(agent), description: agent.description })),
      tools: [
        ...(toolList ?? []).map((tool) => ({
          name: resourceTitle(tool),
          description: toolDescription(tool.toolType.value),
        })),
        ...computed.map((tool) => ({ name: tool.displayName, description: toolDescription(tool.toolType.value) })),
      ],
      variables: variables.map(({ name, description }) => ({ name, description })),
    };
  }, [found, agentList, toolList, computed]);
}

/** The description of a tool of any type. */
export function toolDescription(type: object | undefined): string {
  return type && "description" in type && typeof type.description === "string" ? type.description : "";
}
