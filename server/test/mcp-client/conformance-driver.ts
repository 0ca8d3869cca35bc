/**
 * What the conformance suite runs as its client: a toolset at the address that it is given, opened as an agent's would be, and
 * every tool called; `MCP_CONFORMANCE_CONTEXT` names the arguments where a scenario needs its own.
 */
import { create } from "@bufbuild/protobuf";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { createEgress, createLogger, isJsonObject, type JsonObject, type JsonValue, systemClock } from "#base";
import { createOutbound } from "#outbound";
import { createTools, type ToolContext } from "#tools";

const APP = "projects/p/locations/l/apps/conformance";
const address = process.argv.at(-1) ?? "";
const given: unknown = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT || "{}");
const suite: JsonObject = isJsonObject(given) ? given : {};

const egress = createEgress({ allowedPrivateHosts: ["localhost", "127.0.0.1"] });
const logger = createLogger("silent");
const noSandbox = () => Promise.reject(new Error("MCP tools run no Python"));
const outbound = createOutbound({
  egress,
  clock: systemClock,
  logger,
  config: {
    secrets: { environment: {}, variable: () => undefined, files: {}, secretManager: false },
    grants: [],
    serviceDirectory: {},
    perimeter: false,
    withoutGoogleToken: [],
  },
});
const tools = createTools({ sandbox: { run: noSandbox, inspect: noSandbox }, egress, outbound, logger });
const signal = AbortSignal.timeout(20_000);
const toolset = create(ToolsetSchema, {
  name: `${APP}/toolsets/suite`,
  displayName: "suite",
  toolsetType: { case: "mcpToolset", value: { serverAddress: address } },
});
const context: ToolContext = {
  app: APP,
  turn: "turn",
  python: { invocationId: "", agentName: "", sessionId: "s", state: {}, userContent: null, events: [] },
  appTools: new Map(),
  useFakes: false,
  depth: 0,
  signal,
};

for (const { tool, toolId } of await tools.open(toolset, { app: APP, variables: {}, signal })) {
  const { parameters, name } = await tools.declare(tool);
  for (const args of argumentsFor(toolId, parameters)) {
    const { response } = await tools.execute(tool, { id: "1", name, args }, context);
    console.log(toolId, JSON.stringify(response));
  }
}
await tools.close();
await egress.close();

/** The calls that the scenario asks for, else one with a value for each required parameter. */
function argumentsFor(toolId: string, parameters: JsonObject): readonly JsonObject[] {
  const calls = Array.isArray(suite.toolCalls) ? suite.toolCalls.filter(isJsonObject) : [];
  const configured = calls.filter(({ name }) => name === toolId);
  if (configured.length > 0) return configured.map(({ arguments: args }) => (isJsonObject(args) ? args : {}));
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const properties = isJsonObject(parameters.properties) ? parameters.properties : {};
  return [Object.fromEntries(required.map((name) => [String(name), valueFor(properties[String(name)])]))];
}

function valueFor(schema: JsonValue | undefined): JsonValue {
  switch (isJsonObject(schema) ? schema.type : undefined) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "x";
  }
}
