import { create } from "@bufbuild/protobuf";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";

/** A kind of tool that can be created here. */
export interface ToolTypeOption<Kind> {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly make: (name: string) => Kind;
}

const PYTHON = `def NAME(text: str) -> dict[str, str]:
    """Returns the given text. The model reads this docstring to decide when to call the tool.

    Args:
        text: The text to return.
    """
    return {"text": text}
`;

const OPEN_API = `openapi: 3.0.3
info:
  title: Example API
  version: "1"
servers:
  - url: https://example.com
paths:
  /items/{id}:
    get:
      operationId: getItem
      summary: Gets an item.
      parameters:
        - name: id
          in: path
          required: true
          schema:
            type: string
      responses:
        "200":
          description: The item.
          content:
            application/json:
              schema:
                type: object
`;

/** Types of tools. */
export const TOOL_TYPES: readonly ToolTypeOption<Tool>[] = [
  tool("pythonFunction", "Python function", "Python code that runs in the sandbox of this server.", (name) => ({
    name,
    pythonCode: PYTHON.replace("NAME", name),
  })),
  tool("clientFunction", "Client function", "The client runs the function and returns its result.", (name) => ({
    name,
  })),
  tool("openApiTool", "OpenAPI operation", "One operation of an external API.", (name) => ({
    name,
    openApiSchema: OPEN_API,
  })),
  tool("dataStoreTool", "Data store", "Searches documents and answers from them.", (name) => ({ name })),
  tool("fileSearchTool", "File search", "Searches files uploaded to the app.", (name) => ({ name })),
  tool("googleSearchTool", "Google Search", "Searches the web.", (name) => ({ name })),
  tool("connectorTool", "Connector", "An action of a connection.", (name) => ({ name })),
  tool("agentTool", "Agent", "Calls another agent of the app as a tool.", (name) => ({ name })),
  tool("remoteAgentTool", "Remote agent", "Calls a remote agent over A2A.", (name) => ({ name })),
  tool("widgetTool", "Widget", "Rich content that the client displays.", (name) => ({ name })),
];

/** Types of toolsets. */
export const TOOLSET_TYPES: readonly ToolTypeOption<Toolset>[] = [
  toolset("openApiToolset", "OpenAPI schema", "All operations of an OpenAPI schema.", { openApiSchema: OPEN_API }),
  toolset("mcpToolset", "MCP server", "All tools of an MCP server.", {}),
  toolset("connectorToolset", "Connector", "Several actions of a connection.", {}),
];

type ToolCase = NonNullable<Tool["toolType"]["case"]>;
type ToolsetCase = NonNullable<Toolset["toolsetType"]["case"]>;

function tool(
  id: ToolCase,
  label: string,
  description: string,
  fields: (name: string) => object,
): ToolTypeOption<Tool> {
  return {
    id,
    label,
    description,
    make: (name) => create(ToolSchema, { toolType: { case: id, value: fields(name) } as Tool["toolType"] }),
  };
}

function toolset(id: ToolsetCase, label: string, description: string, fields: object): ToolTypeOption<Toolset> {
  return {
    id,
    label,
    description,
    make: (displayName) =>
      create(ToolsetSchema, { displayName, toolsetType: { case: id, value: fields } as Toolset["toolsetType"] }),
  };
}

/** The label of a tool's or toolset's kind. */
export function toolTypeLabel(id: string | undefined): string {
  return [...TOOL_TYPES, ...TOOLSET_TYPES].find((kind) => kind.id === id)?.label ?? "Not set";
}
