import type { JsonObject } from "#base";
import {
  JsonRpcError,
  type McpAdditions,
  type PromptProvider,
  type ResourceProvider,
  type Tool,
  type ToolCall,
} from "#protocols";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const text = (words: string): JsonObject => ({ type: "text", text: words });
const image: JsonObject = { type: "image", data: PIXEL, mimeType: "image/png" };
const embedded = (uri: string): JsonObject => ({
  type: "resource",
  resource: { uri, mimeType: "text/plain", text: "Text of a resource." },
});

/** The schema that the suite wants to see again as it is. */
const SCHEMA_2020_12: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

type Run = (call: ToolCall) => Promise<JsonObject> | JsonObject;

function tool(name: string, run: Run, inputSchema: JsonObject = { type: "object", properties: {} }): Tool {
  return {
    name,
    kind: "read",
    hosted: true,
    listing: () => ({ name, description: `Fixture ${name}.`, inputSchema }),
    call: async (_, call) => JSON.stringify(await run(call)),
  };
}

const result = (...content: JsonObject[]): JsonObject => ({ content });

const tools: readonly Tool[] = [
  tool("test_simple_text", () => result(text("This is a simple text response for testing."))),
  tool("test_image_content", () => result(image)),
  tool("test_audio_content", () => result({ type: "audio", data: SOUND, mimeType: "audio/wav" })),
  tool("test_embedded_resource", () => result(embedded("test://embedded-resource"))),
  tool("test_multiple_content_types", () => result(text("Several."), image, embedded("test://mixed-content-resource"))),
  tool("test_error_handling", () => ({ ...result(text("This tool always fails.")), isError: true })),
  tool("test_tool_with_progress", ({ progress }) => {
    for (const step of ["begun", "half", "done"]) progress?.(step);
    return result(text("Done."));
  }),
  tool("test_missing_capability", () => {
    throw new JsonRpcError(-32021, "The client must offer sampling.", { requiredCapabilities: { sampling: {} } });
  }),
  tool("test_streaming_elicitation", () => result(text("Nothing is asked."))),
  tool("test_logging_tool", () => result(text("Nothing is logged."))),
  tool("json_schema_2020_12_tool", () => result(text("ok")), SCHEMA_2020_12),
];

const READABLE: Readonly<Record<string, JsonObject>> = {
  "test://static-text": { mimeType: "text/plain", text: "A static text." },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
};

const resources: ResourceProvider = {
  list: async () => ({
    resources: Object.entries(READABLE).map(([uri, { mimeType = "" }]) => ({ uri, name: uri, mimeType })),
  }),
  templates: () => [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
  read: async (uri) => {
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
    if (id) return [{ uri, mimeType: "application/json", text: JSON.stringify({ id }) }];
    return READABLE[uri] && [{ uri, ...READABLE[uri] }];
  },
};

const user = (content: JsonObject): JsonObject => ({ role: "user", content });
const PROMPTS: Readonly<Record<string, { arguments: string[]; messages(args: JsonObject): JsonObject[] }>> = {
  test_simple_prompt: { arguments: [], messages: () => [user(text("A simple prompt."))] },
  test_prompt_with_arguments: {
    arguments: ["arg1", "arg2"],
    messages: ({ arg1, arg2 }) => [user(text(`Arguments: ${arg1}, ${arg2}`))],
  },
  test_prompt_with_embedded_resource: {
    arguments: ["resourceUri"],
    messages: ({ resourceUri }) => [user(embedded(String(resourceUri))), user(text("Read it."))],
  },
  test_prompt_with_image: { arguments: [], messages: () => [user(image), user(text("Look at it."))] },
};

const prompts: PromptProvider = {
  list: () =>
    Object.entries(PROMPTS).map(([name, prompt]) => ({
      name,
      description: `Fixture ${name}.`,
      arguments: prompt.arguments.map((argument) => ({ name: argument, description: argument, required: true })),
    })),
  get: async (name, args) => PROMPTS[name] && { messages: PROMPTS[name].messages(args) },
};

/** What the conformance suite of the protocol calls by fixed names. */
export const FIXTURES: McpAdditions = { tools, resources, prompts };
