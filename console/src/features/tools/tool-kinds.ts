import { create } from "@bufbuild/protobuf";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";

/** A kind of tool that can be created here. */
export interface ToolKind<Kind> {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly make: (name: string) => Kind;
}

const PYTHON = `def NAME(text: str) -> dict[str, str]:
    """Says back what it was told. The model reads this line when it decides which tool to call.

    Args:
        text: What to say back.
    """
    return {"said": text}
`;

const OPEN_API = `openapi: 3.0.3
info:
  title: An API
  version: "1"
servers:
  - url: https://example.com
paths:
  /things/{id}:
    get:
      operationId: getThing
      summary: Reads a thing.
      parameters:
        - name: id
          in: path
          required: true
          schema:
            type: string
      responses:
        "200":
          description: The thing.
          content:
            application/json:
              schema:
                type: object
`;

/** Tools that stand alone. */
export const TOOL_KINDS: readonly ToolKind<Tool>[] = [
  tool("pythonFunction", "Python function", "Code of this app, run by this server.", (name) => ({
    name,
    pythonCode: PYTHON.replace("NAME", name),
  })),
  tool("clientFunction", "Client function", "The client that talks to the agent runs it.", (name) => ({ name })),
  tool("openApiTool", "OpenAPI operation", "One operation of another server.", (name) => ({
    name,
    openApiSchema: OPEN_API,
  })),
  tool("dataStoreTool", "Data store", "Searches documents and answers from them.", (name) => ({ name })),
  tool("fileSearchTool", "File search", "Searches files that were given to the app.", (name) => ({ name })),
  tool("googleSearchTool", "Google search", "Searches the web.", (name) => ({ name })),
  tool("connectorTool", "Connector", "An action or an operation of a connection.", (name) => ({ name })),
  tool("agentTool", "Agent", "Another agent of the app, called like a tool.", (name) => ({ name })),
  tool("remoteAgentTool", "Remote agent", "An agent elsewhere, by A2A.", (name) => ({ name })),
  tool("widgetTool", "Widget", "Something rich that the client shows.", (name) => ({ name })),
];

/** Tools that come several at a time. */
export const TOOLSET_KINDS: readonly ToolKind<Toolset>[] = [
  toolset("openApiToolset", "OpenAPI document", "Every operation of a document.", { openApiSchema: OPEN_API }),
  toolset("mcpToolset", "MCP server", "Every tool of a server.", {}),
  toolset("connectorToolset", "Connector", "Several actions of a connection.", {}),
];

type ToolCase = NonNullable<Tool["toolType"]["case"]>;
type ToolsetCase = NonNullable<Toolset["toolsetType"]["case"]>;

function tool(id: ToolCase, label: string, description: string, fields: (name: string) => object): ToolKind<Tool> {
  return {
    id,
    label,
    description,
    make: (name) => create(ToolSchema, { toolType: { case: id, value: fields(name) } as Tool["toolType"] }),
  };
}

function toolset(id: ToolsetCase, label: string, description: string, fields: object): ToolKind<Toolset> {
  return {
    id,
    label,
    description,
    make: (displayName) =>
      create(ToolsetSchema, { displayName, toolsetType: { case: id, value: fields } as Toolset["toolsetType"] }),
  };
}

/** How people call the kind of a tool or a toolset. */
export function kindLabel(id: string | undefined): string {
  return [...TOOL_KINDS, ...TOOLSET_KINDS].find((kind) => kind.id === id)?.label ?? "Not set";
}
