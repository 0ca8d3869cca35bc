import { failed } from "./outcomes.ts";
import type { ToolCase, ToolKind } from "./tool-kind.ts";
import { toolName } from "./tool-name.ts";

/**
 * A kind that apps may hold but that this server does not run: it is declared, so that an app's wiring stays visible, and a
 * call answers an error that names the kind instead of disappearing.
 */
export function notSupportedYet<Case extends ToolCase>(kind: string): ToolKind<Case> {
  return {
    runs: "server",
    declare: async (definition, tool) => ({
      name: toolName(tool),
      description: "description" in definition ? definition.description : "",
      parameters: { type: "object", properties: {} },
    }),
    execute: async (_definition, tool) =>
      failed(`${kind} tools are not supported yet by this server (tool '${toolName(tool)}').`),
  };
}
