import { failed } from "./outcomes.ts";
import { toJsonSchema } from "./schema/json-schema.ts";
import type { ToolKind } from "./tool-kind.ts";
import { toolName } from "./tool-name.ts";

/** A function that the client executes: declared like any other, sent in `SessionOutput.tool_calls` (TOOL-12). */
export const clientFunction: ToolKind<"clientFunction"> = {
  runs: "client",
  declare: async ({ description, parameters, response }, tool) => ({
    name: toolName(tool),
    description,
    parameters: parameters ? toJsonSchema(parameters) : { type: "object", properties: {} },
    ...(response && { response: toJsonSchema(response) }),
  }),
  execute: async (_definition, tool) =>
    failed(`Client function '${toolName(tool)}' runs in the client; the server cannot execute it.`),
};
