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

type ToolCase = NonNullable<Tool["toolType"]["case"]>;
type ToolsetCase = NonNullable<Toolset["toolsetType"]["case"]>;

/** What a kind is called and does. One without `description` comes with toolsets or imported apps, and cannot be created here. */
interface Kind {
  readonly label: string;
  readonly description?: string;
  /** What a new one of this name has set. Default: its name. */
  readonly begin?: (name: string) => object;
}

/** Every kind of tool, in the order of the choice; the compiler notices a missing one. */
const TOOL_KINDS: Readonly<Record<ToolCase, Kind>> = {
  pythonFunction: {
    label: "Python function",
    description: "Python code that runs in the sandbox of this server.",
    begin: (name) => ({ name, pythonCode: PYTHON.replace("NAME", name) }),
  },
  clientFunction: { label: "Client function", description: "The client runs the function and returns its result." },
  openApiTool: {
    label: "OpenAPI operation",
    description: "One operation of an external API.",
    begin: (name) => ({ name, openApiSchema: OPEN_API }),
  },
  dataStoreTool: { label: "Data store", description: "Searches documents and answers from them." },
  fileSearchTool: { label: "File search", description: "Searches files uploaded to the app." },
  googleSearchTool: { label: "Google Search", description: "Searches the web." },
  connectorTool: { label: "Connector", description: "An action of a connection." },
  agentTool: { label: "Agent", description: "Calls another agent of the app as a tool." },
  remoteAgentTool: { label: "Remote agent", description: "Calls a remote agent over A2A." },
  widgetTool: { label: "Widget", description: "Rich content that the client displays." },
  mcpTool: { label: "MCP tool" },
  systemTool: { label: "System tool" },
};

/** Every kind of toolset, likewise. */
const TOOLSET_KINDS: Readonly<Record<ToolsetCase, Kind>> = {
  openApiToolset: {
    label: "OpenAPI schema",
    description: "All operations of an OpenAPI schema.",
    begin: () => ({ openApiSchema: OPEN_API }),
  },
  mcpToolset: { label: "MCP server", description: "All tools of an MCP server.", begin: () => ({}) },
  connectorToolset: { label: "Connector", description: "Several actions of a connection.", begin: () => ({}) },
};

/** The kinds of tools that can be created. */
export const TOOL_TYPES = creatable<Tool>(TOOL_KINDS, (id, value) =>
  create(ToolSchema, { toolType: { case: id, value } as Tool["toolType"] }),
);

/** The kinds of toolsets that can be created. */
export const TOOLSET_TYPES = creatable<Toolset>(TOOLSET_KINDS, (id, value, displayName) =>
  create(ToolsetSchema, { displayName, toolsetType: { case: id, value } as Toolset["toolsetType"] }),
);

function creatable<Made>(
  kinds: Readonly<Record<string, Kind>>,
  make: (id: string, value: object, name: string) => Made,
): readonly ToolTypeOption<Made>[] {
  return Object.entries(kinds).flatMap(([id, { label, description, begin = (name: string) => ({ name }) }]) =>
    description === undefined ? [] : [{ id, label, description, make: (name: string) => make(id, begin(name), name) }],
  );
}

/** The label of a tool's or toolset's kind. */
export function toolTypeLabel(id: string | undefined): string {
  const kinds = new Map<string | undefined, Kind>(Object.entries({ ...TOOL_KINDS, ...TOOLSET_KINDS }));
  return kinds.get(id)?.label ?? "Not set";
}
