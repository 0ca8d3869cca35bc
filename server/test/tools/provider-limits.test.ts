import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Schema_Type as Type } from "@frontdesk/protos/ces/schema";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { createLogger } from "#base";
import { shortFunctionName } from "#models";
import { testSandbox } from "#testing/engine";
import { createTools } from "#tools";
import { PROVIDER_LIMITS, type ProviderLimits, violations } from "./provider-limits.ts";
import { APP, documentOf, openApiToolset } from "./tool-bench.ts";

type ToolType = NonNullable<MessageInitShape<typeof ToolSchema>["toolType"]>;

const sandbox = testSandbox();
after(() => sandbox.close());

const CONNECTION = "projects/p/locations/us/connections/crm";
const tools = createTools({
  sandbox,
  egress: { fetch: () => Promise.reject(new Error("nobody is called here")) },
  logger: createLogger("silent"),
  connectors: {
    http: new Map([
      [
        CONNECTION,
        {
          baseUrl: "https://crm.example",
          entities: {},
          actions: {
            close: {
              description: "Closes.",
              method: "POST",
              path: "/close",
              input: { type: "object", properties: { id: {} } },
            },
          },
        },
      ],
    ]),
  },
});

const FIELDS = {
  type: Type.OBJECT,
  properties: {
    when: { type: Type.STRING, nullable: true, description: "The day" },
    size: { type: Type.INTEGER, enum: ["1", "2"] },
    lines: {
      type: Type.ARRAY,
      items: { type: Type.OBJECT, properties: { sku: { type: Type.STRING } }, required: ["sku"] },
    },
  },
  required: ["size"],
};
const description = "Does a thing.";
const named = { name: "thing", description };

const KINDS: Readonly<Record<string, ToolType>> = {
  "client function": { case: "clientFunction", value: { ...named, parameters: FIELDS } },
  "Python function": {
    case: "pythonFunction",
    value: {
      name: "thing",
      pythonCode: `def thing(size: int, tags: list[str], more: dict, note: str | None = None) -> dict:\n  """Does a thing."""\n`,
    },
  },
  widget: { case: "widgetTool", value: { ...named, input: { case: "parameters", value: FIELDS } } },
  "agent tool": { case: "agentTool", value: { ...named, agent: `${APP}/agents/other` } },
  "remote agent": {
    case: "remoteAgentTool",
    value: { ...named, agentCard: { name: "Other", description, version: "1" } },
  },
  "data store": { case: "dataStoreTool", value: named },
  "file search": { case: "fileSearchTool", value: named },
  "Google search": { case: "googleSearchTool", value: named },
  connector: {
    case: "connectorTool",
    value: { ...named, connection: CONNECTION, action: { actionSpec: { case: "connectionActionId", value: "close" } } },
  },
  MCP: { case: "mcpTool", value: { ...named, serverAddress: "https://mcp.example/mcp", inputSchema: FIELDS } },
  system: { case: "systemTool", value: { name: "end_session" } },
};

/** An operation with all that documents of strangers have in them. */
const HARD = documentOf(
  "https://shop.example",
  {
    "/things/{id}": {
      post: {
        operationId: "make a thing/of any kind that is there, however long its name may become in the end",
        description: "word ".repeat(2_000),
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string", format: "uuid", pattern: "^a" } },
          { name: "filter[größe]", in: "query", style: "deepObject", schema: { type: "array" } },
        ],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Node" } } } },
        responses: {},
      },
    },
  },
  {
    components: {
      schemas: {
        Node: {
          oneOf: [
            { $ref: "#/components/schemas/Leaf" },
            { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } },
          ],
        },
        Leaf: {
          type: ["object", "null"],
          properties: {
            value: { const: 1 },
            many: { type: "string", enum: Array.from({ length: 800 }, (_, at) => `v${at}`) },
            all: { allOf: [{ required: ["gone"] }, { properties: { here: { not: { type: "string" } } } }] },
            down: {
              items: { items: { items: { items: { items: { items: { items: { items: { type: "string" } } } } } } } },
            },
          },
          required: ["value", "gone"],
        },
      },
    },
  },
);

function toolOf(toolType: ToolType): Tool {
  return create(ToolSchema, {
    name: `${APP}/tools/thing`,
    displayName: toolType.case === "systemTool" ? "end_session" : "thing",
    toolType,
  });
}

describe("declarations that model providers accept", () => {
  for (const [provider, limits] of Object.entries(PROVIDER_LIMITS)) {
    it(`are those of every kind of tool: ${provider}`, async () => {
      for (const [kind, toolType] of Object.entries(KINDS))
        assert.deepEqual(violations(await tools.declare(toolOf(toolType)), limits), [], kind);
    });

    it(`are those of any OpenAPI document: ${provider}`, async () => {
      const [member] = await tools.open(openApiToolset(HARD), {
        app: APP,
        variables: {},
        signal: new AbortController().signal,
      });
      assert.ok(member);
      const declaration = await tools.declare(member.tool);
      // As the adapters of all providers write it.
      const name = shortFunctionName(declaration.name);
      assert.deepEqual(violations({ ...declaration, name }, limits), []);
    });
  }

  it("differ from those that are rejected", () => {
    const { openai } = PROVIDER_LIMITS;
    const declared = {
      name: "a b",
      description: "",
      parameters: { type: "object", properties: { a: { allOf: [] } }, required: ["b"] },
    };
    assert.deepEqual(violations({ ...declared, tool: "", runs: "server" }, openai as ProviderLimits), [
      "name 'a b'",
      "no description",
      "keyword allOf",
      "required without property: b",
    ]);
  });
});
