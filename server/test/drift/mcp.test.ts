import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { isJsonObject, type JsonValue } from "#base";
import { startTestServer } from "#testing";
import { type ClientField, readClientSurface } from "../../drift/client-surface.ts";
import { toolNameOf } from "../../src/protocols/mcp/hosted-tools.ts";
import { restRules } from "../../src/protocols/rest/http-rules.ts";
import { createRouter } from "../../src/protocols/rest/router.ts";
import { ask } from "../mcp/client.ts";

const CLIENT = dirname(createRequire(import.meta.url).resolve("googleapis/package.json"));
const { methods, messages } = readClientSurface(join(CLIENT, "build", "src", "apis", "ces"), "ces", "v1beta");

/** Tools that do with simpler arguments what the method of their name does. */
const SIMPLER = new Set(["run_evaluation", "create_evaluation_run"]);

/** Fields of resources that the definitions call deprecated and the client's comments do not: tools do not offer those. */
const NOT_OFFERED = new Set(["EvaluationConfig.inputAudioConfig", "EvaluationConfig.outputAudioConfig"]);

describe("the tools of MCP", () => {
  it("take every field that the generated client can send, as deep as their schemas go", async () => {
    await using server = await startTestServer();
    const tools = new Map(
      ((await ask(server.address, "tools/list")).result.tools ?? []).map((tool) => [tool.name, tool]),
    );
    const router = createRouter(restRules(server.app.registry));
    let compared = 0;
    const missing = methods.flatMap(({ id, httpMethod, path, example, body }) => {
      const filled = path.replace(/\{\+(\w+)\}/g, (_, name: string) => example[name] ?? "");
      const routing = router.find(httpMethod, filled);
      if (!body || routing.kind !== "found") return [];
      const { route } = routing.match;
      const name = toolNameOf(route.method.method.name.replace(/Sync$/, ""));
      const tool = tools.get(name);
      if (!tool || SIMPLER.has(name)) return [];
      compared += 1;
      const field = route.method.method.input.fields.find((one) => one.name === route.body);
      const schema = route.body === "*" ? tool.inputSchema : tool.inputSchema.properties[field?.jsonName ?? ""];
      return fieldsWithout(schema, body).map((what) => `${id} ${what}`);
    });
    assert.deepEqual(missing, []);
    assert.ok(compared > 30, `${compared} tools`);
  });
});

/** Fields of a message of the client that a schema lacks, where it lists properties at all. Nobody sends output, and deprecated fields of resources are not offered. */
function fieldsWithout(schema: JsonValue | undefined, type: string): readonly string[] {
  if (!isJsonObject(schema)) return [`${type} as a whole`];
  if (type.endsWith("[]")) return fieldsWithout(schema.items, type.slice(0, -2));
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return (messages.get(type) ?? []).filter(isSent).flatMap((field) => {
    const what = `${type}.${field.name}`;
    if (!(field.name in properties)) return NOT_OFFERED.has(what) ? [] : [what];
    return messages.has(field.type.replace("[]", "")) ? fieldsWithout(properties[field.name], field.type) : [];
  });
}

function isSent({ text }: ClientField): boolean {
  return !/output only|deprecated/i.test(text);
}
